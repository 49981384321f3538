import type { Interpretation, MetricResult, Novelty, SequentialResults } from "@assay/contract";
import { minimumDetectableEffect } from "@assay/core/stats/planning";
import type { Evidence } from "../results/evidence.ts";
import { toCaveats } from "./caveats.ts";

type SequentialRow = SequentialResults["metrics"][number];

/** A metric of a treatment, for both kinds of tests. */
export interface Finding {
  row: MetricResult;
  sequential: SequentialRow | undefined;
  /** Improvement over control in the direction of the metric, in the unit of the metric. */
  gain: number;
  /** Primary metrics decide; guardrails are watched. */
  isPrimary: boolean;
  isGuardrail: boolean;
  /**
   * Significant by a test valid now: a sequential test at any time, the adjusted test once the experiment has ended.
   */
  isEstablished: boolean;
  /** The effect detectable with 80 % power. */
  detectable: number | null;
}

/** Input of an interpretation. */
export interface Reading extends Evidence {
  findings: Finding[];
  novelty: Novelty;
  /** The experiment has ended, or reached its planned sample size. */
  hasEnded: boolean;
  users: number;
}

/** Interprets results by the rules in `docs/ai.md`. Deterministic. */
export function interpret(evidence: Evidence, novelty: Novelty): Interpretation {
  const reading = read(evidence, novelty);
  const { record, results } = reading;
  const { recommendation, variant, why } = decide(reading);
  const caveats = toCaveats(reading);
  const facts = reading.findings.filter(({ isPrimary, isGuardrail }) => isPrimary || isGuardrail).map(describe);
  return {
    experiment_id: record.id,
    experiment_key: record.key,
    summary: `${why} ${caveats.length === 0 ? "Nothing speaks against reading it so." : `Mind: ${caveats.map(({ code }) => code).join(", ")}.`}`,
    recommendation,
    variant,
    reasons: [why, ...facts],
    caveats,
    computed_at: results.computed_at,
  };
}

function read(evidence: Evidence, novelty: Novelty): Reading {
  const { record, results, sequential } = evidence;
  const users = results.sample_size.control + results.sample_size.treatment;
  const isOver = record.status === "COMPLETED" || record.status === "ARCHIVED";
  const hasEnded = isOver || (record.planned_sample_size !== null && users >= record.planned_sample_size);
  const hasPrimary = results.metrics.some(({ role }) => role === "PRIMARY");
  const first = results.metrics[0]?.metric_id;
  const nameOf = (row: { metric_id: string; variant: string }) => JSON.stringify([row.metric_id, row.variant]);
  const tested = new Map(sequential.metrics.map((row) => [nameOf(row), row]));
  const findings = results.metrics.map((row): Finding => {
    const found = tested.get(nameOf(row));
    const falls = record.metrics.find(({ id }) => id === row.metric_id)?.direction === "DECREASE";
    const isSignificantNow = row.adjusted_p_value !== null && row.adjusted_p_value < record.alpha;
    return {
      row,
      sequential: found,
      gain: falls ? -row.difference : row.difference,
      isPrimary: hasPrimary ? row.role === "PRIMARY" : row.metric_id === first,
      isGuardrail: row.role === "GUARDRAIL",
      isEstablished: found?.is_significant === true || (hasEnded && isSignificantNow),
      detectable: row.standard_error ? minimumDetectableEffect(row.standard_error, { alpha: record.alpha }) : null,
    };
  });
  return { ...evidence, findings, novelty, hasEnded, users };
}

interface Decision {
  recommendation: Interpretation["recommendation"];
  variant: string | null;
  why: string;
}

/** Above this fraction of users in two arms, the arms cannot be compared. */
const CROSSOVER_LIMIT = 0.01;

function decide(reading: Reading): Decision {
  const { results, sequential, findings, hasEnded, users } = reading;
  const answer = (recommendation: Decision["recommendation"], why: string, variant: string | null = null) => ({
    recommendation,
    variant,
    why,
  });
  if (users === 0 || findings.length === 0) return answer("CONTINUE", "There is no data yet.");
  if (results.srm.warning)
    return answer("INVESTIGATE", "The arms have not the sizes their weights ask for, so no comparison can be trusted.");
  if (results.crossover > CROSSOVER_LIMIT * (users + results.crossover)) {
    return answer("INVESTIGATE", "Too many users were seen in two arms for the arms to be compared.");
  }
  const better = findings.filter(({ isPrimary, isEstablished, gain }) => isPrimary && isEstablished && gain > 0);
  const worse = findings.filter((one) => (one.isPrimary || one.isGuardrail) && one.isEstablished && one.gain < 0);
  const harmed = new Set(worse.map(({ row }) => row.variant));
  const sound = better.filter(({ row }) => !harmed.has(row.variant)).sort((a, b) => b.gain - a.gain);
  if (sound[0]) {
    const { variant, name } = sound[0].row;
    return answer("SHIP", `${variant} is better than control on ${name}, by a test that may be read now.`, variant);
  }
  if (better[0])
    return answer(
      "INVESTIGATE",
      `${better[0].row.variant} is better on ${better[0].row.name}, and worse on another metric that counts.`,
    );
  const { action, reason } = sequential.recommendation;
  if (action === "STOP_FOR_HARM" || action === "STOP_FOR_FUTILITY") return answer("KEEP_CONTROL", `${reason}.`);
  if (hasEnded)
    return answer(
      "KEEP_CONTROL",
      "The experiment has the data it was to have, and no treatment is established to be better.",
    );
  return answer("CONTINUE", "Nothing is decided yet: no effect is established, and none is ruled out.");
}

function describe({ row, sequential }: Finding): string {
  if (row.status !== "OK") return `${row.name}, ${row.variant}: no comparison (${row.status}).`;
  const interval = row.confidence_interval
    ? ` (interval ${number(row.confidence_interval[0])} to ${number(row.confidence_interval[1])})`
    : "";
  const adjusted = row.adjusted_p_value === null ? "" : `, adjusted ${number(row.adjusted_p_value)}`;
  const always = sequential?.p_value == null ? "" : `, valid at any time ${number(sequential.p_value)}`;
  return `${row.name}, ${row.variant}: ${number(row.treatment_value)} against ${number(row.control_value)}, difference ${number(row.difference)}${interval}; p ${number(row.p_value)}${adjusted}${always}.`;
}

/** Rounds to four significant digits. */
export function number(value: number): string {
  return String(Number(value.toPrecision(4)));
}
