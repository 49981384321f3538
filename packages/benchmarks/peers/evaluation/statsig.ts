import { Statsig, StatsigUser } from "@statsig/statsig-node-core";
import type { Contestant } from "../../src/evaluation/contestant.ts";
import { COUNTRIES, EXCLUDED_PLAN, type Flag, MIN_AGE, NONE, VARIANTS } from "../../src/evaluation/scenario.ts";

const condition = (type: string, operator: string | null, targetValue: unknown, more: object = {}) => ({
  type,
  operator,
  targetValue,
  field: null,
  additionalValues: {},
  isDeviceBased: false,
  idType: "userID",
  ...more,
});

function toSpec({ key, kind }: Flag) {
  const spec = { name: key, salt: key, enabled: true, isDeviceBased: false, idType: "userID", entity: "feature_gate" };
  const rule = (id: string, conditions: string[], passPercentage: number, returnValue: unknown) => ({
    name: id,
    id,
    groupName: id,
    salt: id,
    idType: "userID",
    conditions,
    passPercentage,
    returnValue,
  });
  if (kind === "half") {
    return { ...spec, type: "feature_gate", defaultValue: false, rules: [rule("half", ["public"], 50, true)] };
  }
  const targeting = ["country", "age", "plan"];
  const rules = VARIANTS.map((variant, index) => rule(variant, [...targeting, `bucket-${index}`], 100, { variant }));
  return { ...spec, type: "dynamic_config", entity: "dynamic_config", defaultValue: { variant: NONE }, rules };
}

const CONDITIONS = {
  public: condition("public", null, null),
  country: condition("user_field", "any", COUNTRIES, { field: "country" }),
  age: condition("user_field", "gt", MIN_AGE, { field: "age" }),
  plan: condition("user_field", "none", [EXCLUDED_PLAN], { field: "plan" }),
  ...Object.fromEntries(
    VARIANTS.map((_, index) => [
      `bucket-${index}`,
      condition("user_bucket", "lt", (1_000 * (index + 1)) / VARIANTS.length, { additionalValues: { salt: "ruled" } }),
    ]),
  ),
};

export const statsig: Contestant = {
  name: "Statsig",
  packageName: "@statsig/statsig-node-core",
  async load(flags) {
    const specs = (kind: Flag["kind"]) =>
      Object.fromEntries(flags.filter((flag) => flag.kind === kind).map((flag) => [flag.key, toSpec(flag)]));
    const result = JSON.stringify({
      feature_gates: specs("half"),
      dynamic_configs: specs("ruled"),
      layer_configs: {},
      experiment_to_layer: {},
      condition_map: CONDITIONS,
      has_updates: true,
      time: Date.now(),
    });
    const client = new Statsig("secret-of-benchmarks", {
      disableNetwork: true,
      disableAllLogging: true,
      outputLogLevel: "none",
      dataStore: {
        initialize: async () => {},
        shutdown: async () => {},
        get: async () => ({ result, time: Date.now() }),
        set: async () => {},
        supportPollingUpdatesFor: async () => false,
      },
    });
    const { isSuccess, error } = await client.initialize();
    if (!isSuccess) throw new Error(`Statsig has no specs: ${error}`);
    const keys = flags.map(({ key }) => key);
    const quiet = { disableExposureLogging: true };
    return {
      toContext: ({ id, country, age, plan }) => new StatsigUser({ userID: id, country, custom: { age, plan } }),
      one: ({ key, kind }) => {
        if (kind === "half") return (user: StatsigUser) => client.checkGate(user, key, quiet);
        return (user: StatsigUser) => client.getDynamicConfig(user, key, quiet).getValue("variant", NONE);
      },
      // The call for all flags answers a browser, with hashed names, so gates are asked one by one.
      all(user: StatsigUser) {
        const results: Record<string, unknown> = {};
        for (const key of keys) results[key] = client.checkGate(user, key, quiet);
        return results;
      },
      readAll: (results: Record<string, boolean>, { key }) => results[key]!,
      close: () => client.shutdown(),
    };
  },
};
