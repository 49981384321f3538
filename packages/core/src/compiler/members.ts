import { refuse, toRecord, toStrings } from "../format/definition-error.ts";
import type { Predicate } from "../format/program.ts";

/**
 * Lowers a list of users given by id, by fingerprint, or both; null if it is empty.
 *
 * @throws DefinitionError for an invalid list
 */
export function toMembers(users: unknown, hashed: unknown): Predicate | null {
  const ids = toStrings(users);
  const { salt, hashes } = toRecord<{ salt?: unknown; hashes?: unknown }>(hashed ?? { salt: "" });
  if (typeof salt !== "string") return refuse("Expected a salt");
  const fingerprints = toStrings(hashes);
  if (fingerprints.length > 0) return ["users", ids, salt, fingerprints];
  return ids.length > 0 ? ["users", ids] : null;
}
