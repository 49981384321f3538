import { expect, test } from "vitest";
import { createEngine } from "../src/index.ts";
import { participationVectors } from "./participation.ts";

const { definitions, cases } = participationVectors;

test("the engine answers every user as holdout, group and segments say", () => {
  const engine = createEngine(definitions);
  for (const { user_id, attributes, experiments, flags } of cases) {
    for (const [key, expected] of Object.entries(experiments)) {
      const { variant_key, reason, assigned } = engine.assign(key, user_id, attributes)!;
      expect([variant_key, reason], `${key} for ${user_id}`).toEqual(expected);
      expect(assigned).toBe(reason === "ASSIGNED" || reason === "OVERRIDE");
    }
    for (const [key, expected] of Object.entries(flags)) {
      const { value, variant, reason } = engine.evaluate(key, { ...attributes, targetingKey: user_id }, null);
      expect([value, variant, reason], `${key} for ${user_id}`).toEqual(expected);
    }
  }
});

test("the vectors have every answer that participation can give", () => {
  const seen = (key: string) => new Set(cases.map(({ experiments }) => experiments[key]![1]));
  expect(seen("alpha")).toEqual(new Set(["ASSIGNED", "HOLDOUT", "EXCLUDED"]));
  expect(seen("beta")).toEqual(new Set(["ASSIGNED", "HOLDOUT", "EXCLUDED", "TARGETING"]));
  expect(seen("gamma")).toEqual(new Set(["ASSIGNED", "OVERRIDE", "HOLDOUT", "TARGETING"]));
  expect(seen("delta")).toEqual(new Set(["NOT_RUNNING"]));
});
