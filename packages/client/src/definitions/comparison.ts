import { type Definition, type Fields, KINDS, type Kind, nameOf, type StoredDefinition } from "./definition.ts";
import { isSame } from "./equality.ts";

/** A field that differs, with the value in the target (absent if it has none) and the one to write. */
export interface FieldChange {
  field: string;
  from?: unknown;
  to: unknown;
}

/** A change that waits for another user. */
export interface Proposed {
  id: string;
  /** False if the same change was proposed before and is still open. */
  is_new: boolean;
}

/** What is done to one definition of the target. */
export interface Step {
  kind: Kind;
  key: string;
  action: "create" | "update" | "delete";
  changes: FieldChange[];
  /** Why the step cannot be done; null if it can. */
  refusal: string | null;
  /** The definition that was read, whose version the change needs; null if it is created. */
  target: Pick<StoredDefinition, "id" | "version"> | null;
  /** The proposal of the step, after steps are proposed; null if this one could not be. */
  proposal?: Proposed | null;
}

/** Returns why a definition of the target cannot change; null if it can. */
export type Refuse = (existing: StoredDefinition, changes: readonly FieldChange[]) => string | null;

/** Compares definitions with those of the target. What only the target has stays as it is. */
export function compare(
  source: readonly Definition[],
  target: readonly StoredDefinition[],
  refuse: Refuse = () => null,
): Step[] {
  const there = new Map(target.map((one) => [nameOf(one), one]));
  return inOrder(source).flatMap((one): Step[] => {
    const existing = there.get(nameOf(one));
    const changes = differences(existing?.fields ?? {}, one.fields);
    if (existing && changes.length === 0) return [];
    const { kind, key } = one;
    if (!existing) return [{ kind, key, action: "create", changes, refusal: null, target: null }];
    const { id, version } = existing;
    return [{ kind, key, action: "update", changes, refusal: refuse(existing, changes), target: { id, version } }];
  });
}

function differences(before: Fields, after: Fields): FieldChange[] {
  // A field that only the target has is cleared.
  const fields = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  return fields
    .filter((field) => !isSame(before[field] ?? null, after[field] ?? null))
    .map((field) => ({ field, ...(field in before && { from: before[field] }), to: after[field] ?? null }));
}

/** Sorts definitions so that each comes after those that it refers to: segments, then flags, then experiments. */
export function inOrder<T extends Definition>(definitions: readonly T[]): T[] {
  const byKind = [...definitions].sort(
    (a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || (a.key < b.key ? -1 : 1),
  );
  const sorted = new Set<T>();
  const seen = new Set<T>();
  function add(one: T): void {
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
