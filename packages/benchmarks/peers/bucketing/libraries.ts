import { md5 as noble } from "@noble/hashes/legacy.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { createMD5 } from "hash-wasm";
import jsMd5 from "js-md5";

/** Returns libraries of MD5, by package. */
export async function libraries(): Promise<Record<string, (text: string) => string>> {
  const wasm = await createMD5();
  return {
    "js-md5": (text) => jsMd5.md5(text),
    "@noble/hashes": (text) => bytesToHex(noble(utf8ToBytes(text))),
    "hash-wasm": (text) => wasm.init().update(text).digest("hex"),
  };
}
