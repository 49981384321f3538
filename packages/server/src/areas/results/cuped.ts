import type { CovariateStatistics, MetricCovariate } from "@assay/analysis";
import type { CupedQuery, CupedResults } from "@assay/contract";
import { type CupedComparison, cupedRatioTest, cupedTest } from "@assay/core/stats";
import type { z } from "zod";
import { mapSteps, type Steps } from "../../ground/slices.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { armsOf } from "../../model/experiment-subject.ts";
import { pooledWarnings } from "./looks.ts";

type Query = z.output<typeof CupedQuery>;
type Row = CupedResults["metrics"][number];

/** Computes the answer of a CUPED analysis. Theta is pooled over control and the treatment of the row. */
export function* toCuped(record: ExperimentRecord, statistics: CovariateStatistics, query: Query): Steps<CupedResults> {
  const treatments = armsOf(record).slice(1);
  const rows = yield* mapSteps(statistics.metrics, (covariate) =>
    treatments.map((variant, index) => toRow(covariate, variant.key, index + 1, record.alpha)),
  );
  return {
    experiment_id: record.id,
    winsorize: query.winsorize,
    lower_pct: query.lower_pct,
    upper_pct: query.upper_pct,
    metrics: rows.flat(),
    analysis_warnings: pooledWarnings(record),
  };
}

/** Computes the row of a treatment arm, counted from 1. */
function toRow(covariate: MetricCovariate, variant: string, arm: number, alpha: number): Row {
  const { covered, metric } = covariate;
  const tested = compare(covariate, arm, alpha);
  const compared = typeof tested === "string" ? null : tested;
  return {
    metric: metric.name,
    metric_id: metric.id,
    variant,
    theta: compared?.theta ?? null,
    correlation: compared?.correlation ?? null,
    control_mean: compared?.controlMean ?? null,
    treatment_mean: compared?.treatmentMean ?? null,
    adjusted_control_mean: compared?.adjustedControlMean ?? null,
    adjusted_treatment_mean: compared?.adjustedTreatmentMean ?? null,
    difference: compared?.unadjusted.difference ?? null,
    adjusted_difference: compared?.decision.difference ?? null,
    standard_error: compared?.unadjusted.standardError ?? null,
    adjusted_standard_error: compared?.decision.standardError ?? null,
    p_value: compared?.decision.pValue ?? null,
    confidence_interval: compared?.decision.confidenceInterval ?? null,
    variance_reduction_pct: compared?.varianceReductionPct ?? null,
    covered_users: (covered[0] ?? 0) + (covered[arm] ?? 0),
    status: compared ? statusOf(compared) : String(tested),
  };
}

/** Returns the status of the deciding test, which needs more users than the estimates. */
function statusOf({ decision, status }: CupedComparison): string {
  return decision.status === "OK" ? status : decision.status;
}

/** Returns the comparison, or a status if there is none. */
function compare({ metric, arms, isClustered }: MetricCovariate, arm: number, alpha: number): CupedComparison | string {
  if (!arms) return "NOT_APPLICABLE";
  const [control, treatment] = [arms[0]!, arms[arm]!];
  if (control.n === 0 || treatment.n === 0) return "INSUFFICIENT_DATA";
  if (metric.kind !== "RATIO" && !isClustered) return cupedTest(control, treatment, { alpha });
  if (control.means[1] === 0 || treatment.means[1] === 0) return "ZERO_DENOMINATOR";
  return cupedRatioTest(control, treatment, { alpha, isClustered });
}
