import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { failure, reasonOf, usageFailure } from "../failure.ts";

/** The longest time to wait for an answer. */
const TIMEOUT_MS = 60_000;

/** Reads JSON from a file, from standard input (`-`) or from an address. @throws {CommandFailure} */
export async function readSourceJson(place: string, headers: Record<string, string>): Promise<unknown> {
  const body = /^https?:\/\//.test(place) ? await download(place, headers) : await readText(place);
  try {
    return JSON.parse(body);
  } catch (error) {
    throw failure(`${place} has no JSON: ${reasonOf(error)}`, error);
  }
}

async function readText(file: string): Promise<string> {
  try {
    return file === "-" ? await text(process.stdin) : await readFile(file, "utf8");
  } catch (error) {
    throw usageFailure(`Cannot read ${file === "-" ? "standard input" : file}: ${reasonOf(error)}`);
  }
}

async function download(url: string, headers: Record<string, string>): Promise<string> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.ok) return await response.text();
    throw new Error(`it answered ${response.status}`);
  } catch (error) {
    throw failure(`Cannot read ${new URL(url).origin}${new URL(url).pathname}: ${reasonOf(error)}`, error);
  }
}

/** Reads ids of users from a file, one a line. @throws {CommandFailure} */
export async function readIds(file: string): Promise<string[]> {
  const ids = (await readText(file)).split(/\r?\n/).filter((line) => line !== "");
  if (ids.length === 0) throw usageFailure(`${file} has no user ids; write one a line`);
  return ids;
}
