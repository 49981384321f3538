import { describe, expect, it } from "vitest";
import { toProgram } from "../compiler/lowered-definitions.ts";
import type { Definitions } from "../format/definition.ts";
import { parseProgram } from "../format/program-body.ts";
import { createEngine } from "./engine.ts";
import { createFlagProgramEngine } from "./flag-program-engine.ts";
import { createExperimentProgramEngine } from "./program-engine.ts";

const KEYS = ["required", "dependent"];
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

describe("engines on programs without change events", () => {
  it("answer as the engines do, before and after an update, also for unchanged parts", () => {
    const [first, second] = [definitionsAt(30, 0.2), definitionsAt(70, 0.9)];
    const [flags, experiments] = [
      createFlagProgramEngine(toProgram(first)),
      createExperimentProgramEngine(toProgram(first)),
    ];
    const engine = createEngine(first);
    const seen = new Set<string>();
    for (const next of [first, second]) {
      const program = toProgram(next);
      for (const partial of [flags, experiments]) partial.update(program);
      engine.update(next);
      expect(flags.definitions).toBe(program);
      const fromPrograms = users.map((id) => [
        Object.fromEntries(KEYS.map((key) => [key, flags.evaluate(key, { targetingKey: id }, null)])),
        experiments.assign("arms", id),
        flags.evaluate("missing", { targetingKey: id }, "mine").value,
      ]);
      const fromDefinitions = users.map((id) => [
        { ...engine.evaluateAll({ targetingKey: id }) },
        engine.assign("arms", id),
        engine.evaluate("missing", { targetingKey: id }, "mine").value,
      ]);
      expect(fromPrograms).toEqual(fromDefinitions);
      seen.add(JSON.stringify(fromPrograms));
    }
    expect(seen.size).toBe(2);
  });

  it("reject programs of another format and invalid programs", () => {
    const program = toProgram(definitionsAt(30, 0.2));
    expect(parseProgram(JSON.stringify(program))).toEqual(program);
    const others = [
      { ...program, program_version: 2 },
      definitionsAt(30, 0.2),
      { ...program, flags: [{}] },
      { ...program, segments: null },
      [],
      null,
      7,
    ];
    for (const other of others) expect(() => parseProgram(other)).toThrow(TypeError);
    expect(() => parseProgram("{")).toThrow(SyntaxError);
  });

  it("keep their program if an update throws", () => {
    const program = toProgram(definitionsAt(30, 0.2));
    const next = toProgram(definitionsAt(70, 0.9));
    const [flags, experiments] = [createFlagProgramEngine(program), createExperimentProgramEngine(program)];
    const answers = () =>
      users.map((id) => [flags.evaluate("required", { targetingKey: id }, null), experiments.assign("arms", id)]);
    const before = answers();
    expect(() => flags.update({ ...next, flags: null as never })).toThrow(TypeError);
    expect(() => experiments.update({ ...next, experiments: null as never })).toThrow(TypeError);
    expect([flags.definitions, experiments.definitions]).toEqual([program, program]);
    expect(answers()).toEqual(before);
  });

  it("serve the default if a flag cannot be linked", () => {
    const { flags, ...rest } = toProgram(definitionsAt(30, 0.2));
    const steps: unknown = [[["unheard of"], { reason: "SPLIT" }]];
    const decision = { ...flags[0]!.decision, steps: steps as [] };
    const engine = createFlagProgramEngine({ ...rest, flags: [{ ...flags[0]!, decision }] });
    const { value, reason, error_code } = engine.evaluate("required", { targetingKey: "ada" }, true);
    expect({ value, reason, error_code }).toEqual({ value: false, reason: "ERROR", error_code: "PARSE_ERROR" });
  });
});
