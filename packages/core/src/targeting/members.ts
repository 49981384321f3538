import { fingerprint } from "../bucketing/bucket.ts";
import { isAbsent, refuse, toRecord, toStrings } from "./definition-error.ts";

/** A list of users that can be asked for one. */
export type Members = Pick<ReadonlySet<unknown>, "has">;

/**
 * Reads a list of users that is given by their ids, by their hashes, or both; null where it is empty.
 *
 * @throws DefinitionError for what is not understood.
 */
export function toMembers(users: unknown, hashed: unknown): Members | null {
  const plain = new Set<unknown>(toStrings(users));
  if (isAbsent(hashed)) return plain.size > 0 ? plain : null;
  const { salt, hashes } = toRecord(hashed) as { salt?: unknown; hashes?: unknown };
  if (typeof salt !== "string") return refuse("Expected a salt");
  const known = new Set(toStrings(hashes));
  if (known.size === 0) return plain.size > 0 ? plain : null;
  return { has: (user) => plain.has(user) || (typeof user === "string" && known.has(fingerprint(user, salt))) };
}
