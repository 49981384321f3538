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
export function byAxis<T extends { isRate: boolean; name: string }>(rows: readonly T[]): T[][] {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const unit = row.isRate ? "" : row.name;
    groups.set(unit, [...(groups.get(unit) ?? []), row]);
  }
  return [...groups.values()];
}

/** Effects by the unit of their metric. */
export function byUnit(effects: readonly Effect[]): Effect[][] {
  return byAxis(effects.map((effect) => ({ ...effect, name: effect.metric })));
}

/** How a metric is shown: rates are in percent; a larger value may be worse. */
export function metricOf(experiment: Pick<Experiment, "metrics">, id: string): { isRate: boolean; isUp: boolean } {
  const metric = experiment.metrics.find((one) => one.id === id);
  return { isRate: metric?.kind === "CONVERSION", isUp: metric?.direction !== "DECREASE" };
}

/** What a difference says that is known not to be 0. */
export function toReading(difference: number | null, isUp: boolean): Reading {
  if (!difference) return "inconclusive";
  return difference > 0 === isUp ? "better" : "worse";
}

/** What an interval says by itself. */
export function readInterval(interval: readonly [number, number] | null, isUp: boolean): Reading {
  if (!interval || (interval[0] <= 0 && interval[1] >= 0)) return "inconclusive";
  return toReading(interval[0], isUp);
}
