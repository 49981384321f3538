import * as fc from "fast-check";
import { expect, test } from "vitest";
import { toProgram } from "../compiler/lowered-definitions.ts";
import type { Definitions } from "../format/definition.ts";
import { parseProgram } from "../format/program-body.ts";
import { diffRevisions } from "../format/revision.ts";
import { createEngine } from "./engine.ts";
import { createPageEngine } from "./page-engine.ts";
import { createProgramEngine } from "./program-engine.ts";

const users = fc.constantFrom("ada", "bob", "grace", "linus", "");
const country = fc.constantFrom("DE", "FR", undefined);
const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const targeting = fc.record({
  countries: some(fc.constant(["DE"])),
  user_segments: some(fc.constant(["staff"])),
  excluded_users: some(fc.array(users, { maxLength: 2 })),
  included_users: some(fc.array(users, { maxLength: 2 })),
  rollout_percentage: some(fc.constantFrom(0, 30, 100)),
});

const definitions: fc.Arbitrary<Definitions> = fc
  .record({
    flagTargeting: targeting,
    targeting,
    rollout_percentage: fc.constantFrom(0, 50, 100),
    enabled: fc.boolean(),
    status: fc.constantFrom("ACTIVE", "PAUSED", "DRAFT"),
    flagBucketBy: some(fc.constant("country")),
    bucketBy: some(fc.constant("country")),
    holdout: fc.option(fc.constant({ id: "h", percentage: 30 })),
    inGroup: fc.boolean(),
    ruled: fc.boolean(),
  })
  .map((given) => ({
    schema_version: 1,
    flags: [
      {
        key: "checkout",
        enabled: given.enabled,
        rollout_percentage: given.rollout_percentage,
        variants: ["old", "new"].map((key) => ({ key, weight: 0.5, value: key })),
        rules: given.ruled
          ? [
              {
                id: "french",
                when: { attribute: "country", operator: "EQUALS", value: "FR" },
                serve: { variant: "new" },
              },
            ]
          : [],
        targeting_rules: given.flagTargeting,
        bucket_by: given.flagBucketBy,
      },
    ],
    segments: [{ id: "staff", name: "staff", user_ids: ["grace", "linus"] }],
    groups: [{ id: "g", slots: [{ experiment_key: "exp", slot_start: 0, slot_end: 0.5 }] }],
    holdout: given.holdout,
    experiments: [
      {
        id: "e",
        key: "exp",
        status: given.status,
        experiment_type: "FEATURE_FLAG",
        variants: [
          { key: "old", weight: 0.5, is_control: true },
          { key: "new", weight: 0.5 },
        ],
        targeting_rules: given.targeting,
        feature_flag_key: "checkout",
        mutual_exclusion_group_id: given.inGroup ? "g" : null,
        bucket_by: given.bucketBy,
      },
    ],
  })) as fc.Arbitrary<Definitions>;

/** As a page receives it. */
const served = (given: Definitions) => parseProgram(JSON.stringify(toProgram(given)));

test("a program assigns as its definitions do", () => {
  fc.assert(
    fc.property(definitions, users, country, (given, user, from) => {
      const [whole, small] = [createEngine(given), createProgramEngine(served(given))];
      expect(small.assign("exp", user, { country: from })).toEqual(whole.assign("exp", user, { country: from }));
    }),
    { numRuns: 2_000 },
  );
});

test("the engine of a page answers as the definitions do, before and after an update", () => {
  fc.assert(
    fc.property(definitions, definitions, users, country, (before, after, user, from) => {
      const [whole, small] = [createEngine(before), createPageEngine(served(before))];
      const context = { targetingKey: user, country: from };
      for (const next of [before, after]) {
        whole.update(next);
        small.update(served(next));
        for (const key of ["checkout", "missing"]) {
          expect(small.evaluate(key, context)).toEqual(whole.evaluate(key, context, null, { bucket: false }));
        }
        const { variant_key, assigned, forced } = whole.assign("exp", user, { country: from })!;
        expect(small.assign("exp", user, context)).toEqual(assigned ? { variant_key, assigned, forced } : null);
      }
      expect(small.assign("missing", user, context)).toBeNull();
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ["ACTIVE", ["exp"]],
  ["DRAFT", []],
])("a change of its flag changes an experiment that is %s: %j", (status, changed) => {
  const over = (flag: object, segment: object): Definitions => ({
    schema_version: 1,
    flags: [{ key: "checkout", enabled: true, rollout_percentage: 100, variants: [], rules: [], ...flag }],
    segments: [{ id: "staff", name: "staff", user_ids: ["grace"], ...segment }],
    groups: [],
    holdout: null,
    experiments: [
      {
        id: "e",
        key: "exp",
        status: status as "ACTIVE" | "DRAFT",
        experiment_type: "FEATURE_FLAG",
        variants: [{ key: "on", weight: 1 }],
        feature_flag_key: "checkout",
        overrides: [{ user_segment: "staff", value: "on" }],
      },
    ],
  });
  const before = over({}, {});
  for (const after of [over({ bucket_by: "country" }, {}), over({}, { user_ids: ["ada"] })]) {
    expect(createEngine(before).update(after).experiments).toEqual(changed);
    expect(diffRevisions(served(before).experiments, served(after).experiments)).toEqual(changed);
  }
});

test("lists the same flags and changes as the definitions", () => {
  fc.assert(
    fc.property(definitions, definitions, users, (before, after, user) => {
      const [whole, small] = [createEngine(before), createProgramEngine(served(before))];
      const [former, latter] = [served(before), served(after)];
      const expected = whole.update(after);
      small.update(latter);
      // A change that affects no answer does not change the program.
      const concerned = diffRevisions(former.flags, latter.flags);
      expect(expected.flags).toEqual(expect.arrayContaining(concerned));
      const changed = diffRevisions(former.experiments, latter.experiments);
      expect(expected.experiments).toEqual(expect.arrayContaining(changed));
      const context = { targetingKey: user };
      expect(small.evaluate("checkout", context, null)).toEqual(whole.evaluate("checkout", context, null));
    }),
  );
});
