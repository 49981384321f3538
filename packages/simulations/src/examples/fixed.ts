import {
  type ArmEstimate,
  anytimeSampleRatioTest,
  type CupedComparison,
  compareArms,
  compareMeans,
  compareProportions,
  cupedTest,
  type Interval,
  jointMomentsOf,
  type Moments,
  momentsOf,
  quantileEstimate,
  ratioEstimate,
  sampleRatioTest,
  winsorBounds,
  winsorise,
} from "@assay/core/stats";
import { type CookieCats, type Players, proportionOf } from "./cookie-cats.ts";
import { toRow } from "./row.ts";

function proportionRow(name: string, control: Float64Array, treatment: Float64Array) {
  const [c, t] = [proportionOf(control), proportionOf(treatment)];
  const values = { control: { n: c.n, value: c.successes / c.n }, treatment: { n: t.n, value: t.successes / t.n } };
  return toRow(name, "CONVERSION", "TWO_PROPORTION_SCORE", values, compareProportions(c, t));
}

function meanRow(name: string, control: Moments, treatment: Moments) {
  const values = {
    control: { n: control.n, value: control.mean },
    treatment: { n: treatment.n, value: treatment.mean },
  };
  return toRow(name, "MEAN", "WELCH_AND_POOLED_T", values, compareMeans(control, treatment));
}

/** Compares retention after a day and after seven. */
export function twoProportions({ control, treatment }: CookieCats) {
  return {
    metrics: [
      proportionRow("retention_1", control.retention1, treatment.retention1),
      proportionRow("retention_7", control.retention7, treatment.retention7),
    ],
  };
}

/** Compares the rounds played. */
export function welchMeans({ control, treatment }: CookieCats) {
  return { metrics: [meanRow("rounds", momentsOf(control.rounds), momentsOf(treatment.rounds))] };
}

/** Compares the rounds played per day on which a player was seen: the day of install, day 1 and day 7. */
export function ratio({ control, treatment }: CookieCats) {
  const arm = ({ rounds, retention1, retention7 }: Players) =>
    jointMomentsOf(
      rounds,
      rounds.map((_, i) => 1 + retention1[i]! + retention7[i]!),
    );
  const values = { control: ratioEstimate(arm(control)), treatment: ratioEstimate(arm(treatment)) };
  const compared = compareArms(values.control, values.treatment);
  return { metrics: [toRow("rounds_per_day_seen", "RATIO", "RATIO_DELTA_T", values, compared)] };
}

/** Compares the median and the 90 % quantile of rounds played. */
export function quantiles({ control, treatment }: CookieCats) {
  const row = (name: string, quantile: number) => {
    const arm = ({ rounds }: Players): ArmEstimate => {
      const { users, value, standardError } = quantileEstimate({ values: rounds }, { quantile });
      return { n: users, value: value ?? 0, variance: standardError === null ? null : standardError ** 2 * users };
    };
    const values = { control: arm(control), treatment: arm(treatment) };
    const compared = compareArms(values.control, values.treatment, { referenceDistribution: "normal" });
    return toRow(name, "QUANTILE", "QUANTILE_Z", values, compared);
  };
  return { metrics: [row("median_rounds", 0.5), row("p90_rounds", 0.9)] };
}

/** Returns the lift of seven-day retention and of rounds, with its components. */
export function lift(cats: CookieCats) {
  const rows = [...twoProportions(cats).metrics.slice(1), ...welchMeans(cats).metrics];
  return {
    metrics: rows.map((row) => ({
      name: row.name,
      control_value: row.control_value,
      treatment_value: row.treatment_value,
      difference: row.difference,
      relative_difference: row.relative_difference,
      relative_confidence_interval: row.relative_confidence_interval,
    })),
  };
}

/** Compares rounds after clipping: the outermost thousandth of players at either end gets the quantile there. */
export function winsorising({ control, treatment }: CookieCats) {
  const bounds: Interval = winsorBounds([control.rounds, treatment.rounds], 0.001, 0.999) ?? [0, 0];
  const moments = ({ rounds }: Players) => momentsOf(winsorise(rounds, bounds));
  return { bounds, metrics: [meanRow("rounds_winsorised", moments(control), moments(treatment))] };
}

function cupedRow(metric: string, test: CupedComparison, coveredUsers: number) {
  return {
    metric,
    variant: "gate_40",
    theta: test.theta,
    correlation: test.correlation,
    control_mean: test.controlMean,
    treatment_mean: test.treatmentMean,
    adjusted_control_mean: test.adjustedControlMean,
    adjusted_treatment_mean: test.adjustedTreatmentMean,
    difference: test.unadjusted.difference,
    adjusted_difference: test.decision.difference,
    standard_error: test.unadjusted.standardError,
    adjusted_standard_error: test.decision.standardError,
    p_value: test.decision.pValue,
    confidence_interval: test.decision.confidenceInterval,
    variance_reduction_pct: test.varianceReductionPct,
    covered_users: coveredUsers,
    status: test.status,
  };
}

/**
 * Compares seven-day retention without a covariate, as the file has none, and shows the arithmetic with one-day
 * retention.
 */
export function cuped({ control, treatment }: CookieCats) {
  const test = (covariate: (players: Players) => Float64Array) =>
    cupedTest(
      jointMomentsOf(control.retention7, covariate(control)),
      jointMomentsOf(treatment.retention7, covariate(treatment)),
    );
  const none = test(({ userId }) => new Float64Array(userId.length));
  const users = control.userId.length + treatment.userId.length;
  return {
    metrics: [cupedRow("retention_7", none, 0)],
    arithmetic: cupedRow(
      "retention_7",
      test(({ retention1 }) => retention1),
      users,
    ),
  };
}

/** Tests the split of the players. */
export function sampleRatio({ control, treatment }: CookieCats) {
  const observed = { gate_30: control.userId.length, gate_40: treatment.userId.length };
  const counts = { observed: [observed.gate_30, observed.gate_40], weights: [50, 50] };
  const { pValue, expected, chiSquare, df } = sampleRatioTest(counts.observed, counts.weights);
  const anytime = anytimeSampleRatioTest([counts]);
  return {
    srm: {
      p_value: pValue,
      anytime_p_value: anytime.pValue,
      expected: { gate_30: expected[0], gate_40: expected[1] },
      observed,
      warning: anytime.warning,
    },
    statistic: { chi_square: chiSquare, df, log_evidence: anytime.logEvidence },
  };
}
