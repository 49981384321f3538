import { toProgram } from "@assay/core";
import { OpenFeature } from "@openfeature/web-sdk";
import { expect, test } from "vitest";
import { bucketingVectors } from "../../core/vectors/bucketing.ts";
import { AssayWebProvider } from "./index.ts";

const { weightSets, rollouts } = bucketingVectors;
// A missing user is not a bucketing unit.
const cases = bucketingVectors.cases.filter(({ userId }) => userId !== "");
const OUTSIDE = -1;
const none = { schema_version: 1, segments: [], groups: [], holdout: null, experiments: [] };
const never = () => new Promise<Response>(() => {});

test.each(weightSets.map((weights, set) => [weights, set] as const))(
  "the web provider returns the variant of every bucketing vector, with the weights %j",
  async (weights, set) => {
    const variants = weights.map((weight, value) => ({ key: `v${value}`, weight, value }));
    const keys = [...new Set(cases.map(({ key }) => key))];
    for (const [at, rollout_percentage] of rollouts.entries()) {
      const flag = { enabled: true, value_type: "NUMBER" as const, rollout_percentage, variants, rules: [] };
      const bootstrap = toProgram({ ...none, flags: keys.map((key) => ({ ...flag, key })) });
      const provider = new AssayWebProvider({ apiKey: "key", bootstrap, fetch: never });
      await OpenFeature.setProviderAndWait("vectors", provider);
      const client = OpenFeature.getClient("vectors");
      for (const { name, key, userId, variants: expected } of cases) {
        await OpenFeature.setContext("vectors", { targetingKey: userId });
        expect(client.getNumberValue(key, OUTSIDE), name).toBe(expected[set]![at]);
      }
      await OpenFeature.clearProviders();
    }
  },
);
