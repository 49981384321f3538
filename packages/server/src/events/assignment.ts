import { keyOf, listAll, prefixOf, type Store } from "@assay/store";
import { parseBytes, toBytes } from "../storage/json.ts";

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
  const found: { key: string; assignment: StoredAssignment }[] = [];
  for await (const { key, value } of listAll(store, prefixOf("assignments", userId))) {
    found.push({ key, assignment: parseBytes<StoredAssignment>(value) });
  }
  return found;
}
