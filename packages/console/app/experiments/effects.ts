import type { Experiment, Results, SequentialResults } from "@assay/client";

export type Reading = "better" | "worse" | "inconclusive";

/** The effect of one treatment on one metric, by the method that decides. */
export interface Effect {
  id: string;
  metric: string;
  role: "PRIMARY" | "SECONDARY" | "GUARDRAIL";
  variant: string;
  isRate: boolean;
  /** Whether a larger value is better. */
  isUp: boolean;
  control: number;
  treatment: number;
  users: number;
  difference: number | null;
  standardError: number | null;
  interval: [number, number] | null;
  reading: Reading;
  looks: SequentialResults["metrics"][number]["looks"];
}

/** An interval without 0 says better or worse, by the direction in which the metric should go. */
function read(interval: [number, number] | null, isUp: boolean): Reading {
  if (!interval) return "inconclusive";
  const [low, high] = isUp ? interval : [-interval[1], -interval[0]];
  if (low > 0) return "better";
  return high < 0 ? "worse" : "inconclusive";
}

/** Joins the sequential results with the values of the arms. */
export function toEffects(experiment: Experiment, results: Results, sequential: SequentialResults): Effect[] {
  const directions = new Map(experiment.metrics.map(({ id, direction }) => [id, direction]));
  return results.metrics.map((row) => {
    const same = sequential.metrics.find(
      ({ metric_id, variant }) => metric_id === row.metric_id && variant === row.variant,
    );
    const isUp = directions.get(row.metric_id) !== "DECREASE";
    const interval = (same?.confidence_interval ?? null) as [number, number] | null;
    return {
      id: `${row.metric_id} ${row.variant}`,
      metric: row.name,
      role: row.role,
      variant: row.variant,
      isRate: row.kind === "CONVERSION",
      isUp,
      control: row.control_value,
      treatment: row.treatment_value,
      users: row.n.control + row.n.treatment,
      difference: same?.difference ?? null,
      standardError: same?.standard_error ?? null,
      interval,
      reading: read(interval, isUp),
      looks: same?.looks ?? [],
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

/** The state of the split check: `watch` is unusual for a single look. */
export function toSplit({ warning, p_value }: Results["srm"]): "even" | "watch" | "uneven" {
  if (warning) return "uneven";
  return p_value !== null && p_value < 0.05 ? "watch" : "even";
}
