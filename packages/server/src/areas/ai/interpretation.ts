import type { Interpretation, MetricResult, Novelty } from "@assay/contract";
import { type Conclusion, isEstablished } from "@assay/core/stats";
import { decidingRows } from "../../model/deciding-metrics.ts";
import { estimatedDifference, type SequentialRow } from "../../model/sequential-row.ts";
import type { Evidence } from "../results/evidence.ts";
import type { PlannedLook } from "../results/planned-look.ts";
import { toCaveats } from "./caveats.ts";
import { isUnshown, shows, within } from "./hypothesis-words.ts";

/** The result of a metric and a treatment, from both kinds of tests. */
export interface Finding {
  row: MetricResult;
  sequential: SequentialRow | undefined;
  /**
   * Improvement over the control, in the direction and the unit of the metric: the estimate of the test that
   * establishes it, otherwise the current difference.
   */
  gain: number;
  /** Primary metrics decide; guardrails are watched. */
  isPrimary: boolean;
  isGuardrail: boolean;
  /** The currently valid test that reaches a conclusion; null if none does. */
  establishedBy: "PLANNED_LOOK" | "ANYTIME" | null;
  /** The conclusion of that test. */
  conclusion: Conclusion;
  /** Date of the planned look that establishes it; null for a test at any time. */
  date: string | null;
  /** The effect detectable with 80 % power; null for rows that do not decide. */
  detectable: number | null;
}

/** Input of an interpretation. */
export interface Reading extends Evidence {
  findings: Finding[];
  novelty: Novelty;
  /** Whether the experiment is completed, or the look at its planned size was taken. */
  hasEnded: boolean;
  users: number;
}

/** Interprets results by the rules in `docs/ai.md`. Deterministic. */
export function interpret(reading: Reading): Interpretation {
  const { record, results } = reading;
  const { recommendation, variant, why } = decide(reading);
  const caveats = toCaveats(reading);
  const facts = reading.findings.filter(({ isPrimary, isGuardrail }) => isPrimary || isGuardrail).map(describe);
  return {
    experiment_id: record.id,
    experiment_key: record.key,
    summary: `${why} ${caveats.length === 0 ? "No caveats apply." : `Caveats: ${caveats.map(({ code }) => code).join(", ")}.`}`,
    recommendation,
    variant,
    reasons: [why, ...facts],
    caveats,
    computed_at: results.computed_at,
  };
}

/** Finds what each metric establishes. */
export function toReading(evidence: Evidence, novelty: Novelty): Reading {
  const { record, results, sequential, planned } = evidence;
  const users = results.sample_size.control + results.sample_size.treatment;
  const isOver = record.status === "COMPLETED" || record.status === "ARCHIVED";
  const nameOf = (row: { metric_id: string; variant: string }) => JSON.stringify([row.metric_id, row.variant]);
  const atAnyTime = new Map(sequential.metrics.map((row) => [nameOf(row), row]));
  const atPlan = new Map(planned?.rows.map((row) => [nameOf(row), row]));
  const deciding = decidingRows(results.metrics);
  const findings = results.metrics.map((row): Finding => {
    const [anytimeRow, plannedRow] = [atAnyTime.get(nameOf(row)), atPlan.get(nameOf(row))];
    const falls = record.metrics.find(({ id }) => id === row.metric_id)?.direction === "DECREASE";
    const { establishedBy, conclusion, date, difference } = establish(evidence, row, anytimeRow, plannedRow);
    return {
      row,
      sequential: anytimeRow,
      gain: falls ? -difference : difference,
      isPrimary: deciding.isPrimary(row),
      isGuardrail: row.role === "GUARDRAIL",
      establishedBy,
      conclusion,
      date,
      detectable: row.minimum_detectable_effect?.absolute ?? null,
    };
  });
  return { ...evidence, findings, novelty, hasEnded: isOver || planned?.isLast === true, users };
}

type Established = Pick<Finding, "establishedBy" | "conclusion" | "date"> & { difference: number };

/**
 * Finds the test that establishes the hypothesis of the metric, or else any conclusion, and the difference by that
 * test.
 */
function establish(
  { sequential: { analysis_warnings } }: Evidence,
  row: MetricResult,
  anytimeRow: SequentialRow | undefined,
  plannedRow: PlannedLook["rows"][number] | undefined,
): Established {
  const nothing: Established = {
    establishedBy: null,
    conclusion: "INCONCLUSIVE",
    date: null,
    difference: row.difference,
  };
  const tests: Established[] = [];
  if (plannedRow) tests.push({ ...plannedRow, establishedBy: "PLANNED_LOOK" });
  if (anytimeRow && anytimeRow.adjusted_p_value !== null) {
    const { conclusion } = anytimeRow;
    tests.push({ establishedBy: "ANYTIME", conclusion, date: null, difference: estimatedDifference(anytimeRow) });
  }
  const showing = tests.filter(({ conclusion }) => conclusion !== "INCONCLUSIVE");
  const isShown = ({ conclusion }: Pick<Finding, "conclusion">) => isEstablished(row.hypothesis, conclusion);
  const found = (row.margin === null ? undefined : showing.find(isShown)) ?? showing[0];
  if (!found) return nothing;
  // Looks pool the users of all weights. If the weights changed, the comparison by periods must agree.
  const isPooled = analysis_warnings.includes("PERIODS_POOLED");
  const isSame = row.is_significant && Math.sign(row.difference) === Math.sign(found.difference);
  const isWithin = found.conclusion === "NON_INFERIOR" || found.conclusion === "EQUIVALENT";
  return isPooled && !(isWithin ? isShown(row) : isSame) ? nothing : found;
}

