import type { MetricResult, Results, WinnersCurse } from "@assay/contract";
import { normalQuantile } from "@assay/core/stats";
import {
  type EffectEstimate,
  effectLaw,
  exaggeration,
  MIN_EXPERIMENTS,
  selectedEstimate,
} from "@assay/core/stats/shrinkage";
import { mapInSlices } from "../../ground/slices.ts";
import type { Caller } from "../../model/caller.ts";
import { decidingRows } from "../../model/deciding-metrics.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { isOver } from "../../model/experiment-outcome.ts";
import { liftOf, type PastLift, type PastLifts } from "../../model/lift.ts";

/** Corrects the lifts of winners, which are too large on average because good-looking treatments were chosen. */
export interface WinnersCurseService {
  /** Adds the correction to the rows of a completed experiment, if a row that decides is significantly better. */
  mark(record: ExperimentRecord, results: Results, caller: Caller): Promise<Results>;
  /** Returns the rows of a treatment that decide and have a correction, each with its correction. */
  of(record: ExperimentRecord, results: Results, variant: string, caller: Caller): Promise<Marked[]>;
}

/** A row with its correction. */
export interface Marked {
  row: MetricResult;
  curse: WinnersCurse;
}

export function createWinnersCurse(pastLifts: PastLifts): WinnersCurseService {
  // Unchanged results stay the same object, because their text is cached.
  const shown = new WeakMap<Results, { past: readonly PastLift[]; answer: Promise<Results> }>();

  async function correctAll(
    record: ExperimentRecord,
    results: Results,
    rows: readonly MetricResult[],
    past: readonly PastLift[],
  ): Promise<Marked[]> {
    const winners = rows.flatMap((row) => {
      const falls = record.metrics.find(({ id }) => id === row.metric_id)?.direction === "DECREASE";
      const lift = liftOf(row, falls ? "DECREASE" : "INCREASE", results.confidence_level);
      return lift && lift.estimate > 0 ? [{ row, lift, sign: falls ? (-1 as const) : (1 as const) }] : [];
    });
    if (winners.length === 0) return [];
    const others = past.filter(({ experiment }) => experiment.id !== record.id);
    const corrected = await mapInSlices(winners, ({ row, lift, sign }) => {
      const alike = others.filter(({ metric }) => metric.kind === row.kind);
      return { row, curse: correct(lift, nearError(row, lift, results.confidence_level), sign, alike, results) };
    });
    return corrected.flatMap(({ row, curse }) => (curse ? [{ row, curse }] : []));
  }

  return {
    async mark(record, results, caller) {
      if (!isOver(record)) return results;
      const { isPrimary } = decidingRows(results.metrics);
      const rows = results.metrics.filter((row) => row.is_significant && isPrimary(row));
      if (rows.length === 0) return results;
      const past = await pastLifts(caller);
      const known = shown.get(results);
      if (known?.past === past) return known.answer;
      const answer = correctAll(record, results, rows, past).then((marked) => withCurses(results, marked));
      shown.set(results, { past, answer });
      return answer;
    },
    async of(record, results, variant, caller) {
      const { isPrimary } = decidingRows(results.metrics);
      const rows = results.metrics.filter((row) => row.variant === variant && isPrimary(row));
      return correctAll(record, results, rows, await pastLifts(caller));
    },
  };
}

function withCurses(results: Results, marked: readonly Marked[]): Results {
  if (marked.length === 0) return results;
  const curses = new Map(marked.map(({ row, curse }) => [row, curse]));
  const metrics = results.metrics.map((row) => {
    const curse = curses.get(row);
    return curse ? { ...row, winners_curse: curse } : row;
  });
  return { ...results, metrics };
}

/** Returns the correction of a lift, or null if there are too few past experiments and the row is not significant. */
function correct(
  lift: EffectEstimate,
  nearError: number,
  sign: 1 | -1,
  past: readonly PastLift[],
  { confidence_level: confidenceLevel }: Pick<Results, "confidence_level">,
): WinnersCurse | null {
  const experiments = new Set(past.map(({ experiment }) => experiment.id)).size;
  const [alpha, credibleLevel] = [1 - confidenceLevel, confidenceLevel];
  const law = experiments < MIN_EXPERIMENTS ? null : effectLaw([...past, lift]);
  const shrunken = law?.sumOf([past.length], { credibleLevel });
  const found = shrunken
    ? { estimate: shrunken.mean, interval: shrunken.interval }
    : (selectedEstimate(lift, { alpha, credibleLevel }) ??
      selectedEstimate({ ...lift, standardError: nearError }, { alpha, credibleLevel }));
  if (!found) return null;
  const [low, high] = found.interval;
  const [observed, corrected] = [sign * lift.estimate, sign * found.estimate];
  const interval: [number, number] = sign > 0 ? [low, high] : [-high, -low];
  return {
    method: shrunken ? "EMPIRICAL_BAYES" : "CONDITIONAL",
    experiments,
    observed_lift: observed,
    corrected_lift: corrected,
    corrected_interval: interval,
    false_sign_probability: shrunken ? 1 - shrunken.chanceToWin : null,
    exaggeration: exaggeration(found.estimate, lift.standardError, { alpha }).factor,
    summary: inWords(observed, corrected, interval, sign),
  };
}

/**
 * Returns the standard error by the side of the interval towards zero. It decides where a corrected test of a skewed metric
 * is significant, although half of its longer interval is more than the lift.
 */
function nearError(row: MetricResult, lift: EffectEstimate, confidenceLevel: number): number {
  const [low, high] = row.relative_confidence_interval!;
  const near = row.relative_difference! > 0 ? low : high;
  const error = Math.abs(row.relative_difference! - near) / -normalQuantile((1 - confidenceLevel) / 2);
  return Math.min(lift.standardError, error || lift.standardError);
}

function inWords(observed: number, corrected: number, [low, high]: [number, number], sign: 1 | -1): string {
  const expected = `expect about ${percent(corrected)} (${percent(low)} to ${percent(high)}), not ${percent(observed)}.`;
  return sign * (observed - corrected) > 0
    ? `Winners are overestimated: ${expected}`
    : `Past experiments had larger effects: ${expected}`;
}

/** Formats a lift with its sign and three digits, such as `+4.81 %`. */
function percent(lift: number): string {
  const value = Number((100 * lift).toPrecision(3));
  return `${value < 0 ? "-" : "+"}${Math.abs(value)} %`;
}
