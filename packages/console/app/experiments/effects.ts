import type { Experiment, Overview, Results } from "@assay/client";

export type Reading = "better" | "worse" | "inconclusive";

/** The effect of one treatment on one metric, by the test that decides. */
export interface Effect {
  id: string;
  metricId: string;
  metric: string;
  role: "PRIMARY" | "SECONDARY" | "GUARDRAIL";
  variant: string;
  isRate: boolean;
  /** Whether a larger value is better. */
  isUp: boolean;
  control: number;
  treatment: number;
  difference: number | null;
  interval: [number, number] | null;
  /** Of one look, for the posterior. */
  standardError: number | null;
  reading: Reading;
}

/** Joins the overview with the kinds of the metrics and their standard errors. */
export function toEffects(experiment: Experiment, overview: Overview, results: Results): Effect[] {
  const kinds = new Map(experiment.metrics.map(({ id, kind }) => [id, kind]));
  return overview.metrics.map((row) => {
    const same = results.metrics.find(
      ({ metric_id, variant }) => metric_id === row.metric_id && variant === row.variant,
    );
    return {
      id: `${row.metric_id} ${row.variant}`,
      metricId: row.metric_id,
      metric: row.name,
      role: row.role,
      variant: row.variant,
      isRate: kinds.get(row.metric_id) === "CONVERSION",
      isUp: row.direction === "INCREASE",
      control: row.control_value,
      treatment: row.treatment_value,
      difference: row.difference,
      interval: row.interval as [number, number] | null,
      standardError: same?.standard_error ?? null,
      reading: row.reading,
    };
  });
}

/** Groups effects that share an axis: all rates, and each other metric alone, because its unit is its own. */
export function byUnit(effects: readonly Effect[]): Effect[][] {
  const groups = new Map<string, Effect[]>();
  for (const effect of effects) {
    const unit = effect.isRate ? "" : effect.metric;
    groups.set(unit, [...(groups.get(unit) ?? []), effect]);
  }
  return [...groups.values()];
}
