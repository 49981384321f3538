import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { bucket, compileFlag, createBucketer, createPicker, evaluate, normalizeWeights } from "../src/index.ts";
import { bucketingVectors } from "./bucketing.ts";

const { weightSets, rollouts, cases } = bucketingVectors;

describe("bucketing vectors", () => {
  it("are many, and start with the specification's own", () => {
    expect(cases.length).toBeGreaterThanOrEqual(500);
    expect(cases[0]).toMatchObject({ userId: "user-123", key: "my-flag", integer: 2975317059 });
  });

  it("are what node:crypto makes of the UTF-8 bytes", () => {
    for (const { userId, key, integer } of cases) {
      const digest = createHash("md5")
        .update(Buffer.from(`${userId}:${key}`, "utf8"))
        .digest();
      expect(digest.readUInt32LE(0)).toBe(integer);
    }
  });

  it("are what core makes of them, prepared or not", () => {
    for (const { name, userId, key, integer } of cases) {
      expect(bucket(userId, key), name).toBe(integer / 2 ** 32);
      expect(createBucketer(key)(userId), name).toBe(integer / 2 ** 32);
    }
  });

  it("fall on the variants they name, at every weight set and rollout", () => {
    weightSets.forEach((weights, set) => {
      rollouts.forEach((rollout, at) => {
        const { pick } = createPicker(normalizeWeights(weights), rollout);
        for (const { integer, variants } of cases) expect(pick(integer / 2 ** 32)).toBe(variants[set]![at]);
      });
    });
  });

  it("come out of a whole evaluation the same", () => {
    const set = weightSets.findIndex((weights) => weights.length === 3);
    const variants = weightSets[set]!.map((weight, index) => ({ key: `${index}`, weight, value: index }));
    rollouts.forEach((rollout_percentage, at) => {
      for (const { userId, key, variants: expected } of cases) {
        if (userId === "") continue;
        const flag = compileFlag({ key, enabled: true, rollout_percentage, variants, rules: [] });
        expect(evaluate(flag, { targetingKey: userId }).value).toBe(
          expected[set]![at] === -1 ? null : expected[set]![at],
        );
      }
    });
  });
});
