import type { Look } from "@assay/analysis";
import type { TimeseriesResults } from "@assay/contract";
import { replayLooks } from "@assay/core/stats";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { armsOf } from "../../model/experiment-subject.ts";
import { comparePair } from "./comparison.ts";
import { lookWarnings, testLook, toEstimates } from "./looks.ts";

/** Computes the days of the only metric of the looks. `arm` counts from 1. */
export function toTimeseries(record: ExperimentRecord, looks: readonly Look[], arm: number): TimeseriesResults {
  const { alpha } = record;
  const variant = armsOf(record)[arm]?.key ?? null;
  const metric = variant === null ? null : (looks.at(-1)?.metrics[0]?.metric ?? null);
  const estimates = metric ? toEstimates(looks, 0, arm, alpha) : [];
  const tests = estimates.map((estimate) => testLook(estimate, arm, { alpha }));
  const replayed = replayLooks(tests, { alpha }).looks;
  return {
    experiment_id: record.id,
    metric: metric?.name ?? null,
    metric_id: metric?.id ?? null,
    variant,
    days: estimates.map(({ date, difference, statistics }, index) => {
      const { cohort } = looks[index]!;
      const daily = cohort?.metrics[0] ? comparePair(cohort.metrics[0], arm, alpha).compared : null;
      return {
        date,
        n_control: cohort?.users[0] ?? 0,
        n_treatment: cohort?.users[arm] ?? 0,
        difference: daily?.difference ?? null,
        confidence_interval: daily?.confidenceInterval ?? null,
        cumulative_difference: difference,
        cumulative_confidence_interval: comparePair(statistics, arm, alpha).compared.confidenceInterval,
        always_valid_interval: replayed[index]!.confidenceInterval,
      };
    }),
    analysis_warnings: lookWarnings(record, looks),
  };
}
