import { estimateOf, type MetricStatistics } from "@assay/analysis";
import type { MainEffect } from "@assay/contract";
import {
  type ArmEstimate,
  type MainEffect as Effect,
  type FactorialCell,
  isSignificant,
  mainEffects,
} from "@assay/core/stats";
import { mapSteps, type Steps } from "../../ground/slices.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { armsOf } from "../../model/experiment-subject.ts";
import { type Adjusting, adjusting } from "./adjusting.ts";

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
    return effectsOf(statistics, arms, record.alpha).map(
      ({ factor, level, comparison, status }): MainEffect => ({
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
        ...(status && { adjustment_status: status }),
      }),
    );
  });
  return effects.flat();
}

/** An effect, and how it was adjusted; without a status if the experiment does not adjust. */
type Adjusted = Effect & { status?: Adjusting["status"] };

function effectsOf(statistics: MetricStatistics, arms: readonly Levels[], alpha: number): Adjusted[] {
  const cells = arms.map(({ numbers }, arm) => ({ levels: numbers, moments: momentsOf(estimateOf(statistics, arm)) }));
  const referenceDistribution = statistics.form === "MEAN" || statistics.form === "RATIO" ? "t" : "normal";
  const effects = mainEffects(cells, { alpha, referenceDistribution });
  return statistics.baseline ? effects.map((effect) => adjust(effect, statistics, arms, alpha)) : effects;
}

/**
 * Adjusts the two cells of each pair to their common mean covariates. The pairs of a level have different users, so they
 * stay independent. If a pair cannot be adjusted, none is.
 */
function adjust(effect: Effect, statistics: MetricStatistics, arms: readonly Levels[], alpha: number): Adjusted {
  const { factor, level } = effect;
  const pairs = arms.flatMap(({ numbers }, arm) => {
    const isPartner = (other: Levels) => other.numbers.every((one, i) => one === (i === factor ? 0 : numbers[i]));
    const partner = arms.findIndex(isPartner);
    return numbers[factor] === level && partner >= 0 ? [[partner, arm] as const] : [];
  });
  const all = pairs.map(([partner, arm]) => adjusting(statistics, arm, [partner])!);
  const failed = all.find((one) => one.arms === null);
  if (failed) return { ...effect, status: failed.status };
  const cells = pairs.flatMap((pair, index): FactorialCell[] => {
    const { control, treatment } = all[index]!.arms!;
    return pair.map((arm, side) => ({
      levels: arms[arm]!.numbers,
      moments: momentsOf(side === 0 ? control : treatment),
    }));
  });
  const adjusted = mainEffects(cells, { alpha }).find((one) => one.factor === factor && one.level === level);
  return { ...effect, ...adjusted, status: all.find(({ status }) => status !== "OK")?.status ?? "OK" };
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
function momentsOf({ n, value, variance }: ArmEstimate): FactorialCell["moments"] {
  // Without a variance there is nothing to compare, like in an arm without users.
  return variance === null ? { n: 0, mean: 0, m2: 0 } : { n, mean: value, m2: variance * (n - 1) };
}
