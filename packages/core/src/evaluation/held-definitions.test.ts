import { describe, expect, it } from "vitest";
import { createExperimentEngine, createHeldExperiments } from "../assignment/experiment-engine.ts";
import type { Definitions } from "./definition.ts";
import { createFlagEngine, createHeldFlags } from "./flag-engine.ts";
import { SchemaVersionError } from "./live-definitions.ts";

const users = Array.from({ length: 20 }, (_, index) => `user-${index}`);

function definitionsAt(rollout_percentage: number, share: number): Definitions {
  const required = [{ flag_key: "required" }];
  const plain = { enabled: true, variants: [], rules: [] };
  return {
    schema_version: 1,
    flags: [
      { ...plain, key: "required", rollout_percentage },
      { ...plain, key: "dependent", rollout_percentage: 100, prerequisites: required },
    ],
    segments: [],
    groups: [],
    holdout: null,
    experiments: [
      {
        id: "e1",
        key: "arms",
        status: "ACTIVE",
        experiment_type: "AB_TEST",
        variants: [
          { key: "a", weight: share },
          { key: "b", weight: 1 - share },
        ],
      },
    ],
  };
}

describe("definitions that are held without telling of changes", () => {
  it("answer as the engines do, before and after an update, also through what was carried over", () => {
    const [first, second] = [definitionsAt(30, 0.2), definitionsAt(70, 0.9)];
    const [flags, flagEngine] = [createHeldFlags(first), createFlagEngine(first)];
    const [experiments, experimentEngine] = [createHeldExperiments(first), createExperimentEngine(first)];
    const seen = new Set<string>();
    for (const next of [first, second]) {
      for (const engine of [flags, flagEngine, experiments, experimentEngine]) engine.update(next);
      expect(flags.definitions).toBe(next);
      const held = users.map((id) => [
        flags.evaluateAll({ targetingKey: id }),
        experiments.assign("arms", id),
        flags.evaluate("missing", { targetingKey: id }, "mine").value,
      ]);
      const live = users.map((id) => [
        flagEngine.evaluateAll({ targetingKey: id }),
        experimentEngine.assign("arms", id),
        flagEngine.evaluate("missing", { targetingKey: id }, "mine").value,
      ]);
      expect(held).toEqual(live);
      seen.add(JSON.stringify(held));
    }
    expect(seen.size).toBe(2);
  });

  it("stay as they are where an update is of a later format", () => {
    const first = definitionsAt(30, 0.2);
    const flags = createHeldFlags(first);
    expect(() => flags.update({ ...first, schema_version: 2 })).toThrow(SchemaVersionError);
    expect(flags.definitions).toBe(first);
  });
});
