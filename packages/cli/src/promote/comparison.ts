import { isDeepStrictEqual } from "node:util";
import type { Definition, Fields, Kind } from "./definitions.ts";

/** What a promotion does to one definition of the target. */
export interface Step {
  kind: Kind;
  key: string;
  action: "create" | "update";
  /** The version in the target that the changes refer to; null if the step creates it. */
  version: number | null;
  /** The fields that differ, with the values in the target (absent if it has none) and in the source. */
  changes: { field: string; from?: unknown; to: unknown }[];
  /** Why the step cannot be done; null if it can. */
  refusal: string | null;
}

const ORDER: Kind[] = ["segment", "flag", "experiment"];

/** Compares two environments. What only the target has stays as it is. */
export function compare(source: readonly Definition[], target: readonly Definition[]): Step[] {
  const nameOf = ({ kind, key }: Definition) => `${kind} ${key}`;
  const there = new Map(target.map((one) => [nameOf(one), one]));
  return inOrder(source).flatMap((one): Step[] => {
    const existing = there.get(nameOf(one));
    const changes = differences(existing?.fields ?? {}, one.fields);
    if (existing && changes.length === 0) return [];
    const { kind, key } = one;
    const version = existing?.version ?? null;
    return [{ kind, key, action: existing ? "update" : "create", version, changes, refusal: refusalOf(existing) }];
  });
}

/** The definition of a running or finished experiment says what its results mean, so only a DRAFT changes. */
function refusalOf(existing: Definition | undefined): string | null {
  if (existing?.kind !== "experiment" || existing.status === "DRAFT") return null;
  return `it is ${existing.status} there, and only a DRAFT is changed`;
}

function differences(before: Fields, after: Fields): Step["changes"] {
  // A field that only the target has is cleared.
  const fields = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  return fields
    .filter((field) => !isDeepStrictEqual(before[field] ?? null, after[field] ?? null))
    .map((field) => ({ field, ...(field in before && { from: before[field] }), to: after[field] ?? null }));
}

/** Sorts definitions so that each comes after those that it refers to: segments, then flags, then experiments. */
function inOrder(definitions: readonly Definition[]): Definition[] {
  const byKind = [...definitions].sort(
    (a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || (a.key < b.key ? -1 : 1),
  );
  const sorted = new Set<Definition>();
  const seen = new Set<Definition>();
  function add(one: Definition): void {
    if (seen.has(one)) return;
    seen.add(one);
    const texts = textsIn(one.fields);
    for (const other of byKind) if (other.kind === one.kind && texts.has(other.key)) add(other);
    sorted.add(one);
  }
  for (const one of byKind) add(one);
  return [...sorted];
}

function textsIn(value: unknown, texts = new Set<string>()): Set<string> {
  if (typeof value === "string") texts.add(value);
  else if (value !== null && typeof value === "object") for (const one of Object.values(value)) textsIn(one, texts);
  return texts;
}
