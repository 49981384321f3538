import { createHash } from "node:crypto";

const versions = new WeakMap<object, string>();
/** The hash of each flag, segment or experiment. A change replaces few of them. */
const hashes = new WeakMap<object, string>();

/**
 * Hashes the content of a set of definitions. The version is the same after a restart and on every node, so it serves
 * as ETag and as id of change events. Definitions are replaced, never mutated, so each set is hashed once.
 */
export function versionOf(definitions: object): string {
  let version = versions.get(definitions);
  if (version === undefined) {
    const fields = Object.entries(definitions).map(([name, field]) => [
      name,
      Array.isArray(field) ? field.map(hashOf) : field,
    ]);
    version = toHash(fields);
    versions.set(definitions, version);
  }
  return version;
}

/** Returns the hash of one part of the definitions, computed once. */
export function hashOf(part: unknown): string {
  if (typeof part !== "object" || part === null) return toHash(part);
  const hash = hashes.get(part) ?? toHash(part);
  hashes.set(part, hash);
  return hash;
}

function toHash(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 22);
}
