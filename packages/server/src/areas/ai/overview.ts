import type { Interpretation, Overview, OverviewMetric, SequentialResults } from "@assay/contract";
import type { Steps } from "../../ground/slices.ts";
import type { SequentialRow } from "../../model/sequential-row.ts";
import { splitState } from "../../model/split-state.ts";
import type { Finding, Reading } from "./interpretation.ts";
import { toPosterior } from "./posterior.ts";

/**
 * Computes the overview of an experiment from the results of the other endpoints.
 * @param planned the test at the planned looks; null before the first one, and without a plan
 */
export function* toOverview(
  reading: Reading,
  answer: Interpretation,
  planned: SequentialResults | null,
): Steps<Overview> {
  const { record, results, sequential, findings } = reading;
  const [sentence = answer.summary, ...reasons] = answer.reasons;
  const metrics = findings.map((finding) => toMetric(finding, reading, planned));
  return {
    experiment_id: record.id,
    experiment_key: record.key,
    status: record.status,
    decision: { action: answer.recommendation, variant: answer.variant, sentence, reasons },
    users: results.progress.users,
    planned_users: results.progress.planned_users,
    variants: results.variants.map(({ sample_size: users, ...variant }) => ({ ...variant, users })),
    metrics,
    srm: { ...results.srm, state: splitState(results.srm) },
    warnings: answer.caveats,
    timeseries: toTimeseries(findings, answer.variant, sequential),
    posterior: yield* toPosterior(record, results),
    computed_at: results.computed_at,
  };
}

function toMetric(finding: Finding, { record, sequential }: Reading, planned: SequentialResults | null) {
  const { row, establishedBy } = finding;
  const isPlanned = establishedBy === "PLANNED_LOOK" && planned !== null;
  const test = isPlanned ? rowOf(planned, finding) : finding.sequential;
  // Rows that do not decide read their own test.
  const conclusion = establishedBy === null ? ownConclusion(finding) : finding.conclusion;
  return {
    metric_id: row.metric_id,
    name: row.name,
    role: row.role,
    direction: record.metrics.find(({ id }) => id === row.metric_id)?.direction ?? "INCREASE",
    variant: row.variant,
    method: isPlanned ? "PLANNED_LOOK" : "ANYTIME",
    level: (isPlanned ? planned : sequential).confidence_level,
    n: row.n,
    control_value: row.control_value,
    treatment_value: row.treatment_value,
    difference: test?.stopped?.estimate ?? test?.difference ?? null,
    interval: test?.stopped?.confidence_interval ?? test?.confidence_interval ?? null,
    lift: row.relative_difference,
    lift_interval: test?.relative_confidence_interval ?? null,
    reading: conclusion === "SUPERIOR" ? "better" : conclusion === "INFERIOR" ? "worse" : "inconclusive",
    conclusion,
    status: test?.status ?? row.status,
  } satisfies OverviewMetric;
}

/** The conclusion of a row that no test establishes: its own, unless it decides, in which case there is none. */
function ownConclusion({ sequential }: Finding): OverviewMetric["conclusion"] {
  return sequential && sequential.adjusted_p_value === null ? sequential.conclusion : "INCONCLUSIVE";
}

function rowOf({ metrics }: SequentialResults, { row }: Finding): SequentialRow | undefined {
  return metrics.find(({ metric_id, variant }) => metric_id === row.metric_id && variant === row.variant);
}

/** The days of the first metric that decides, for the treatment to ship or the first one. */
function toTimeseries(
  findings: readonly Finding[],
  shipped: string | null,
  { confidence_level: level }: SequentialResults,
): Overview["timeseries"] {
  const primary = findings.filter(({ isPrimary }) => isPrimary);
  const first = primary.find(({ row }) => row.variant === (shipped ?? row.variant));
  if (!first?.sequential) return null;
  const { metric_id, metric, variant, looks } = first.sequential;
  const days = looks.map(({ date, n, difference, confidence_interval }) => ({
    date,
    n,
    difference,
    interval: confidence_interval,
  }));
  return { metric_id, metric, variant, method: "ANYTIME", level, days };
}
