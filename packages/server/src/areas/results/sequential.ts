import type { Look } from "@assay/analysis";
import type { SequentialQuery, SequentialResults } from "@assay/contract";
import { replayLooks } from "@assay/core/stats";
import type { z } from "zod";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { armsOf } from "../../model/experiment-subject.ts";
import { mapSteps, type Steps } from "../../slices.ts";
import { alwaysValidLook, fixedMixingVariance, lookWarnings, mixtureLook, toEstimates } from "./looks.ts";
import { recommend, type SequentialVerdict } from "./recommendation.ts";
import { scheduleOf } from "./schedule.ts";

type Query = z.output<typeof SequentialQuery>;
type Row = SequentialResults["metrics"][number];

/** Makes the answer of a sequential analysis from the looks. */
export function* toSequential(
  record: ExperimentRecord,
  looks: readonly Look[],
  query: Query,
): Steps<SequentialResults> {
  const verdicts = yield* toVerdicts(record, looks, query);
  const alpha_spending = yield* toSpending(record, looks, query);
  return {
    experiment_id: record.id,
    method: query.method,
    alpha: query.alpha,
    metrics: verdicts.map(({ row }) => row),
    alpha_spending,
    recommendation: recommend(verdicts, query),
    analysis_warnings: lookWarnings(record, looks),
  };
}

function toVerdicts(record: ExperimentRecord, looks: readonly Look[], query: Query): Steps<SequentialVerdict[]> {
  const treatments = armsOf(record).slice(1);
  const metrics = looks.at(-1)?.metrics ?? [];
  const numbers = metrics.flatMap(({ metric }, index) =>
    treatments.map((variant, treatment) => ({ metric, index, variant, treatment })),
  );
  return mapSteps(numbers, ({ metric, index, variant, treatment }): SequentialVerdict => {
    const estimates = toEstimates(looks, index, treatment + 1, query.alpha);
    const mixing = fixedMixingVariance(estimates, query.expected_lift);
    const tests = estimates.map((estimate) =>
      query.method === "msprt" ? mixtureLook(estimate, mixing, query.alpha) : alwaysValidLook(estimate, query.alpha),
    );
    const replayed = replayLooks(tests, { alpha: query.alpha }).looks;
    const [estimate, known] = [estimates.at(-1), replayed.at(-1)];
    const row: Row = {
      metric: metric.name,
      metric_id: metric.id,
      variant: variant.key,
      difference: estimate?.difference ?? null,
      standard_error: estimate?.standardError ?? null,
      log_likelihood_ratio: tests.at(-1)?.logLikelihoodRatio ?? null,
      p_value: known?.pValue ?? null,
      confidence_interval: known?.confidenceInterval ?? null,
      is_significant: known?.significant ?? false,
      looks: estimates.map(({ date, n, difference }, look) => ({
        date,
        n,
        difference,
        p_value: replayed[look]!.pValue,
        confidence_interval: replayed[look]!.confidenceInterval,
      })),
      status: estimate?.status ?? "INSUFFICIENT_DATA",
    };
    return { metric, row, expected: mixing === null ? null : Math.sqrt(mixing) };
  });
}

/** Looks at equal shares of the planned users; without a plan, at equal shares of the planned looks. */
function* toSpending(
  record: ExperimentRecord,
  looks: readonly Look[],
  query: Query,
): Steps<SequentialResults["alpha_spending"]> {
  const { spending_function, num_looks, alpha } = query;
  const planned = query.planned_users ?? record.planned_sample_size;
  const users = looks.at(-1)?.users.reduce((sum, n) => sum + n, 0) ?? 0;
  const reached = planned === null ? looks.length : Math.floor((users / planned) * num_looks);
  const schedule = yield* scheduleOf(spending_function, num_looks, alpha);
  return {
    spending_function,
    num_looks,
    current_look: Math.min(num_looks, reached),
    information_fraction: planned === null ? null : Math.min(1, users / planned),
    schedule,
  };
}
