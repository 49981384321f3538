import type { Experiment, Metric } from "@assay/contract";
import type { ExperimentRecord } from "../areas/experiments/record.ts";
import type { ReceiptColumns } from "./columns.ts";

/** What the analysis has to know of an experiment; plain data, so that it can cross to a worker. */
export interface Subject {
  experimentId: string;
  /** Keys of the arms, control first. */
  variants: string[];
  /** In order; receipt times are judged by it. */
  history: { status: Experiment["status"]; at: number }[];
  /** Null where it has none: then every event type seen is a metric. */
  metrics: Metric[] | null;
  /** Outcomes count whichever experiment they name; else those that name another do not. */
  everyOutcome?: true;
  /**
   * Users seen in two arms stay in the first instead of being left out: where weights change, meeting another
   * arm is no fault, and it befalls those who come back, so leaving them out would select by arm.
   */
  keepsFirstArm?: true;
}

/** Takes from an experiment what its analysis depends on. */
export function toSubject(record: ExperimentRecord): Subject {
  return {
    experimentId: record.id,
    variants: armsOf(record).map(({ key }) => key),
    history: record.status_history.map(({ status, at }) => ({ status, at: Date.parse(at) })),
    metrics: record.metrics.length > 0 ? record.metrics : null,
    ...(record.allocation !== "FIXED" && { keepsFirstArm: true }),
  };
}

/** The arms of an experiment, control first: the first that says so, else the first. */
export function armsOf(record: Pick<ExperimentRecord, "variants">): ExperimentRecord["variants"] {
  const control = record.variants.find((variant) => variant.is_control) ?? record.variants[0];
  return control ? [control, ...record.variants.filter((variant) => variant !== control)] : [];
}

/** Consecutive rows received under the same rules. */
export interface Span {
  from: number;
  to: number;
  /** Whether exposures received then are taken: the experiment was ACTIVE. */
  exposes: boolean;
}

const DAY = 86_400_000;

type Receipts = Pick<ReceiptColumns, "length" | "times" | "starts">;

/** The rows received while an experiment was ACTIVE or PAUSED; at other times nothing counts. */
export function spansOf(receipts: Receipts, rows: number, history: Subject["history"]): Span[] {
  const spans: Span[] = [];
  for (let index = 0; index < receipts.length; index++) addRecord(spans, receipts, index, rows, history);
  return spans;
}

/** The rows received on one day. */
export interface DailySpans {
  /** Days since 1970, UTC. */
  day: number;
  spans: Span[];
}

/** The spans by day of receipt; a day without any is left out. A clock that was set back does not go back a day. */
export function dailySpansOf(receipts: Receipts, rows: number, history: Subject["history"]): DailySpans[] {
  const days: DailySpans[] = [];
  for (let index = 0; index < receipts.length; index++) {
    const last = days.at(-1);
    const day = Math.max(last?.day ?? Number.NEGATIVE_INFINITY, Math.floor(receipts.times[index]! / DAY));
    const spans = last?.day === day ? last.spans : [];
    addRecord(spans, receipts, index, rows, history);
    if (spans.length > 0 && last?.day !== day) days.push({ day, spans });
  }
  return days;
}

/** Adds one record's rows, if they count. */
function addRecord(spans: Span[], receipts: Receipts, index: number, rows: number, history: Subject["history"]): void {
  const status = statusAt(history, receipts.times[index]!);
  if (status !== "ACTIVE" && status !== "PAUSED") return;
  const exposes = status === "ACTIVE";
  const from = receipts.starts[index]!;
  const to = index + 1 < receipts.length ? receipts.starts[index + 1]! : rows;
  const last = spans.at(-1);
  if (last && last.to === from && last.exposes === exposes) last.to = to;
  else spans.push({ from, to, exposes });
}

function statusAt(history: Subject["history"], time: number): Experiment["status"] | null {
  let status: Experiment["status"] | null = null;
  for (const entry of history) {
    if (entry.at > time) break;
    status = entry.status;
  }
  return status;
}
