import { describe, expect, it } from "vitest";
import { compareVersions, parseVersion } from "./semver.ts";

const order = (left: string, right: string) => Math.sign(compareVersions(parseVersion(left)!, parseVersion(right)!));

describe("versions", () => {
  it("are ordered as Semantic Versioning orders its own example", () => {
    const ascending = [
      "1.0.0-alpha",
      "1.0.0-alpha.1",
      "1.0.0-alpha.beta",
      "1.0.0-beta",
      "1.0.0-beta.2",
      "1.0.0-beta.11",
      "1.0.0-rc.1",
      "1.0.0",
      "1.0.1",
      "1.2.0",
      "1.10.0",
      "2.0.0",
    ];
    ascending.forEach((left, at) => {
      ascending.forEach((right, other) => {
        expect(order(left, right)).toBe(Math.sign(at - other) + 0);
      });
    });
  });

  it("may have a leading v, and no minor and patch", () => {
    expect(order("v2", "2.0.0")).toBe(0);
    expect(order("2.1", "v2.1.0")).toBe(0);
  });

  it("ignore build metadata", () => {
    expect(order("1.0.0+one", "1.0.0+two")).toBe(0);
  });

  it.each(["", "1.", "a", "1.2.3.4", "1.2.3-", "1.2.3-a..b", "-1"])("reject %j", (text) => {
    expect(parseVersion(text)).toBeNull();
  });
});
