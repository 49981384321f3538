import { keyOf, prefixOf, type Store } from "@assay/store";
import { parseBytes, toBytes } from "../storage/json.ts";

const PAGE = 1000;

/** An arm a user has been given, as it is kept. */
export interface StoredAssignment {
  user_id: string;
  experiment_id: string;
  variant_key: string;
  /** Given, not drawn. */
  forced: boolean;
  /** Milliseconds since 1970. */
  at: number;
}

/** Makes the entry of an assignment. */
export function assignmentEntry(assignment: StoredAssignment): { key: string; value: Uint8Array } {
  return { key: keyOf("assignments", assignment.user_id, assignment.experiment_id), value: toBytes(assignment) };
}

/** Reads the arm a user has in an experiment; null where none is stored. */
export async function readAssignment(
  store: Store,
  userId: string,
  experimentId: string,
): Promise<StoredAssignment | null> {
  const entry = await store.get(keyOf("assignments", userId, experimentId));
  return entry && parseBytes<StoredAssignment>(entry.value);
}

/** Everything a user has been assigned to, with its key, by experiment id. */
export async function listAssignments(
  store: Store,
  userId: string,
): Promise<{ key: string; assignment: StoredAssignment }[]> {
  const prefix = prefixOf("assignments", userId);
  const found: { key: string; assignment: StoredAssignment }[] = [];
  for (let after: string | undefined; ; ) {
    const entries = await store.list(prefix, { after, limit: PAGE });
    for (const { key, value } of entries) found.push({ key, assignment: parseBytes<StoredAssignment>(value) });
    if (entries.length < PAGE) return found;
    after = entries.at(-1)!.key;
  }
}
