/** A parsed version: the three numbers, then the pre-release identifiers. */
export interface Version {
  numbers: number[];
  prerelease: string[];
}

const VERSION = /^[vV]?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?$/;

/** Parses a version of Semantic Versioning 2.0.0; a leading `v` and a missing minor or patch are tolerated. */
export function parseVersion(value: unknown): Version | null {
  const match = typeof value === "string" || typeof value === "number" ? VERSION.exec(String(value).trim()) : null;
  if (match === null) return null;
  return {
    numbers: [match[1], match[2], match[3]].map((part) => Number(part ?? 0)),
    prerelease: match[4]?.split(".") ?? [],
  };
}

/** Precedence by section 11 of Semantic Versioning 2.0.0: negative, zero or positive; build metadata is ignored. */
export function compareVersions(left: Version, right: Version): number {
  for (let index = 0; index < 3; index += 1) {
    const difference = left.numbers[index]! - right.numbers[index]!;
    if (difference !== 0) return difference;
  }
  // A version without pre-release identifiers comes after every one that has them.
  if (left.prerelease.length === 0 || right.prerelease.length === 0) {
    return right.prerelease.length - left.prerelease.length;
  }
  for (let index = 0; index < left.prerelease.length; index += 1) {
    const other = right.prerelease[index];
    if (other === undefined) return 1;
    const difference = compareIdentifiers(left.prerelease[index]!, other);
    if (difference !== 0) return difference;
  }
  return left.prerelease.length - right.prerelease.length;
}

function compareIdentifiers(left: string, right: string): number {
  const leftIsNumber = /^\d+$/.test(left);
  const rightIsNumber = /^\d+$/.test(right);
  if (leftIsNumber && rightIsNumber) return Number(left) - Number(right);
  if (leftIsNumber !== rightIsNumber) return leftIsNumber ? -1 : 1;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
