import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type Definition,
  type Fields,
  KINDS,
  type Kind,
  nameOf,
  type StoredDefinition,
} from "@assay/client/definitions";
import { failure, reasonOf } from "../failure.ts";
import { findFaults } from "./check.ts";
import { complete } from "./complete.ts";
import { FOLDERS, nameField } from "./fields.ts";
import type { FileProblem } from "./problem.ts";
import { type Fault, readShape } from "./shape.ts";
import { parseSource, type Source } from "./source.ts";

/** A file with a definition. */
export interface TreeFile {
  kind: Kind;
  key: string;
  /** Relative to the tree. */
  file: string;
  text: string;
  source: Source;
  /** The fields that it gives, as the API reads them. */
  given: Fields;
}

/** The files of a folder that are valid on their own, and the problems of the others. */
export interface Tree {
  files: TreeFile[];
  problems: FileProblem[];
}

/** Reads a tree: `flags`, `segments` and `experiments`, with YAML and JSON files. An absent folder is empty. */
export async function readTree(directory: string): Promise<Tree> {
  const tree: Tree = { files: [], problems: [] };
  const places = new Map<string, string>();
  for (const kind of KINDS) {
    for (const name of await namesIn(join(directory, FOLDERS[kind]))) {
      const file = `${FOLDERS[kind]}/${name}`;
      const read = readOne(kind, file, await textOf(join(directory, file)));
      if (Array.isArray(read)) {
        tree.problems.push(...read);
        continue;
      }
      const other = places.get(nameOf(read));
      if (other === undefined) {
        places.set(nameOf(read), file);
        tree.files.push(read);
      } else {
        const path = [nameField(kind)];
        tree.problems.push({ file, line: read.source.lineOf(path), path, message: `${other} is this ${kind} already` });
      }
    }
  }
  return tree;
}

/** Returns what a file defines, with all fields. @param stored what the server has, if anything */
export function toDefinition({ kind, key, given }: TreeFile, stored: StoredDefinition | undefined): Definition {
  return { kind, key, fields: complete(kind, given, stored?.fields) };
}

/** Returns the problems of a part of a file. */
export function locate({ file, source }: Pick<TreeFile, "file" | "source">, faults: readonly Fault[]): FileProblem[] {
  return faults.map(({ path, message }) => ({ file, line: source.lineOf(path), path, message }));
}

function readOne(kind: Kind, file: string, text: string): TreeFile | FileProblem[] {
  const source = parseSource(file, text);
  if (Array.isArray(source)) return source;
  const shape = readShape(kind, withoutSchema(source.value));
  if ("faults" in shape) return locate({ file, source }, shape.faults);
  const key = shape.fields[nameField(kind)] as string;
  try {
    const faults = findFaults({ kind, key, fields: complete(kind, shape.fields, undefined) });
    if (faults.length > 0) return locate({ file, source }, faults);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return locate({ file, source }, [{ path: ["variants"], message: error.message }]);
  }
  return { kind, key, file, text, source, given: shape.fields };
}

/** Removes the schema of editors, which JSON files name in a field. */
function withoutSchema(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("$schema" in value)) return value;
  const { $schema: _, ...rest } = value;
  return rest;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => /^[^.].*\.(ya?ml|json)$/.test(name)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw failure(`Cannot read ${folder}: ${reasonOf(error)}`, error);
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw failure(`Cannot read ${path}: ${reasonOf(error)}`, error);
  }
}
