import { PostHog } from "posthog-node";
import type { Answer, Contestant } from "../../src/evaluation/contestant.ts";
import {
  COUNTRIES,
  EXCLUDED_PLAN,
  type Flag,
  MIN_AGE,
  NONE,
  type User,
  VARIANTS,
} from "../../src/evaluation/scenario.ts";

function toFlag({ key, kind }: Flag, index: number): object {
  const property = (name: string, operator: string, value: unknown) => ({ key: name, operator, value, type: "person" });
  const filters =
    kind === "half"
      ? { groups: [{ properties: [], rollout_percentage: 50 }], multivariate: null, payloads: {} }
      : {
          groups: [
            {
              properties: [
                property("country", "exact", COUNTRIES),
                property("age", "gt", MIN_AGE),
                property("plan", "is_not", [EXCLUDED_PLAN]),
              ],
              rollout_percentage: 100,
            },
          ],
          multivariate: { variants: VARIANTS.map((variant) => ({ key: variant, rollout_percentage: 25 })) },
          payloads: {},
        };
  return { id: index + 1, key, name: key, active: true, deleted: false, is_simple_flag: false, filters };
}

export const postHog: Contestant = {
  name: "PostHog",
  packageName: "posthog-node",
  async load(flags) {
    const body = { flags: flags.map(toFlag), group_type_mapping: {}, cohorts: {} };
    const client = new PostHog("phc_benchmarks", {
      host: "http://127.0.0.1:9",
      personalApiKey: "phx_benchmarks",
      disableGeoip: true,
      fetch: async (url) => new Response(JSON.stringify(url.includes("/flags/definitions") ? body : { status: 1 })),
    });
    if (!(await client.waitForLocalEvaluationReady(10_000))) throw new Error("PostHog has no definitions");
    const optionsOf = ({ country, age, plan }: User) => ({
      personProperties: { country, age, plan } as unknown as Record<string, string>,
      onlyEvaluateLocally: true,
      sendFeatureFlagEvents: false,
    });
    type Context = { id: string; options: ReturnType<typeof optionsOf> };
    return {
      toContext: (user) => ({ id: user.id, options: optionsOf(user) }),
      one:
        ({ key }) =>
        ({ id, options }: Context) =>
          client.getFeatureFlag(key, id, options),
      all: ({ id, options }: Context) => client.getAllFlags(id, options),
      // A flag whose conditions a user does not meet is false.
      read: (value: Answer, { kind }) => (kind === "ruled" && value === false ? NONE : value),
      readAll: (results: Record<string, Answer>, { key }) => results[key]!,
      close: () => client.shutdown(),
    };
  },
};
