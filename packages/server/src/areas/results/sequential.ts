import { estimateOf, type Look } from "@assay/analysis";
import type { SequentialQuery, SequentialResults } from "@assay/contract";
import { conclude, marginPValue, replayLooks } from "@assay/core/stats";
import type { z } from "zod";
import { type Adjusted, decidingPValues } from "../../model/deciding-metrics.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { plannedUsers } from "../../model/experiment-plan.ts";
import { armsOf } from "../../model/experiment-subject.ts";
import { mapSteps, type Steps } from "../../slices.ts";
import { claimOf, hypothesisFields, replayMargin } from "./hypothesis.ts";
import { fixedMixingVariance, type LookEstimate, lookWarnings, testLook, toEstimates, UNDEFINED } from "./looks.ts";
import { DEFAULT_EXPECTED_LIFT, type Expectation, expectedEffect, expectedLift } from "./mixing.ts";
import { middleOf, recommend, type SequentialVerdict } from "./recommendation.ts";
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
    confidence_level: 1 - query.alpha,
    metrics: verdicts.map(({ row }) => row),
    alpha_spending,
    recommendation: recommend(verdicts, query.alpha),
    analysis_warnings: lookWarnings(record, looks),
  };
}

function* toVerdicts(record: ExperimentRecord, looks: readonly Look[], query: Query): Steps<SequentialVerdict[]> {
  const treatments = armsOf(record).slice(1);
  const metrics = looks.at(-1)?.metrics ?? [];
  const numbers = metrics.flatMap(({ metric }, index) =>
    treatments.map((variant, treatment) => ({ metric, index, variant, arm: treatment + 1 })),
  );
  const verdicts = yield* mapSteps(numbers, ({ metric, index, variant, arm }): SequentialVerdict => {
    const { alpha, method } = query;
    const expectation = expectationOf(record, query, arm);
    const estimates = toEstimates(looks, index, arm, alpha);
    const mixingVariance = fixedMixingVariance(estimates, (own) => expectedEffect(estimateOf(own, 0), expectation));
    const tests = estimates.map((estimate) => {
      if (method === "always_valid") return testLook(estimate, arm, { alpha });
      return mixingVariance === null ? UNDEFINED : testLook(estimate, arm, { alpha, mixingVariance });
    });
    const replayed = replayLooks(tests, { alpha }).looks;
    const lifts = replayLooks(
      tests.map(({ pValue, relativeConfidenceInterval }) => ({
        pValue,
        confidenceInterval: relativeConfidenceInterval,
      })),
      { alpha },
    ).looks;
    const [estimate, last] = [estimates.at(-1), replayed.at(-1)];
    const row: Row = {
      metric: metric.name,
      metric_id: metric.id,
      variant: variant.key,
      difference: estimate?.difference ?? null,
      standard_error: estimate?.standardError ?? null,
      log_likelihood_ratio: tests.at(-1)?.logLikelihoodRatio ?? null,
      p_value: last?.pValue ?? null,
      adjusted_p_value: null,
      confidence_interval: last?.confidenceInterval ?? null,
      relative_confidence_interval: lifts.at(-1)?.confidenceInterval ?? null,
      is_significant: last?.significant ?? false,
      looks: estimates.map(({ date, n, difference }, look) => ({
        date,
        n,
        difference,
        p_value: replayed[look]!.pValue,
        confidence_interval: replayed[look]!.confidenceInterval,
      })),
      status: statusOf(estimate, last?.pValue ?? null),
      ...hypothesisFields(metric),
      margin_p_value: marginPValue(replayMargin(tests.map(({ margin }) => margin)), claimOf(metric)),
      adjusted_margin_p_value: null,
      conclusion: "INCONCLUSIVE",
    };
    return { metric, row, expectedLift: estimate ? expectedLift(estimate.statistics, expectation) : null };
  });
  const adjusted = decidingPValues(
    verdicts.map(({ metric, row }) => ({
      ...row,
      role: metric.role,
      pValue: row.p_value,
      marginPValue: row.margin_p_value,
    })),
  );
  return verdicts.map((one, index) => ({ ...one, row: decided(one, adjusted[index]!, query.alpha) }));
}

/** The status of a row; a mixture whose variance is not a number has an estimate and no test. */
function statusOf(estimate: LookEstimate | undefined, pValue: number | null): string {
  if (!estimate) return "INSUFFICIENT_DATA";
  return estimate.status === "OK" && pValue === null ? "NOT_FINITE" : estimate.status;
}

/** A row with the p-values that decide, and what it shows by them; rows that do not decide show it by their own. */
function decided({ metric, row }: SequentialVerdict, adjusted: Adjusted, alpha: number): Row {
  const tested = {
    difference: middleOf(row),
    pValue: adjusted.pValue ?? row.p_value,
    marginPValue: adjusted.marginPValue ?? row.margin_p_value,
  };
  return {
    ...row,
    adjusted_p_value: adjusted.pValue,
    adjusted_margin_p_value: adjusted.marginPValue,
    conclusion: conclude(claimOf(metric), tested, { alpha }),
  };
}

/** The effect to tune the test for: as the request says, what the plan was made for, or the default. */
function expectationOf(record: ExperimentRecord, { expected_lift, alpha }: Query, arm: number): Expectation {
  const planned = plannedUsers(record);
  if (expected_lift !== undefined || planned === null) {
    return { kind: "LIFT", lift: expected_lift ?? DEFAULT_EXPECTED_LIFT };
  }
  const arms = armsOf(record);
  const total = arms.reduce((sum, { weight }) => sum + weight, 0);
  const users = (one: number) => Math.max(1, (planned * arms[one]!.weight) / total);
  return { kind: "PLAN", users: { control: users(0), treatment: users(arm) }, alpha };
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
