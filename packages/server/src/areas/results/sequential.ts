import { estimateOf, type Look } from "@assay/analysis";
import type { SequentialQuery, SequentialResults } from "@assay/contract";
import { conclude, isSignificant, marginPValue, replayLooks } from "@assay/core/stats";
import type { z } from "zod";
import { mapSteps, type Steps } from "../../ground/slices.ts";
import { type Adjusted, decidingPValues } from "../../model/deciding-metrics.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import type { ExperimentPlan } from "../../model/experiment-plan.ts";
import { armsOf } from "../../model/experiment-subject.ts";
import { estimatedDifference, type SequentialRow } from "../../model/sequential-row.ts";
import { type GroupSequentialTest, type TakenLooks, takeLooks, testTakenLooks } from "./group-sequential.ts";
import { claimOf, hypothesisFields, replayMargin } from "./hypothesis.ts";
import { fixedMixingVariance, type LookEstimate, lookWarnings, testLook, toEstimates, UNDEFINED } from "./looks.ts";
import { type Expectation, expectedEffect, expectedLift } from "./mixing.ts";
import { recommend, type SequentialVerdict } from "./recommendation.ts";
import { scheduleOf } from "./schedule.ts";
import { designFor, expectationOf, planFor } from "./sequential-plan.ts";

type Query = z.output<typeof SequentialQuery>;

/** Computes the answer of a sequential analysis from the looks. */
export function* toSequential(
  record: ExperimentRecord,
  looks: readonly Look[],
  query: Query,
): Steps<SequentialResults> {
  const plan = planFor(record, query);
  const taken = query.method === "group_sequential" && plan ? yield* takeLooks(looks, plan, query.alpha) : null;
  const verdicts = yield* toVerdicts(record, looks, query, taken);
  const alpha_spending = yield* toSpending(record, looks, query, plan, taken);
  return {
    experiment_id: record.id,
    method: query.method,
    alpha: query.alpha,
    confidence_level: 1 - query.alpha,
    metrics: verdicts.map(({ row }) => row),
    alpha_spending,
    recommendation: recommend(verdicts, query.alpha, taken ? "at a planned look" : "at any time"),
    analysis_warnings: lookWarnings(record, looks),
  };
}

