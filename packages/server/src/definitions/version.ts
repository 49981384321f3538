import { createHash } from "node:crypto";

const versions = new WeakMap<object, string>();

/**
 * Names a set of definitions by its content: the same after a restart and on every node, so it serves as ETag and as
 * id of the events that announce it. Definitions are replaced, never changed, so it is worked out once.
 */
export function versionOf(definitions: object): string {
  let version = versions.get(definitions);
  if (version === undefined) {
    version = createHash("sha256").update(JSON.stringify(definitions)).digest("base64url").slice(0, 22);
    versions.set(definitions, version);
  }
  return version;
}
