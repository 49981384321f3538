import { init, integrations, type LDContext, type LDFlagsState } from "@launchdarkly/node-server-sdk";
import type { Answer, Contestant } from "../../src/evaluation/contestant.ts";
import { COUNTRIES, EXCLUDED_PLAN, type Flag, MIN_AGE, NONE, VARIANTS } from "../../src/evaluation/scenario.ts";

const rollout = (weights: readonly number[]) => ({
  contextKind: "user",
  variations: weights.map((weight, variation) => ({ variation, weight })),
});

function toFlag({ key, kind }: Flag) {
  const common = { key, on: true, version: 1, salt: key, targets: [], prerequisites: [] };
  if (kind === "half") {
    return {
      ...common,
      variations: [true, false],
      offVariation: 1,
      rules: [],
      fallthrough: { rollout: rollout([50_000, 50_000]) },
    };
  }
  const clause = (attribute: string, op: string, values: unknown[], negate = false) => ({
    contextKind: "user",
    attribute,
    op,
    values,
    negate,
  });
  const clauses = [
    clause("country", "in", COUNTRIES),
    clause("age", "greaterThan", [MIN_AGE]),
    clause("plan", "in", [EXCLUDED_PLAN], true),
  ];
  return {
    ...common,
    variations: [...VARIANTS, NONE],
    offVariation: VARIANTS.length,
    rules: [{ id: "targeted", clauses, rollout: rollout(VARIANTS.map(() => 25_000)) }],
    fallthrough: { variation: VARIANTS.length },
  };
}

export const launchDarkly: Contestant = {
  name: "LaunchDarkly",
  packageName: "@launchdarkly/node-server-sdk",
  async load(flags) {
    const data = new integrations.TestData();
    for (const flag of flags) data.usePreconfiguredFlag(toFlag(flag));
    const quiet = { error() {}, warn() {}, info() {}, debug() {} };
    const options = { updateProcessor: data.getFactory(), sendEvents: false, diagnosticOptOut: true, logger: quiet };
    const client = init("sdk-key-of-benchmarks", options);
    await client.waitForInitialization({ timeout: 10 });
    return {
      toContext: ({ id, country, age, plan }) => ({ kind: "user", key: id, country, age, plan }),
      one: ({ key, kind }) => {
        const otherwise = kind === "half" ? false : NONE;
        return (context: LDContext) => client.variation(key, context, otherwise);
      },
      all: (context: LDContext) => client.allFlagsState(context),
      readAll: (state: LDFlagsState, { key }) => state.getFlagValue(key) as Answer,
      close: () => client.close(),
    };
  },
};
