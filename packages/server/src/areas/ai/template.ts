import type { ExperimentTemplate } from "@assay/contract";

type Body = ExperimentTemplate["experiment"];
type Metric = Body["metrics"][number];
type Variant = NonNullable<Body["variants"]>[number];

/** A template, and the words of a description that match it. */
export interface DesignTemplate extends ExperimentTemplate {
  keywords: readonly string[];
}

/** Share of users with the event. */
export const conversion = (name: string, event_type: string, role: Metric["role"] = "PRIMARY"): Metric => ({
  id: event_type,
  name,
  event_type,
  kind: "CONVERSION",
  direction: "INCREASE",
  role,
});
/** Mean value of the event per user. */
export const mean = (name: string, event_type: string, role: Metric["role"] = "SECONDARY"): Metric => ({
  ...conversion(name, event_type, role),
  id: `${event_type}_value`,
  kind: "MEAN",
});
/** Mean number of events per user. */
export const count = (name: string, event_type: string, role: Metric["role"] = "SECONDARY"): Metric => ({
  ...conversion(name, event_type, role),
  id: `${event_type}_count`,
  kind: "COUNT",
});
/** Returns the metric with a decrease as the improvement. */
export const falling = (metric: Metric): Metric => ({ ...metric, direction: "DECREASE" });

/** Arms with equal weights; the first is control. */
export function toVariants(names: readonly string[]): Variant[] {
  const weight = Math.round(1e6 / names.length) / 1e6;
  return names.map((name, index) => ({
    key: index === 0 ? "control" : names.length === 2 ? "treatment" : `treatment_${index}`,
    name,
    weight,
    is_control: index === 0,
  }));
}

/** Creates a template with two arms, unless `body` sets others. */
export function defineTemplate(
  id: string,
  category: string,
  title: string,
  about: { summary: string; keywords: string; hypothesis: string; baseline: number; mde: number; metrics: Metric[] },
  body: Partial<Body> = {},
): DesignTemplate {
  return {
    id,
    category,
    title,
    summary: about.summary,
    keywords: about.keywords.split(" "),
    baseline_rate: about.baseline,
    mde: about.mde,
    experiment: {
      name: title,
      description: about.summary,
      hypothesis: about.hypothesis,
      experiment_type: "AB_TEST",
      variants: toVariants(["Control", "Treatment"]),
      metrics: about.metrics,
      ...body,
    },
  };
}
