import { describe, expect, test } from "vitest";
import { toProgram } from "../compiler/lowered-definitions.ts";
import { createEngine } from "../engine/engine.ts";
import { createProgramEngine } from "../engine/program-engine.ts";
import type { Definitions, ExperimentDefinition, FlagDefinition } from "../format/definition.ts";
import { forcedArm, forceFlag } from "./force.ts";
import type { Overrides } from "./token.ts";

const plain = { enabled: false, rollout_percentage: 0, variants: [], rules: [] };
const flags: FlagDefinition[] = [
  { ...plain, key: "checkout" },
  {
    ...plain,
    key: "theme",
    value_type: "STRING",
    variants: [
      { key: "a", weight: 50, value: "light" },
      { key: "b", weight: 50, value: "dark" },
    ],
  },
  { ...plain, key: "limits", value_type: "OBJECT", variants: [{ key: "a", weight: 1, value: { max: 1 } }] },
];
const trial: ExperimentDefinition = {
  id: "id",
  key: "trial",
  status: "ACTIVE",
  experiment_type: "AB_TEST",
  variants: ["a", "b"].map((key) => ({ key, weight: 50 })),
  feature_flag_key: "theme",
};
const definitions: Definitions = {
  schema_version: 1,
  flags,
  segments: [],
  groups: [],
  holdout: null,
  experiments: [trial],
};
const engine = createEngine(definitions);

const program = toProgram(definitions);
const programEngine = createProgramEngine(program);

/** The same over definitions and over their program, which has no explanations. */
function force(key: string, overrides: Overrides | null, trace = false) {
  const context = { targetingKey: "ada" };
  const forced = forceFlag(definitions, key, overrides, engine.evaluate(key, context, null, { trace }));
  const { trace: steps, ...rest } = forced;
  expect(forceFlag(program, key, overrides, programEngine.evaluate(key, context, null))).toEqual(rest);
  return forced;
}

describe("a flag", () => {
  test.each<[string, Overrides, string | null, unknown]>([
    ["checkout", { flags: { checkout: true } }, "on", true],
    ["checkout", { variants: { checkout: "on" } }, "on", true],
    ["checkout", { flags: { checkout: false } }, "off", false],
    ["theme", { flags: { theme: "dark" } }, "b", "dark"],
    ["theme", { flags: { theme: "a colour that no variant has" } }, null, "a colour that no variant has"],
    ["theme", { flags: { theme: "light" }, variants: { theme: "b" } }, "b", "dark"],
    ["theme", { experiments: { trial: "b" } }, "b", "dark"],
    ["limits", { flags: { limits: { max: 9 } } }, null, { max: 9 }],
  ])("%s with %j serves the variant %j", (key, overrides, variant, value) => {
    const enabled = typeof value === "boolean" ? value : true;
    expect(force(key, overrides)).toEqual({
      value,
      variant,
      enabled,
      reason: "TARGETING_MATCH",
      rule_id: null,
      bucket: null,
      forced: true,
    });
  });

  test.each<[string, Overrides | null]>([
    ["checkout", null],
    ["checkout", {}],
    ["checkout", { flags: { checkout: "on" } }],
    ["theme", { flags: { theme: true } }],
    ["theme", { variants: { theme: "c" } }],
    ["theme", { experiments: { trial: "c", other: "b" } }],
    ["limits", { flags: { limits: null } }],
    ["constructor", { flags: { constructor: true } as never }],
    ["checkout", { flags: null, variants: 7 } as never],
  ])("%s with %j is evaluated as without an override", (key, overrides) => {
    expect(force(key, overrides)).toEqual(engine.evaluate(key, { targetingKey: "ada" }, null));
  });

  test("appears in the explanation", () => {
    expect(force("checkout", { flags: { checkout: true } }, true).trace).toMatchObject([
      { step: "OVERRIDE", matched: true },
    ]);
  });
});

test.each<[Overrides | null, string | undefined]>([
  [{ experiments: { trial: "b" } }, "b"],
  [{ variants: { theme: "b" } }, "b"],
  [{ experiments: { trial: "a" }, variants: { theme: "b" } }, "a"],
  [{ experiments: { trial: "c" } }, undefined],
  [{ experiments: { other: "b" } }, undefined],
  [null, undefined],
])("%j forces the arm %j of an experiment over a flag", (overrides, arm) => {
  for (const experiment of [trial, program.experiments[0]!]) expect(forcedArm(experiment, overrides)).toBe(arm);
});
