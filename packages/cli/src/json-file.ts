import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import type { ArgsDef } from "citty";
import { reasonOf, usageFailure } from "./failure.ts";
import type { Flags } from "./flags.ts";

/** The option that gives fields of a request. */
export const FILE_ARG: ArgsDef = {
  file: { type: "string", description: "JSON file with fields as in the API, or - for standard input" },
};

/** Reads the object in `--file`; an empty one without the option. @throws {CommandFailure} for anything else */
export async function readBody(flags: Flags): Promise<object> {
  const file = flags.one("file");
  if (file === undefined) return {};
  try {
    const body: unknown = JSON.parse(file === "-" ? await text(process.stdin) : await readFile(file, "utf8"));
    if (typeof body !== "object" || body === null || Array.isArray(body)) throw new Error("it is not a JSON object");
    return body;
  } catch (error) {
    throw usageFailure(`Cannot read ${file === "-" ? "standard input" : file}: ${reasonOf(error)}`);
  }
}
