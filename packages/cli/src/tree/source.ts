import { type Document, isMap, isScalar, LineCounter, parseDocument } from "yaml";
import type { FileProblem } from "./problem.ts";

type Path = readonly (string | number)[];

/** The parsed text of a file. JSON is YAML too, so both have lines. */
export interface Source {
  document: Document;
  value: unknown;
  /** Returns the line of a part of the value, or of the nearest part around it, from 1. */
  lineOf(path: Path): number;
}

/** Parses a file. @param file its name, for problems */
export function parseSource(file: string, text: string): Source | FileProblem[] {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
    logLevel: "silent",
  });
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line);
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0)
    return faults.map(({ message, pos }) => ({
      file,
      line: lineAt(pos[0]),
      path: [],
      message: `Not YAML: ${message}`,
    }));
  const lineOf = (path: Path) => lineAt(offsetOf(document, path));
  try {
    const value: unknown = document.toJS();
    const odd = findOdd(value, []);
    return odd ? [{ file, line: lineOf(odd), path: odd, message: "Not a value of JSON" }] : { document, value, lineOf };
  } catch (error) {
    return [{ file, line: 1, path: [], message: `Not YAML: ${(error as Error).message}` }];
  }
}

/** Returns where a part starts: the name of a field, or an item of a list. */
function offsetOf(document: Document, path: Path): number {
  for (let depth = path.length; depth > 0; depth--) {
    const around = depth === 1 ? document.contents : document.getIn(path.slice(0, depth - 1), true);
    const last = path[depth - 1];
    const pair = isMap(around) ? around.items.find(({ key }) => isScalar(key) && key.value === last) : undefined;
    const node = pair ? pair.key : document.getIn(path.slice(0, depth), true);
    const range = (node as { range?: [number, number, number] } | undefined)?.range;
    if (range) return range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}

/** Returns the path of the first value that JSON does not have, such as an infinite number. */
function findOdd(value: unknown, path: (string | number)[]): Path | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : path;
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value !== "object" || !(Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype))
    return path;
  for (const [name, part] of Object.entries(value)) {
    const found = findOdd(part, [...path, Array.isArray(value) ? Number(name) : name]);
    if (found) return found;
  }
  return undefined;
}
