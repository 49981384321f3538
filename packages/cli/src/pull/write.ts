import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { failure, reasonOf } from "../failure.ts";
import { toSchemas } from "../tree/schemas.ts";
import type { FileChange } from "./changes.ts";

/** Writes and deletes files, and writes the schemas for editors. @throws {CommandFailure} naming what cannot be written */
export async function writeChanges(directory: string, changes: readonly FileChange[]): Promise<void> {
  for (const { file, action, text } of changes) {
    if (action === "delete") await rm(join(directory, file));
    else if (action !== "keep") await write(join(directory, file), text);
  }
  for (const [file, text] of toSchemas()) await write(join(directory, file), text);
}

/** Writes a file as a whole or not at all. */
async function write(path: string, text: string): Promise<void> {
  const part = `${path}.${process.pid}.part`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(part, text);
    await rename(part, path);
  } catch (error) {
    throw failure(`Cannot write ${path}: ${reasonOf(error)}`, error);
  }
}
