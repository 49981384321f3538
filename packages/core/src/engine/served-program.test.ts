import { expect, test } from "vitest";
import { toProgram } from "../compiler/lowered-definitions.ts";
import type { Definitions } from "../format/definition.ts";
import { parseProgram } from "../format/program-body.ts";
import { createEngine } from "./engine.ts";
import { createProgramEngine } from "./program-engine.ts";

const plain = { enabled: true, rollout_percentage: 100, variants: [], rules: [] };
const arms = ["old", "new"].map((key) => ({ key, weight: 0.5, value: key }));
const definitions: Definitions = {
  schema_version: 1,
  flag_set_id: "shop",
  flags: [
    { ...plain, key: "plain", version: 3 },
    { ...plain, key: "off", enabled: false },
    { ...plain, key: "half", rollout_percentage: 50, value_type: "STRING", variants: arms },
    { ...plain, key: "by-country", rollout_percentage: 50, bucket_by: "country" },
    { ...plain, key: "staff", targeting_rules: { user_segments: ["staff"] } },
    { ...plain, key: "needs", prerequisites: [{ flag_key: "half", variant: "new" }] },
    { ...plain, key: "broken", rollout_percentage: 120 },
    {
      ...plain,
      key: "german",
      rules: [
        { id: "de", when: { attribute: "country", operator: "EQUALS", value: "DE" }, serve: { variant: "on" } },
        {
          id: "rest",
          when: { attribute: "age", operator: "GREATER_THAN", value: 17 },
          serve: { rollout_percentage: 0 },
        },
      ],
    },
  ],
  segments: [{ id: "s", name: "staff", user_ids: ["ada", "grace"] }],
  groups: [],
  holdout: { id: "h", percentage: 20 },
  experiments: ["half", "german"].map((feature_flag_key) => ({
    id: `id-of-${feature_flag_key}`,
    key: `trial-${feature_flag_key}`,
    status: "ACTIVE",
    experiment_type: "FEATURE_FLAG",
    variants: [],
    feature_flag_key,
    targeting_rules: { excluded_users: ["linus"] },
  })),
};
const keys = [...definitions.flags.map(({ key }) => key), "missing"];
const hostile = {
  targetingKey: "ada",
  get country(): string {
    throw new Error("Ask later");
  },
};
const contexts = [
  ...["ada", "bob", "grace", "linus", "user-1", "user-2", "user-3", ""].flatMap((targetingKey) => [
    { targetingKey },
    { targetingKey, country: "DE" },
    { targetingKey, country: "FR", age: 36 },
  ]),
  {},
  hostile,
];

/** As a page receives it. */
const served = (given: Definitions) => parseProgram(JSON.stringify(toProgram(given)));

test("a page evaluates as the server's engine does", () => {
  const [page, engine] = [createProgramEngine(served(definitions)), createEngine(definitions)];
  const codes = new Set<string | undefined>();
  for (const key of keys) {
    for (const context of contexts) {
      const answer = page.evaluate(key, context, null);
      expect(answer, key).toEqual(engine.evaluate(key, context, null));
      codes.add(answer.error_code);
    }
  }
  const failures = ["FLAG_NOT_FOUND", "TARGETING_KEY_MISSING", "PARSE_ERROR", "GENERAL"];
  expect(codes).toEqual(new Set([undefined, ...failures]));
});

test("a page assigns as the server's engine does, and assigns no user on an error", () => {
  const [page, engine] = [createProgramEngine(served(definitions)), createEngine(definitions)];
  const arms = new Set<string | undefined>();
  for (const key of ["trial-half", "trial-german", "missing"]) {
    for (const context of contexts.slice(0, -2)) {
      const { targetingKey = "" } = context as { targetingKey?: string };
      const assignment = page.assign(key, targetingKey, context);
      expect(assignment, key).toEqual(engine.assign(key, targetingKey, context));
      arms.add(assignment?.assigned ? assignment.variant_key : undefined);
    }
  }
  expect(arms).toEqual(new Set(["new", "on", "off", undefined]));
  for (const { assign } of [page, engine]) {
    expect(assign("trial-german", "ada", hostile)).toMatchObject({ assigned: false, reason: "ERROR" });
  }
});

test("a page uses the newest program and the given clock", () => {
  let now = Date.parse("2026-05-01");
  const page = createProgramEngine(served(definitions), { now: () => now });
  const timed = { ...plain, key: "spring", targeting_rules: { time_rules: { end_date: "2026-06-01" } } };
  const next = served({ ...definitions, flag_set_id: "later", flags: [timed] });
  page.update(next);
  expect([page.definitions, page.evaluate("plain", {}, null).error_code]).toEqual([next, "FLAG_NOT_FOUND"]);
  expect(page.evaluate("spring", { targetingKey: "ada" }, null).value).toBe(true);
  now = Date.parse("2026-07-01");
  expect(page.evaluate("spring", { targetingKey: "ada" }, null).value).toBe(false);
});
