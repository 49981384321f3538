import type { MetricStatistics, SufficientStatistics } from "@assay/analysis";
import type { MetricResult } from "@assay/contract";
import { benjaminiHochberg, bonferroni, conclude, holm, isSignificant } from "@assay/core/stats";
import { achievedPower } from "@assay/core/stats/planning";
import { mapSteps, type Steps } from "../../ground/slices.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { armsOf } from "../../model/experiment-subject.ts";
import { clusterFields } from "./clusters.ts";
import { comparePair, finite, type Pair } from "./comparison.ts";
import { claimOf, hypothesisFields, marginPValueOf } from "./hypothesis.ts";

/**
 * Computes a row per metric and treatment arm. `p_value` and `is_significant` are those of the row's own test (p <
 * alpha, strictly). `adjusted_p_value` is over all rows of the answer, by the experiment's correction.
 *
 * @param comparable returns the statistics that compare an arm, counted from 1, with control on the metric at an index;
 * those of `metrics` by default
 */
export function* toRows(
  record: Pick<ExperimentRecord, "variants" | "alpha" | "correction">,
  { users, metrics }: Pick<SufficientStatistics, "users" | "metrics">,
  comparable: (arm: number, index: number) => MetricStatistics = (_, index) => metrics[index]!,
): Steps<MetricResult[]> {
  const treatments = armsOf(record).slice(1);
  const numbers = metrics.flatMap((_, index) =>
    treatments.map((variant, number) => ({ index, variant, arm: number + 1 })),
  );
  const compared = yield* mapSteps(numbers, ({ index, variant, arm }) => {
    const metric = comparable(arm, index);
    const pair = comparePair(metric, arm, record.alpha);
    // A rate combined over periods has a number of users that only determines its error. A quantile has its own number.
    const n =
      metric.form === "QUANTILE" && !metric.clusters ? [pair.control.n, pair.treatment.n] : [users[0]!, users[arm]!];
    // If control may be 0, a share of it means nothing. With clusters that happens a little earlier than with users.
    const isUnbounded = metric.clusters !== undefined && pair.compared.relativeConfidenceInterval === null;
    const marginPValue = isUnbounded ? null : marginPValueOf(metric, arm, record.alpha);
    return { metric, variant, arm, pair, marginPValue, n: { control: n[0]!, treatment: n[1]! } };
  });
  const adjusted = adjust(
    record.correction,
    compared.map(({ pair }) => pair.compared.pValue),
  );
  return yield* mapSteps(compared, ({ metric, variant, arm, pair, marginPValue, n }, index) => ({
    ...toRow(metric, pair, variant.key, marginPValue, record.alpha),
    n,
    ...clusterFields(metric, arm),
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

function toRow(
  statistics: MetricStatistics,
  pair: Pair,
  variant: string,
  marginPValue: number | null,
  alpha: number,
): Omit<MetricResult, "adjusted_p_value" | "n"> {
  const { id, name, kind, role } = statistics.metric;
  const { control, treatment, compared, test, newcombeInterval, adjustment } = pair;
  return {
    name,
    metric_id: id,
    kind,
    role,
    variant,
    control_value: control.value ?? 0,
    treatment_value: treatment.value ?? 0,
    difference: finite(compared.difference) ?? 0,
    p_value: finite(compared.pValue) ?? 1,
    is_significant: isSignificant(compared.pValue, alpha),
    confidence_interval: compared.confidenceInterval,
    newcombe_interval: newcombeInterval,
    relative_difference: compared.relativeDifference,
    relative_confidence_interval: compared.relativeConfidenceInterval,
    mean: { control: control.value, treatment: treatment.value },
    standard_error: compared.standardError,
    power: achievedPower(compared.difference, compared.standardError, { alpha }),
    test,
    assumption: compared.assumption,
    ...(adjustment && { adjustment }),
    status: compared.status,
    ...hypothesisFields(statistics.metric),
    margin_p_value: marginPValue,
    conclusion: conclude(claimOf(statistics.metric), { ...compared, marginPValue }, { alpha }),
  };
}