interface Decision {
  recommendation: Interpretation["recommendation"];
  variant: string | null;
  why: string;
}

/** Above this fraction of users in two arms, the arms cannot be compared. */
const CROSSOVER_LIMIT = 0.01;

function decide(reading: Reading): Decision {
  const { results, sequential, findings, planned, hasEnded, users } = reading;
  const answer = (recommendation: Decision["recommendation"], why: string, variant: string | null = null) => ({
    recommendation,
    variant,
    why,
  });
  if (users === 0 || findings.length === 0) return answer("CONTINUE", "There is no data yet.");
  if (results.srm.warning)
    return answer("INVESTIGATE", "The sizes of the arms do not match their weights, so no comparison can be trusted.");
  if (results.crossover > CROSSOVER_LIMIT * (users + results.crossover)) {
    return answer("INVESTIGATE", "Too many users were seen in two arms for the arms to be compared.");
  }
  const better = findings.filter(
    ({ row, isPrimary, establishedBy, conclusion }) =>
      isPrimary && establishedBy !== null && isEstablished(row.hypothesis, conclusion),
  );
  const harmed = new Set(findings.filter(isWorse).map(({ row }) => row.variant));
  const sound = better.filter(({ row }) => !harmed.has(row.variant)).sort((a, b) => b.gain - a.gain);
  const unshown = findings.filter(isUnshown);
  const shipped = sound.find(({ row }) => unshown.every((one) => one.row.variant !== row.variant));
  if (shipped) {
    const test =
      shipped.establishedBy === "PLANNED_LOOK"
        ? `${planned?.of === 1 ? "the test at the planned size" : "a planned look"}, on ${shipped.date}`
        : "a test that may be read at any time";
    return answer("SHIP", `${shows(shipped)}, by ${test}.`, shipped.row.variant);
  }
  if (sound[0]) {
    const { variant } = sound[0].row;
    const missing = unshown
      .filter(({ row }) => row.variant === variant)
      .map(({ row }) => `${row.name} (${within(row)})`);
    const why = `${shows(sound[0])}, but is not shown to be within the margin of ${missing.join(" and ")}.`;
    return answer(hasEnded ? "INVESTIGATE" : "CONTINUE", why);
  }
  if (better[0]) return answer("INVESTIGATE", `${shows(better[0])}, and worse on another metric that counts.`);
  const { action, reason } = sequential.recommendation;
  if (action === "STOP_FOR_HARM" || action === "STOP_FOR_FUTILITY") return answer("KEEP_CONTROL", `${reason}.`);
  if (hasEnded)
    return answer(
      "KEEP_CONTROL",
      findings.some(({ row, isPrimary }) => isPrimary && row.margin !== null)
        ? "The experiment has reached its planned size, and no treatment has met its hypothesis."
        : "The experiment has reached its planned size, and no treatment is significantly better.",
    );
  return answer("CONTINUE", "The results are inconclusive: no effect is significant, and none is ruled out.");
}

function describe({ row, sequential }: Finding): string {
  if (row.status !== "OK") return `${row.name}, ${row.variant}: no comparison (${row.status}).`;
  const interval = row.confidence_interval
    ? ` (interval ${number(row.confidence_interval[0])} to ${number(row.confidence_interval[1])})`
    : "";
  const adjusted = row.adjusted_p_value === null ? "" : `, adjusted ${number(row.adjusted_p_value)}`;
  const always = sequential?.p_value == null ? "" : `, valid at any time ${number(sequential.p_value)}`;
  const margin = row.margin_p_value === null ? "" : `; ${within(row)}: one-sided p ${number(row.margin_p_value)}`;
  const by = row.adjustment?.adjusted_control_mean == null ? "" : ` by ${row.adjustment.method}`;
  return `${row.name}, ${row.variant}: ${number(row.treatment_value)} against ${number(row.control_value)}, difference ${number(row.difference)}${by}${interval}; p ${number(row.p_value)}${adjusted}${always}${margin}.`;
}

/** Whether a primary metric or a guardrail is significantly worse. */
export function isWorse({ isPrimary, isGuardrail, establishedBy, conclusion }: Finding): boolean {
  return (isPrimary || isGuardrail) && establishedBy !== null && conclusion === "INFERIOR";
}

/** Rounds to four significant digits. */
export function number(value: number): string {
  return String(Number(value.toPrecision(4)));
}
