import { estimateOf, type MetricStatistics } from "@assay/analysis";
import {
  type Comparison,
  compareEstimates,
  type Interval,
  type QuantileEstimate,
  ratioTest,
  twoProportionTest,
  welchTest,
} from "@assay/core/stats";

/** A metric in one arm. */
export interface Arm {
  n: number;
  /** Null where it is undefined: no users, nothing to divide by. */
  value: number | null;
}

/** A treatment against control, and how it was tested. */
export interface Pair {
  control: Arm;
  treatment: Arm;
  test: string;
  compared: Comparison;
  /** Of a proportion with few successes or failures. */
  newcombeInterval: Interval | null;
}

/** Tests an arm against control as its metric's kind asks; `arm` counts from 1. */
export function comparePair(statistics: MetricStatistics, arm: number, alpha: number): Pair {
  const [control, treatment] = [toArm(statistics, 0), toArm(statistics, arm)];
  switch (statistics.form) {
    case "PROPORTION": {
      const test = twoProportionTest(statistics.arms[0]!, statistics.arms[arm]!, { alpha });
      // With few conversions Newcombe's interval is the one to show.
      const compared = { ...test, confidenceInterval: test.newcombeInterval ?? test.confidenceInterval };
      return { control, treatment, test: "TWO_PROPORTION_Z", compared, newcombeInterval: test.newcombeInterval };
    }
    case "MEAN": {
      const compared = welchTest(statistics.arms[0]!, statistics.arms[arm]!, { alpha });
      return { control, treatment, test: "WELCH_T", compared, newcombeInterval: null };
    }
    case "RATIO": {
      const compared = ratioTest(statistics.arms[0]!, statistics.arms[arm]!, { alpha });
      return { control, treatment, test: "RATIO_DELTA_WELCH_T", compared, newcombeInterval: null };
    }
    case "QUANTILE": {
      const compared = compareQuantiles(statistics.arms[0]!, statistics.arms[arm]!, alpha);
      return { control, treatment, test: "QUANTILE_Z", compared, newcombeInterval: null };
    }
  }
}

/** The metric in one arm. */
export function toArm(statistics: MetricStatistics, arm: number): Arm {
  const { n, value } = estimateOf(statistics, arm);
  return { n, value: n > 0 && !isEmpty(statistics, arm) ? finite(value) : null };
}

/** Whether there is nothing the metric could be computed from. */
function isEmpty(statistics: MetricStatistics, arm: number): boolean {
  if (statistics.form === "RATIO") return statistics.arms[arm]!.means[1] === 0;
  return statistics.form === "QUANTILE" && statistics.arms[arm]!.value === null;
}

/** A quantile has an error of its own, not a variance per user: each arm is one unit with that error. */
function compareQuantiles(control: QuantileEstimate, treatment: QuantileEstimate, alpha: number): Comparison {
  const unit = ({ value, standardError }: QuantileEstimate) => ({
    n: 1,
    value: value ?? 0,
    variance: standardError === null ? null : standardError ** 2,
  });
  const compared = compareEstimates(unit(control), unit(treatment), { alpha, referenceDistribution: "normal" });
  const status = control.status === "OK" ? treatment.status : control.status;
  if (status === "OK") return compared;
  const difference = control.value === null || treatment.value === null ? null : compared.difference;
  return { ...compared, difference, status };
}

/** A number that JSON can carry. */
export function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}
