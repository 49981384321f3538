import { parseVersion, type Version } from "./semver.ts";

const RANGE = /^([~^])v?\d+(\.\d+)?(\.\d+)?/i;

/**
 * Parses a range of versions: `~1.2.3` is 1.2.3 up to 1.3.0, and `~1` is 1.0.0 up to 2.0.0. `^1.2.3` goes up to the next
 * change of the leftmost part that is not zero: 2.0.0. Both are as in npm, except that a range contains the pre-releases
 * of its versions; those of its end are outside. Returns the start (in) and the end (out); null for anything else.
 */
export function parseVersionRange(value: unknown): [from: Version, until: Version] | null {
  const text = typeof value === "string" ? value.trim() : "";
  const match = RANGE.exec(text);
  const from = match && parseVersion(text.slice(1));
  if (!from) return null;
  const [, sign, hasMinor, hasPatch] = match;
  const [major, minor, patch] = from as [number, number, number];
  let end: [number, number, number] = [major, minor + 1, 0];
  if (!hasMinor || (sign === "^" && major > 0)) end = [major + 1, 0, 0];
  else if (sign === "^" && minor === 0 && hasPatch) end = [0, 0, patch + 1];
  // Before every pre-release of the end.
  return [from, [...end, 0]];
}
