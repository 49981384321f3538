import { describe, expect, it } from "vitest";
import { bucket } from "../bucketing/bucket.ts";
import { compileExperiment, compileFlag, compileSegment, type Environment } from "../engine/compilation.ts";
import type { ExperimentDefinition } from "../format/definition.ts";
import { assign } from "./assign.ts";

const experiment: ExperimentDefinition = {
  id: "1",
  key: "exp",
  status: "ACTIVE",
  experiment_type: "AB_TEST",
  variants: [
    { key: "control", weight: 50 },
    { key: "treatment", weight: 50 },
  ],
};
const ask = (definition: ExperimentDefinition, userId = "ada", attributes = {}, environment: Environment = {}) =>
  assign(compileExperiment(definition, environment), userId, attributes);
const users = Array.from({ length: 1_000 }, (_, index) => `user-${index}`);

describe("assignment", () => {
  it("draws the arm from the hash over the experiment's key", () => {
    for (const userId of users) {
      const hash = bucket(userId, "exp");
      const variant_key = hash < 0.5 ? "control" : "treatment";
      expect(ask(experiment, userId)).toEqual({
        variant_key,
        assigned: true,
        reason: "ASSIGNED",
        bucket: hash,
        forced: false,
      });
    }
  });

  it.each(["DRAFT", "PAUSED", "COMPLETED", "ARCHIVED"] as const)(
    "gives the control and assigns no user in %s",
    (status) => {
      expect(ask({ ...experiment, status })).toEqual({
        variant_key: "control",
        assigned: false,
        reason: "NOT_RUNNING",
        bucket: null,
        forced: false,
      });
    },
  );

  it("uses the variant that is marked as control", () => {
    const variants = experiment.variants.map((variant) => ({ ...variant, is_control: variant.key === "treatment" }));
    expect(ask({ ...experiment, variants, status: "DRAFT" }).variant_key).toBe("treatment");
  });

  it("checks holdout, group, targeting and overrides in that order", () => {
    const environment: Environment = {
      holdout: { id: "h", percentage: 10 },
      group: (id) => ({
        id,
        slots: [
          { experiment_key: "exp", slot_start: 0.2, slot_end: 0.7 },
          { experiment_key: "other", slot_start: 0.7, slot_end: 1 },
        ],
      }),
    };
    const definition: ExperimentDefinition = {
      ...experiment,
      mutual_exclusion_group_id: "g",
      targeting_rules: { countries: ["DE"], excluded_users: users.slice(0, 100) },
      overrides: users.slice(50, 200).map((user_id) => ({ user_id, value: "treatment" })),
    };
    users.forEach((userId, index) => {
      const [held, slot] = [bucket(userId, "holdout:h"), bucket(userId, "group:g")];
      const expected =
        held < 0.1
          ? { reason: "HOLDOUT", assigned: false, variant_key: "control", bucket: held }
          : slot < 0.2 || slot >= 0.7
            ? { reason: "EXCLUDED", assigned: false, variant_key: "control", bucket: slot }
            : index < 100
              ? { reason: "TARGETING", assigned: false, variant_key: "control", bucket: null }
              : index < 200
                ? { reason: "OVERRIDE", assigned: true, variant_key: "treatment", forced: true, bucket: null }
                : { reason: "ASSIGNED", assigned: true, bucket: bucket(userId, "exp") };
      expect(ask(definition, userId, { country: "de" }, environment)).toMatchObject(expected);
    });
    const admitted = users.find(
      (userId) => ask(definition, userId, { country: "DE" }, environment).reason === "ASSIGNED",
    )!;
    expect(ask(definition, admitted, { country: "FR" }, environment).reason).toBe("TARGETING");
  });

  it("excludes all users from an experiment without a slot in its group", () => {
    const environment: Environment = { group: (id) => ({ id, slots: [] }) };
    expect(ask({ ...experiment, mutual_exclusion_group_id: "g" }, "ada", {}, environment).reason).toBe("EXCLUDED");
    expect(ask({ ...experiment, mutual_exclusion_group_id: "gone" }).reason).toBe("ASSIGNED");
  });

  it("overrides by user and by segment, with a key or a boolean", () => {
    const vip = compileSegment({ id: "s", name: "vip", user_ids: ["bob"] });
    const environment: Environment = { segment: (name) => (name === "vip" ? vip : undefined) };
    const overrides = [
      { user_id: "ada", value: "control" },
      { user_segment: "vip", value: true },
      { user_id: "bob", value: false },
      { user_id: "eve", value: "unknown" },
    ];
    const definition = { ...experiment, overrides };
    expect(ask(definition, "ada", {}, environment)).toMatchObject({ variant_key: "control", forced: true });
    expect(ask(definition, "bob", {}, environment)).toMatchObject({ variant_key: "treatment", forced: true });
    expect(ask(definition, "eve", {}, environment)).toMatchObject({ reason: "ASSIGNED", forced: false });
  });

  it("gives arms by name to included users and by rule", () => {
    const when = { attribute: "plan", operator: "EQUALS", value: "pro" } as const;
    const definition: ExperimentDefinition = {
      ...experiment,
      targeting_rules: { included_users: ["ada"], rollout_percentage: 0 },
      rules: [{ id: "r", when, serve: { variant: "treatment" } }],
    };
    expect(ask(definition)).toMatchObject({ assigned: true, reason: "OVERRIDE", forced: true });
    expect(ask(definition, "bob", { plan: "pro" })).toMatchObject({ variant_key: "treatment", reason: "OVERRIDE" });
    expect(ask(definition, "bob")).toMatchObject({ assigned: false, reason: "TARGETING" });
  });

  it("hashes the attribute in bucket_by, and assigns no user without it", () => {
    const definition = { ...experiment, bucket_by: "company" };
    expect(ask(definition, "ada", { company: "acme" }).bucket).toBe(bucket("acme", "exp"));
    expect(ask(definition)).toMatchObject({ assigned: false, reason: "TARGETING" });
  });

  it("uses the arm of the flag that it runs on", () => {
    const flag = compileFlag({
      key: "flag",
      enabled: true,
      rollout_percentage: 50,
      variants: [],
      rules: [],
      targeting_rules: { countries: ["DE"] },
    });
    const environment: Environment = { flag: (key) => (key === "flag" ? flag : undefined) };
    const definition: ExperimentDefinition = { ...experiment, variants: [], feature_flag_key: "flag" };
    for (const userId of users.slice(0, 100)) {
      const hash = bucket(userId, "flag");
      expect(ask(definition, userId, { country: "DE" }, environment)).toEqual({
        variant_key: hash < 0.5 ? "on" : "off",
        assigned: true,
        reason: "ASSIGNED",
        bucket: hash,
        forced: false,
      });
    }
    expect(ask(definition, "ada", {}, environment)).toMatchObject({
      variant_key: "off",
      assigned: false,
      reason: "TARGETING",
    });
    expect(ask({ ...definition, feature_flag_key: "gone" }).assigned).toBe(false);
  });

  it("assigns no user if the definition is invalid", () => {
    const definition: ExperimentDefinition = { ...experiment, variants: [{ key: "a", weight: 3 }] };
    expect(ask(definition)).toMatchObject({ assigned: false, reason: "ERROR" });
  });

  it("ignores attributes that would replace the user", () => {
    expect(ask(experiment, "ada", { targetingKey: "eve" }).bucket).toBe(bucket("ada", "exp"));
  });
});
