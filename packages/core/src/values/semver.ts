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
    const order = compareParts(left[index]!, right[index]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Numbers come before text, and a longer list after its prefix. */
function compareParts(left: string | number, right: string | number | undefined): number {
  if (left === right) return 0;
  if (typeof left !== typeof right) return typeof left === "number" && right !== undefined ? -1 : 1;
  return left < right! ? -1 : 1;
}
