import { type Context, Unleash } from "unleash-client";
import type { Contestant } from "../../src/evaluation/contestant.ts";
import { COUNTRIES, EXCLUDED_PLAN, type Flag, MIN_AGE, NONE, VARIANTS } from "../../src/evaluation/scenario.ts";

/** Operators of constraints are an enumeration in the types, and these words in the documented format. */
const constraint = (contextName: string, operator: string, values: string[], value?: string, inverted = false) => ({
  contextName,
  operator: operator as never,
  values,
  inverted,
  ...(value !== undefined && { value }),
});

function toFeature({ key, kind }: Flag) {
  const rollout = { rollout: kind === "half" ? "50" : "100", stickiness: "userId", groupId: key };
  const constraints =
    kind === "half"
      ? []
      : [
          constraint("country", "IN", COUNTRIES),
          constraint("age", "NUM_GT", [], String(MIN_AGE)),
          constraint("plan", "NOT_IN", [EXCLUDED_PLAN]),
        ];
  const variants = VARIANTS.map((name) => ({
    name,
    weight: 250,
    weightType: "variable",
    stickiness: "userId",
    payload: { type: "string", value: name },
    overrides: [],
  }));
  return {
    name: key,
    type: "release",
    enabled: true,
    project: "default",
    stale: false,
    impressionData: false,
    strategies: [{ name: "flexibleRollout", parameters: rollout, constraints, ...(kind === "ruled" && { variants }) }],
    variants: [],
  };
}

export const unleashClient: Contestant = {
  name: "unleash-client",
  packageName: "unleash-client",
  async load(flags) {
    const unleash = new Unleash({
      appName: "bench",
      url: "http://127.0.0.1:9/api/",
      refreshInterval: 0,
      disableMetrics: true,
      skipInstanceCountWarning: true,
      bootstrap: { data: flags.map(toFeature) as never },
      storageProvider: { get: async () => undefined as never, set: async () => {} },
    });
    unleash.on("error", () => {});
    unleash.on("warn", () => {});
    const isReady = () => unleash.getFeatureToggleDefinitions().length === flags.length;
    await new Promise<void>((resolve) => {
      if (isReady()) resolve();
      else unleash.once("ready", () => resolve());
    });
    const keys = flags.map(({ key }) => key);
    return {
      toContext: ({ id, country, age, plan }) => ({ userId: id, properties: { country, age, plan } }),
      one: ({ key, kind }) => {
        if (kind === "half") return (context: Context) => unleash.isEnabled(key, context);
        return (context: Context) => unleash.getVariant(key, context);
      },
      // There is no call for all flags of a user.
      all(context: Context) {
        const results: Record<string, unknown> = {};
        for (const key of keys) results[key] = unleash.isEnabled(key, context);
        return results;
      },
      read: (result: boolean | { name: string; enabled: boolean }) =>
        typeof result === "boolean" ? result : result.enabled ? result.name : NONE,
      readAll: (results: Record<string, boolean>, { key }) => results[key]!,
      close: () => unleash.destroy(),
    };
  },
};
