import { keyOf, listAll, prefixOf, type Store } from "@assay/store";
import { parseBytes, toBytes } from "../storage/json.ts";

/** An assignment as stored. */
export interface StoredAssignment {
  user_id: string;
  experiment_id: string;
  variant_key: string;
  /** Whether the arm was forced instead of drawn. */
  forced: boolean;
  /** Milliseconds since 1970. */
  at: number;
}

/** An assignment that is stored with an event. */
export interface NewAssignment extends StoredAssignment {
  /** Whether it replaces a stored one. */
  replace?: boolean;
}

/** Creates the entry of an assignment. */
export function assignmentEntry({ user_id, experiment_id, variant_key, forced, at }: StoredAssignment): {
  key: string;
  value: Uint8Array;
} {
  const value = toBytes({ user_id, experiment_id, variant_key, forced, at } satisfies StoredAssignment);
  return { key: keyOf("assignments", user_id, experiment_id), value };
}

/** Reads the stored assignment of a user in an experiment; null if there is none. */
export async function readAssignment(
  store: Store,
  userId: string,
  experimentId: string,
): Promise<StoredAssignment | null> {
  const entry = await store.get(keyOf("assignments", userId, experimentId));
  return entry && parseBytes<StoredAssignment>(entry.value);
}

/** Lists the stored assignments of a user with their keys, by experiment id. */
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
