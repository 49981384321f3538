import { GrowthBookClient } from "@growthbook/growthbook";
import type { Contestant } from "../../src/evaluation/contestant.ts";
import { COUNTRIES, EXCLUDED_PLAN, type Flag, MIN_AGE, NONE, VARIANTS } from "../../src/evaluation/scenario.ts";

const rulesOf = ({ key, kind }: Flag) =>
  kind === "half"
    ? [{ force: true, coverage: 0.5, hashAttribute: "id" }]
    : [
        {
          key,
          condition: { country: { $in: COUNTRIES }, age: { $gt: MIN_AGE }, plan: { $ne: EXCLUDED_PLAN } },
          hashAttribute: "id",
          variations: VARIANTS,
          weights: VARIANTS.map(() => 1 / VARIANTS.length),
        },
      ];

export const growthBook: Contestant = {
  name: "GrowthBook",
  packageName: "@growthbook/growthbook",
  load(flags) {
    const features = Object.fromEntries(
      flags.map((flag) => [flag.key, { defaultValue: flag.kind === "half" ? false : NONE, rules: rulesOf(flag) }]),
    );
    const client = new GrowthBookClient().initSync({ payload: { features } });
    const values = flags.map(({ key, kind }) => [key, kind === "half" ? false : NONE] as const);
    type Context = { attributes: Record<string, unknown> };
    return {
      toContext: (user) => ({ attributes: user }),
      one: ({ key, kind }) => {
        if (kind === "half") return (context: Context) => client.isOn(key, context);
        return (context: Context) => client.getFeatureValue(key, NONE, context);
      },
      // There is no call for all flags of a user.
      all(context: Context) {
        const results: Record<string, unknown> = {};
        for (const [key, otherwise] of values) results[key] = client.getFeatureValue(key, otherwise, context);
        return results;
      },
      readAll: (results: Record<string, boolean | string>, { key }) => results[key]!,
      close: () => client.destroy(),
    };
  },
};
