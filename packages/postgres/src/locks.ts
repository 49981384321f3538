import { createHash } from "node:crypto";
import type { Operation } from "@assay/store";

/** A transaction of more names takes the lock of the whole schema: PostgreSQL has room for a limited number of locks. */
const MAX_NAMES = 64;

/** Returns the 32-bit number of a text, by which advisory locks are named. Two texts of one number only wait longer. */
export function lockOf(text: string): number {
  return createHash("sha256").update(text).digest().readInt32BE();
}

/** Returns the locks of everything that a batch touches, in their order; null for the lock of the whole schema. */
export function locksOf(operations: Operation[]): number[] | null {
  const names = new Set(operations.map((operation) => lockOf(nameOf(operation))));
  return names.size > MAX_NAMES ? null : [...names].sort((a, b) => a - b);
}

function nameOf(operation: Operation): string {
  if ("key" in operation) return `entry ${operation.key}`;
  if ("journal" in operation) return `journal ${operation.journal}`;
  return "set" in operation ? `set ${operation.set}` : `lease ${operation.lease}`;
}
