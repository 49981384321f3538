import type { MetricResult } from "@assay/contract";
import { achievedPower, benjaminiHochberg, bonferroni, holm, isSignificant } from "@assay/core/stats";
import type { MetricStatistics } from "../../analysis/metric.ts";
import { armsOf } from "../../analysis/subject.ts";
import type { SufficientStatistics } from "../../analysis/sufficient-statistics.ts";
import type { ExperimentRecord } from "../experiments/record.ts";
import { comparePair, finite, type Pair } from "./comparison.ts";

/**
 * A row per metric and treatment arm. `p_value` and `is_significant` are the row's own test (p < alpha, strictly);
 * `adjusted_p_value` is over all rows of the answer, by the experiment's correction.
 */
export function toRows(
  record: Pick<ExperimentRecord, "variants" | "alpha" | "correction">,
  statistics: SufficientStatistics,
): MetricResult[] {
  const treatments = armsOf(record).slice(1);
  const compared = statistics.metrics.flatMap((metric) =>
    treatments.map((variant, index) => ({ metric, variant, pair: comparePair(metric, index + 1, record.alpha) })),
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

function toRow(
  statistics: MetricStatistics,
  pair: Pair,
  variant: string,
  alpha: number,
): Omit<MetricResult, "adjusted_p_value"> {
  const { id, name, kind, role } = statistics.metric;
  const { control, treatment, compared, test, newcombeInterval } = pair;
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
    n: { control: control.n, treatment: treatment.n },
    mean: { control: control.value, treatment: treatment.value },
    standard_error: compared.standardError,
    power: achievedPower(compared.difference, compared.standardError, { alpha }),
    test,
    status: compared.status,
  };
}
