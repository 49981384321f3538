import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bucket, createBucketer } from "./bucket.ts";

/** The specification, word for word, with an independent MD5. */
function reference(userId: string, key: string): number {
  return createHash("md5")
    .update(Buffer.from(`${userId}:${key}`, "utf8"))
    .digest()
    .readUInt32LE(0);
}

const anyText = fc.string({ unit: "binary", maxLength: 200 });
const loneSurrogates = fc.array(fc.constantFrom("a", "é", "\ud800", "\udc00", "\ud83d\ude00"), { maxLength: 70 });
const text = fc.oneof(
  anyText,
  fc.string({ maxLength: 80 }),
  loneSurrogates.map((parts) => parts.join("")),
);

describe("bucketing hash", () => {
  it("gives the specification's test vector", () => {
    expect(bucket("user-123", "my-flag") * 2 ** 32).toBe(2975317059);
    expect(bucket("user-123", "my-flag")).toBeCloseTo(0.69274, 5);
    expect(createBucketer("my-flag")("user-123")).toBe(2975317059 / 2 ** 32);
  });

  it("is MD5 of the UTF-8 bytes for any two texts", () => {
    fc.assert(
      fc.property(text, text, (userId, key) => {
        expect(bucket(userId, key) * 2 ** 32).toBe(reference(userId, key));
        expect(createBucketer(key)(userId)).toBe(reference(userId, key) / 2 ** 32);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is MD5 for every combination of short lengths, where words and blocks end", () => {
    for (let user = 0; user <= 130; user += 1) {
      for (const key of [0, 1, 2, 3, 4, 17, 53, 54, 55, 56]) {
        const [userId, name] = ["u".repeat(user), "k".repeat(key)];
        expect(createBucketer(name)(userId)).toBe(reference(userId, name) / 2 ** 32);
      }
    }
  });

  it("is independent of previous users", () => {
    const hash = createBucketer("flag");
    for (const userId of ["a-long-user-id-that-fills-words", "b", "", "é", "b", "ébcd", "bcde", "b"]) {
      expect(hash(userId)).toBe(reference(userId, "flag") / 2 ** 32);
    }
  });

  it("spreads users evenly over the line", () => {
    const cells = new Array<number>(100).fill(0);
    const users = 100_000;
    for (let user = 0; user < users; user += 1) {
      const cell = Math.floor(bucket(`user-${user}`, "spread") * cells.length);
      cells[cell] = cells[cell]! + 1;
    }
    const expected = users / cells.length;
    const chiSquare = cells.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // 99 degrees of freedom: above 170 once in a hundred thousand random hashes; ours is fixed.
    expect(chiSquare).toBeLessThan(170);
  });
});
