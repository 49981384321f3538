import type { BaselinePlan } from "./baseline.ts";
import type { ReceiptColumns } from "./columns.ts";
import type { Metric } from "./metric-definition.ts";

/** The status of an experiment. */
export type ExperimentStatus = "DRAFT" | "ACTIVE" | "PAUSED" | "COMPLETED" | "ARCHIVED";

/** An experiment as the analysis needs it. Plain data, so that it can be sent to a worker. */
export interface Subject {
  experimentId: string;
  /** Keys of the arms, control first. */
  variants: string[];
  /** Statuses in order, each with its start. They are evaluated at times of receipt. */
  history: { status: ExperimentStatus; at: number }[];
  /** Metrics; null if the experiment has none. Each event type seen is then a metric. */
  metrics: Metric[] | null;
  /** Whether outcomes count even if they name another experiment. */
  everyOutcome?: true;
  /**
   * Whether users seen in two arms stay in the first instead of being excluded. If weights change, returning users meet
   * another arm without a fault, and excluding them would select by arm.
   */
  keepsFirstArm?: true;
  /** How metrics are adjusted by data from before the exposure; absent if they are not. */
  baseline?: BaselinePlan;
  /**
   * Users were drawn in clusters: the experiment's joins put them there. A mean is over users, its error over clusters.
   * REQUIRED leaves out users without a join; IF_KNOWN does so if there is a join of any user, else each user was drawn
   * alone. If absent, the users of a unit are analysed as one.
   */
  clusters?: "REQUIRED" | "IF_KNOWN";
  /** A user is in several clusters over time, in any arm; with `clusters: "REQUIRED"`. */
  switchback?: SwitchbackPlan;
}

/** How clusters follow each other in a switchback. */
export interface SwitchbackPlan {
  /** Length of a period, in milliseconds; periods start at whole multiples of it since 1970. */
  periodMs: number;
  /** Exposures within this time after the start of a period do not count, nor do the events that follow them. */
  washoutMs: number;
}

/** Consecutive rows received under the same rules. */
export interface Span {
  from: number;
  to: number;
  /** Whether exposures received then count, because the experiment was ACTIVE. */
  exposes: boolean;
}

const DAY = 86_400_000;

type Receipts = Pick<ReceiptColumns, "length" | "times" | "starts">;

/** Returns the rows received while an experiment was ACTIVE or PAUSED. At other times nothing counts. */
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

/** Groups the spans by day of receipt, without days that have none. If a clock was set back, the day stays the same. */
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

/** Adds the rows of one record if they count. */
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

function statusAt(history: Subject["history"], time: number): ExperimentStatus | null {
  let status: ExperimentStatus | null = null;
  for (const entry of history) {
    if (entry.at > time) break;
    status = entry.status;
  }
  return status;
}
