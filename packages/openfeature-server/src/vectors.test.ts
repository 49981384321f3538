import { OpenFeature } from "@openfeature/server-sdk";
import { expect, test } from "vitest";
import { bucketingVectors } from "../../core/vectors/bucketing.ts";
import { KEY, startFlagServer } from "../../sdk/src/fake-server.fixture.ts";
import { AssayServerProvider } from "./index.ts";

const { weightSets, rollouts } = bucketingVectors;
// A missing user is not a bucketing unit.
const cases = bucketingVectors.cases.filter(({ userId }) => userId !== "");
const OUTSIDE = -1;

test.each(weightSets.map((weights, set) => [weights, set] as const))(
  "the server provider returns the variant of every bucketing vector, with the weights %j",
  async (weights, set) => {
    const variants = weights.map((weight, value) => ({ key: `v${value}`, weight, value }));
    const keys = [...new Set(cases.map(({ key }) => key))];
    for (const [at, rollout_percentage] of rollouts.entries()) {
      const flag = { value_type: "NUMBER", rollout_percentage, variants } as const;
      await using server = await startFlagServer(...keys.map((key) => ({ ...flag, key })));
      await OpenFeature.setProviderAndWait("vectors", new AssayServerProvider({ apiKey: KEY, baseUrl: server.url }));
      const client = OpenFeature.getClient("vectors");
      for (const { name, key, userId, variants: expected } of cases) {
        const value = await client.getNumberValue(key, OUTSIDE, { targetingKey: userId });
        expect(value, name).toBe(expected[set]![at]);
      }
      await OpenFeature.clearProviders();
    }
  },
);
