import { estimateOf, type MetricStatistics } from "@assay/analysis";
import type { MainEffect } from "@assay/contract";
import { type FactorialCell, isSignificant, mainEffects } from "@assay/core/stats";
import { mapSteps, type Steps } from "../../ground/slices.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { armsOf } from "../../model/experiment-subject.ts";

/**
 * Computes the effect of each level of each factor, compared with the level of the control and averaged over the other
 * factors. Empty if the experiment has no factors, or if its variants do not give their levels (in `configuration`, by
 * factor name).
 */
export function* toMainEffects(record: ExperimentRecord, metrics: readonly MetricStatistics[]): Steps<MainEffect[]> {
  const arms = levelsOfArms(record);
  const factors = record.factors ?? [];
  if (arms.length === 0) return [];
  const effects = yield* mapSteps(metrics, (statistics) => {
    const cells = arms.map((levels, arm) => ({ levels: levels.numbers, moments: momentsOf(statistics, arm) }));
    const referenceDistribution = statistics.form === "MEAN" || statistics.form === "RATIO" ? "t" : "normal";
    return mainEffects(cells, { alpha: record.alpha, referenceDistribution }).map(
      ({ factor, level, comparison }): MainEffect => ({
        metric_id: statistics.metric.id,
        metric: statistics.metric.name,
        factor: factors[factor]!.name,
        level: arms[0]!.names[factor]![level]!,
        baseline: arms[0]!.names[factor]![0]!,
        difference: comparison.difference,
        standard_error: comparison.standardError,
        p_value: comparison.pValue,
        confidence_interval: comparison.confidenceInterval,
        is_significant: isSignificant(comparison.pValue, record.alpha),
        status: comparison.status,
      }),
    );
  });
  return effects.flat();
}

interface Levels {
  /** Per factor: its levels, the control's first. */
  names: string[][];
  /** Per factor: the index of the arm's level. */
  numbers: number[];
}

function levelsOfArms(record: ExperimentRecord): Levels[] {
  const { factors = [], experiment_type } = record;
  const [control, ...treatments] = armsOf(record);
  if (experiment_type !== "MULTIVARIATE" || factors.length === 0 || !control) return [];
  const own = (variant: typeof control) => factors.map(({ name }) => levelOf(variant.configuration, name));
  const names = factors.map(({ levels }, factor) => {
    const first = own(control)[factor];
    return [...levels].sort((a, b) => Number(b === first) - Number(a === first));
  });
  const arms = [control, ...treatments].map((variant) => ({
    names,
    numbers: own(variant).map((level, factor) => names[factor]!.indexOf(level ?? "")),
  }));
  return arms.some(({ numbers }) => numbers.includes(-1)) ? [] : arms;
}

function levelOf(configuration: unknown, factor: string): string | null {
  if (typeof configuration !== "object" || configuration === null || !Object.hasOwn(configuration, factor)) return null;
  const level = (configuration as Record<string, unknown>)[factor];
  return typeof level === "string" ? level : null;
}

/** Converts an estimate to the moments that yield it, so that one routine serves every kind of metric. */
function momentsOf(statistics: MetricStatistics, arm: number): FactorialCell["moments"] {
  const { n, value, variance } = estimateOf(statistics, arm);
  // Without a variance there is nothing to compare, like in an arm without users.
  return variance === null ? { n: 0, mean: 0, m2: 0 } : { n, mean: value, m2: variance * (n - 1) };
}
