import type { MetricResult } from "@assay/contract";
import {
  achievedPower,
  benjaminiHochberg,
  bonferroni,
  type Comparison,
  compareEstimates,
  holm,
  isSignificant,
  type QuantileEstimate,
  ratioTest,
  twoProportionTest,
  welchTest,
} from "@assay/core/stats";
import type { MetricStatistics } from "../../analysis/metric.ts";
import { armsOf } from "../../analysis/subject.ts";
import type { SufficientStatistics } from "../../analysis/sufficient-statistics.ts";
import type { ExperimentRecord } from "../experiments/record.ts";

/** A metric in one arm. */
interface Arm {
  n: number;
  value: number | null;
}

interface Pair {
  control: Arm;
  treatment: Arm;
  test: string;
  compared: Comparison;
}

/**
 * A row per metric and treatment arm. `p_value` and `is_significant` are the row's own test (p < alpha, strictly);
 * `adjusted_p_value` is over all rows of the answer, by the experiment's correction.
 */
export function toRows(record: ExperimentRecord, statistics: SufficientStatistics): MetricResult[] {
  const treatments = armsOf(record).slice(1);
  const compared = statistics.metrics.flatMap((metric) =>
    treatments.map((variant, index) => ({ metric, variant, pair: compare(metric, index + 1, record.alpha) })),
  );
  const adjusted = adjust(
    record.correction,
    compared.map(({ pair }) => pair.compared.pValue),
  );
  return compared.map(({ metric, variant, pair }, index) => ({
    ...toRow(metric, pair, variant.key, record.alpha),
    adjusted_p_value: adjusted[index] ?? null,
  }));
}

function adjust(correction: ExperimentRecord["correction"], pValues: (number | null)[]): (number | null)[] {
  switch (correction) {
    case "NONE":
      return pValues;
    case "BONFERRONI":
      return bonferroni(pValues);
    case "BENJAMINI_HOCHBERG":
      return benjaminiHochberg(pValues);
    case "HOLM":
      return holm(pValues);
  }
}

function compare(statistics: MetricStatistics, arm: number, alpha: number): Pair {
  switch (statistics.form) {
    case "PROPORTION": {
      const [control, treatment] = pick(statistics.arms, arm);
      const test = twoProportionTest(control, treatment, { alpha });
      // With few conversions Newcombe's interval is the one to show.
      const compared = { ...test, confidenceInterval: test.newcombeInterval ?? test.confidenceInterval };
      const [left, right] = [control, treatment].map(({ n, successes }) => ({
        n,
        value: n > 0 ? successes / n : null,
      }));
      return { control: left!, treatment: right!, test: "TWO_PROPORTION_Z", compared };
    }
    case "MEAN": {
      const [control, treatment] = pick(statistics.arms, arm);
      const [left, right] = [control, treatment].map(({ n, mean }) => ({ n, value: n > 0 ? mean : null }));
      return { control: left!, treatment: right!, test: "WELCH_T", compared: welchTest(control, treatment, { alpha }) };
    }
    case "RATIO": {
      const [control, treatment] = pick(statistics.arms, arm);
      const [left, right] = [control, treatment].map(({ n, means }) => ({
        n,
        value: n > 0 && means[1] !== 0 ? means[0]! / means[1]! : null,
      }));
      return {
        control: left!,
        treatment: right!,
        test: "RATIO_DELTA_WELCH_T",
        compared: ratioTest(control, treatment, { alpha }),
      };
    }
    case "QUANTILE": {
      const [control, treatment] = pick(statistics.arms, arm);
      const compared = compareQuantiles(control, treatment, alpha);
      const [left, right] = [control, treatment].map(({ users, value }) => ({ n: users, value }));
      return { control: left!, treatment: right!, test: "QUANTILE_Z", compared };
    }
  }
}

function pick<T>(arms: readonly T[], arm: number): [T, T] {
  return [arms[0]!, arms[arm]!];
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
  return status === "OK" ? compared : { ...compared, status };
}

function toRow(
  statistics: MetricStatistics,
  pair: Pair,
  variant: string,
  alpha: number,
): Omit<MetricResult, "adjusted_p_value"> {
  const { id, name, kind, role } = statistics.metric;
  const { control, treatment, compared, test } = pair;
  return {
    name,
    metric_id: id,
    kind,
    role,
    variant,
    control_value: finite(control.value) ?? 0,
    treatment_value: finite(treatment.value) ?? 0,
    difference: finite(compared.difference) ?? 0,
    p_value: finite(compared.pValue) ?? 1,
    is_significant: isSignificant(compared.pValue, alpha),
    confidence_interval: compared.confidenceInterval,
    relative_difference: compared.relativeDifference,
    relative_confidence_interval: compared.relativeConfidenceInterval,
    n: { control: control.n, treatment: treatment.n },
    mean: { control: finite(control.value), treatment: finite(treatment.value) },
    standard_error: compared.standardError,
    power: achievedPower(compared.difference, compared.standardError, { alpha }),
    test,
    status: compared.status,
  };
}

function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}
