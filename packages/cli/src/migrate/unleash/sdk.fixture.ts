import { type Context, Unleash } from "unleash-client";

/** Starts Unleash's own SDK with the answer of `/api/client/features`, without a server. */
export async function startUnleash({ features, segments = [] }: { features: object[]; segments?: object[] }) {
  const unleash = new Unleash({
    appName: "migration",
    url: "http://127.0.0.1:9/api/",
    refreshInterval: 0,
    disableMetrics: true,
    skipInstanceCountWarning: true,
    bootstrap: { data: features as never, segments: segments as never },
    storageProvider: { get: async () => undefined as never, set: async () => {} },
  });
  unleash.on("error", () => {});
  unleash.on("warn", () => {});
  if (unleash.getFeatureToggleDefinitions().length === 0) {
    await new Promise<void>((resolve) => unleash.once("ready", () => resolve()));
  }
  return {
    isEnabled: (name: string, context: Context) => unleash.isEnabled(name, context),
    /** The name of the variant; null if there is none. */
    variant(name: string, context: Context) {
      const found = unleash.getVariant(name, context);
      return found.enabled ? found.name : null;
    },
    stop: () => unleash.destroy(),
  };
}

/** A feature of the answer of `/api/client/features`: https://docs.getunleash.io/api/get-all-client-features */
export function feature(name: string, strategies: object[], more: object = {}) {
  const common = { type: "release", project: "default", stale: false, impressionData: false };
  return {
    name,
    enabled: true,
    ...common,
    strategies: strategies.map((one) => ({ parameters: {}, constraints: [], ...one })),
    variants: [],
    ...more,
  };
}

/** A constraint: https://docs.getunleash.io/concepts/activation-strategies#constraints */
export function constraint(contextName: string, operator: string, values: string | string[], more: object = {}) {
  const given = Array.isArray(values) ? { values } : { values: [], value: values };
  return { contextName, operator, inverted: false, caseInsensitive: false, ...given, ...more };
}

/** A strategy that activates everyone who meets the constraints. */
export function everyone(...constraints: object[]) {
  return {
    name: "flexibleRollout",
    parameters: { rollout: "100", stickiness: "default", groupId: "all" },
    constraints,
  };
}

/** A gradual rollout. */
export function rollout(
  percentage: number,
  more: { stickiness?: string; groupId?: string; constraints?: object[]; variants?: object[] } = {},
) {
  const { stickiness = "userId", groupId = "group", ...rest } = more;
  return { name: "flexibleRollout", parameters: { rollout: String(percentage), stickiness, groupId }, ...rest };
}

/** A variant of a feature or a strategy: https://docs.getunleash.io/concepts/feature-flag-variants */
export function variant(name: string, weight: number, more: object = {}) {
  return { name, weight, weightType: "variable", stickiness: "userId", overrides: [], ...more };
}
