import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareVersions, parseVersion } from "./semver.ts";
import { parseVersionRange } from "./semver-range.ts";

const isWithin = (range: string, version: string) => {
  const [from, until] = parseVersionRange(range)!;
  const parsed = parseVersion(version)!;
  return compareVersions(parsed, from) >= 0 && compareVersions(parsed, until) < 0;
};

describe("a range of versions", () => {
  it.each([
    ["~1.2.3", "1.2.3", "1.3.0"],
    ["~1.2", "1.2.0", "1.3.0"],
    ["~1", "1.0.0", "2.0.0"],
    ["~0.2.3", "0.2.3", "0.3.0"],
    ["~0.0.3", "0.0.3", "0.1.0"],
    ["^1.2.3", "1.2.3", "2.0.0"],
    ["^1.2", "1.2.0", "2.0.0"],
    ["^1", "1.0.0", "2.0.0"],
    ["^0.2.3", "0.2.3", "0.3.0"],
    ["^0.2", "0.2.0", "0.3.0"],
    ["^0.0.3", "0.0.3", "0.0.4"],
    ["^0.0.0", "0.0.0", "0.0.1"],
    ["^0.0", "0.0.0", "0.1.0"],
    ["^0", "0.0.0", "1.0.0"],
    [" ^v1.2.3 ", "1.2.3", "2.0.0"],
    ["~1.2.3-beta.2", "1.2.3-beta.2", "1.3.0"],
    ["^0.2.3-beta", "0.2.3-beta", "0.3.0"],
  ])("%s starts with %s and ends before %s and its pre-releases", (range, from, until) => {
    expect(isWithin(range, from)).toBe(true);
    expect(isWithin(range, until)).toBe(false);
    expect(isWithin(range, `${until}-0`)).toBe(false);
    const [major, minor, patch] = until.split(".").map(Number) as [number, number, number];
    const last = patch > 0 ? [major, minor, patch - 1] : minor > 0 ? [major, minor - 1, 999] : [major - 1, 999, 999];
    expect(isWithin(range, last.join("."))).toBe(true);
  });

  it("starts before its release if it names a pre-release, else with the release", () => {
    expect(isWithin("~1.2.3-beta.2", "1.2.3-beta.1")).toBe(false);
    expect(isWithin("~1.2.3-beta.2", "1.2.3-beta.10")).toBe(true);
    expect(isWithin("^1.2.3", "1.2.3-rc.1")).toBe(false);
    expect(isWithin("^1.2.3", "1.4.0-rc.1")).toBe(true);
  });

  it.each(["1.2.3", "~", "^x", "~~1", "^1.", ">1.2.3", "~1.2.3.4", "", 1, null, true])("is not %j", (value) => {
    expect(parseVersionRange(value)).toBeNull();
  });

  it("with a tilde keeps the minor version, and with a caret the leftmost part that is not zero", () => {
    const part = fc.nat(3);
    fc.assert(
      fc.property(fc.tuple(part, part, part), fc.tuple(part, part, part), (named, asked) => {
        const isLater = compareVersions(parseVersion(asked.join("."))!, parseVersion(named.join("."))!) >= 0;
        const same = (count: number) => named.slice(0, count).every((value, at) => value === asked[at]);
        const leading = named.findIndex((value) => value > 0);
        expect(isWithin(`~${named.join(".")}`, asked.join("."))).toBe(isLater && same(2));
        expect(isWithin(`^${named.join(".")}`, asked.join("."))).toBe(isLater && same(leading < 0 ? 3 : leading + 1));
      }),
    );
  });
});
