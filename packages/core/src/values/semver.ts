/** The parts of a version that decide its precedence, from the most significant down. */
export type Version = readonly (string | number)[];

const VERSION = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([\da-z-]+(?:\.[\da-z-]+)*))?(?:\+[\da-z.-]+)?$/i;

/** Parses a version of Semantic Versioning 2.0.0; a leading `v` and a missing minor or patch are tolerated. */
export function parseVersion(value: unknown): Version | null {
  const match = typeof value === "string" || typeof value === "number" ? VERSION.exec(String(value).trim()) : null;
  if (match === null) return null;
  const [, major, minor = 0, patch = 0, prerelease] = match;
  const numbers = [major, minor, patch].map(Number);
  // A version without pre-release identifiers comes after every version with them.
  if (prerelease === undefined) return [...numbers, 1];
  return [...numbers, 0, ...prerelease.split(".").map((part) => (/\D/.test(part) ? part : Number(part)))];
}

/** Precedence by section 11 of Semantic Versioning 2.0.0: negative, zero or positive; build metadata is ignored. */
export function compareVersions(left: Version, right: Version): number {
  for (let index = 0; index < left.length; index += 1) {
    const [ours, theirs] = [left[index]!, right[index]];
    if (ours === theirs) continue;
    if (typeof ours === typeof theirs) return ours < theirs! ? -1 : 1;
    // Numbers come before text, and a longer list after its prefix.
    return typeof ours === "number" && theirs !== undefined ? -1 : 1;
  }
  return left.length - right.length;
}