function* toVerdicts(
  record: ExperimentRecord,
  looks: readonly Look[],
  query: Query,
  taken: TakenLooks | null,
): Steps<SequentialVerdict[]> {
  const treatments = armsOf(record).slice(1);
  const metrics = looks.at(-1)?.metrics ?? [];
  const numbers = metrics.flatMap(({ metric }, index) =>
    treatments.map((variant, treatment) => ({ metric, index, variant, arm: treatment + 1 })),
  );
  const verdicts = yield* mapSteps(numbers, ({ metric, index, variant, arm }): SequentialVerdict => {
    const expectation = expectationOf(record, query, arm);
    const row: SequentialRow = {
      metric: metric.name,
      metric_id: metric.id,
      variant: variant.key,
      ...(taken
        ? toPlannedTest(testTakenLooks(taken, index, arm), query.alpha)
        : toAnytimeTest(looks, index, arm, query, expectation)),
      adjusted_p_value: null,
      ...hypothesisFields(metric),
      adjusted_margin_p_value: null,
      conclusion: "INCONCLUSIVE",
    };
    const last = looks.at(-1)?.metrics[index];
    const lift = last ? expectedLift(last, expectation) : null;
    return { metric, row, expectedLift: lift, isPlanned: expectation.kind === "PLAN" };
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

/** Returns the status of a row. If the variance of a mixture is not a number, the row has an estimate but no test. */
function statusOf(estimate: LookEstimate | undefined, pValue: number | null): string {
  if (!estimate) return "INSUFFICIENT_DATA";
  return estimate.status === "OK" && pValue === null ? "NOT_FINITE" : estimate.status;
}

/**
 * Returns a row with the p-values that decide, and its conclusion by them. Rows that do not decide have a conclusion by
 * their own p-values.
 */
function decided({ metric, row }: SequentialVerdict, adjusted: Adjusted, alpha: number): SequentialRow {
  const tested = {
    difference: estimatedDifference(row),
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

/** The fields of a row that its test provides. */
type TestFields = Omit<
  SequentialRow,
  | "metric"
  | "metric_id"
  | "variant"
  | "adjusted_p_value"
  | "hypothesis"
  | "margin"
  | "adjusted_margin_p_value"
  | "conclusion"
>;

function toAnytimeTest(
  looks: readonly Look[],
  index: number,
  arm: number,
  { alpha, method }: Query,
  expectation: Expectation,
): TestFields {
  const estimates = toEstimates(looks, index, arm, alpha);
  const mixingVariance = fixedMixingVariance(estimates, (own) => expectedEffect(estimateOf(own, 0), expectation));
  const tests = estimates.map((estimate) => {
    if (method === "always_valid") return testLook(estimate, arm, { alpha });
    return mixingVariance === null ? UNDEFINED : testLook(estimate, arm, { alpha, mixingVariance });
  });
  const replayed = replayLooks(tests, { alpha }).looks;
  const lifts = replayLooks(
    tests.map(({ pValue, relativeConfidenceInterval }) => ({ pValue, confidenceInterval: relativeConfidenceInterval })),
    { alpha },
  ).looks;
  const [estimate, last] = [estimates.at(-1), replayed.at(-1)];
  const claim = estimate ? claimOf(estimate.statistics.metric) : null;
  return {
    difference: estimate?.difference ?? null,
    standard_error: estimate?.standardError ?? null,
    log_likelihood_ratio: tests.at(-1)?.logLikelihoodRatio ?? null,
    p_value: last?.pValue ?? null,
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
    stopped: null,
    margin_p_value: claim && marginPValue(replayMargin(tests.map(({ margin }) => margin)), claim),
    ...(estimate?.adjustment && { adjustment: estimate.adjustment }),
    status: statusOf(estimate, last?.pValue ?? null),
  };
}

function toPlannedTest(test: GroupSequentialTest, alpha: number): TestFields {
  const last = test.looks.at(-1);
  return {
    difference: last?.difference ?? null,
    standard_error: test.standardError,
    log_likelihood_ratio: null,
    p_value: test.pValue,
    confidence_interval: last?.confidenceInterval ?? null,
    relative_confidence_interval: last?.relativeConfidenceInterval ?? null,
    is_significant: isSignificant(test.pValue, alpha),
    looks: test.looks.map(({ date, n, difference, pValue, confidenceInterval }) => ({
      date,
      n,
      difference,
      p_value: pValue,
      confidence_interval: confidenceInterval,
    })),
    stopped: test.stopped,
    margin_p_value: test.marginPValue,
    ...(test.adjustment && { adjustment: test.adjustment }),
    status: test.status,
  };
}

/**
 * Computes the schedule of spending. Looks are at equal shares of the planned users or, without a plan, of the planned
 * looks.
 */
function* toSpending(
  record: ExperimentRecord,
  looks: readonly Look[],
  query: Query,
  plan: ExperimentPlan | null,
  taken: TakenLooks | null,
): Steps<SequentialResults["alpha_spending"]> {
  const { looks: count, spending_function } = designFor(record, query);
  const planned = plan?.users ?? null;
  const users = looks.at(-1)?.users.reduce((sum, n) => sum + n, 0) ?? 0;
  const reached = planned === null ? looks.length : Math.floor((users / planned) * count);
  const schedule = yield* scheduleOf(spending_function, count, query.alpha);
  return {
    spending_function,
    num_looks: count,
    current_look: Math.min(count, reached),
    information_fraction: planned === null ? null : Math.min(1, users / planned),
    schedule,
    looks: (taken?.taken ?? []).map(({ look, users: n, boundary }) => ({
      date: look.date,
      n,
      information_fraction: boundary.informationFraction,
      cumulative_alpha: boundary.cumulativeAlpha,
      z_boundary: boundary.zBoundary,
      nominal_p_value: boundary.nominalPValue,
    })),
  };
}
