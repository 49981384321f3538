import type { EventLog } from "./event-log.ts";
import { exposureKinds, FORCED, type Participants } from "./exposure.ts";
import { type Subject, spansOf } from "./subject.ts";
import { participantsOf } from "./sufficient-statistics.ts";
import { outcomeKinds } from "./tally.ts";

const HOUR = 3_600_000;

export interface CountOptions {
  /** Position in the journal; counts only what was received after it. 0 for everything. */
  after: number;
}

/** What the events of an experiment add up to; each array is by arm, in the order of the subject's variants. */
export interface EventCounts {
  /** Participants whose first received exposure is counted. */
  assignments: number[];
  /** Exposures of the participants, and their outcomes since their first exposure. */
  events: number[];
  /** Outcomes that a metric counts; all outcomes if the experiment has no metrics. */
  conversions: number[];
  /** Time of receipt of the last counted event, in milliseconds since 1970; null without one. */
  receivedAt: number | null;
}

/**
 * Counts an experiment's users and events by the rules of {@link computeStatistics}. Participants, their arms and their
 * first exposure are those known now, so that counts after a position plus counts up to it are always the counts of
 * everything.
 */
export function computeCounts(log: EventLog, subject: Subject, { after }: CountOptions): EventCounts {
  const spans = spansOf(log.receipts, log.rows.length, subject.history);
  const participants = participantsOf(log, subject, spans);
  const rules = rulesOf(log, subject);
  const first = rowAfter(log, after);
  const entered = new Uint8Array(participants.length);
  const none = () => new Float64Array(subject.variants.length);
  const sums: Sums = { assignments: none(), events: none(), conversions: none(), last: -1 };
  for (const { from, to, exposes } of spans) {
    if (exposes) {
      enter(log, participants, rules, entered, null, from, Math.min(to, first));
      enter(log, participants, rules, entered, sums.assignments, Math.max(from, first), to);
    }
    addEvents(
      log,
      participants,
      exposes ? rules : { ...rules, isExposure: rules.never },
      sums,
      Math.max(from, first),
      to,
    );
  }
  const { assignments, events, conversions, last } = sums;
  return {
    assignments: [...assignments],
    events: [...events],
    conversions: [...conversions],
    receivedAt: receiptOf(log, last),
  };
}

/** What each kind of event is to an experiment; each array is by kind, with 1 for yes. */
interface Rules {
  isExposure: Uint8Array;
  isOutcome: Uint8Array;
  /** For how many milliseconds after the first exposure a metric counts the events; negative if none does. */
  windows: Float64Array;
  /** All 0. */
  never: Uint8Array;
}

interface Sums {
  assignments: Float64Array;
  events: Float64Array;
  conversions: Float64Array;
  /** The last row that counts; -1 without one. */
  last: number;
}

function rulesOf(log: EventLog, subject: Subject): Rules {
  const { arms, flags } = exposureKinds(log, subject);
  return {
    isExposure: arms.map((arm, kind) => (arm !== 0 && (flags[kind]! & FORCED) === 0 ? 1 : 0)),
    isOutcome: Uint8Array.from(outcomeKinds(log, subject), Number),
    windows: windowsOf(log, subject),
    never: new Uint8Array(log.kinds.length),
  };
}

// Hot path: ten million rows; plain loops over typed arrays, without allocations.

/** Marks the participants who have an exposure among some rows, and counts the new ones by arm. */
function enter(
  { rows: { users, kinds } }: EventLog,
  { slots, arms }: Participants,
  { isExposure }: Rules,
  entered: Uint8Array,
  assignments: Float64Array | null,
  from: number,
  to: number,
): void {
  for (let row = from; row < to; row++) {
    if (isExposure[kinds[row]!] === 0) continue;
    const slot = slots[users[row]!]!;
    if (slot < 0 || entered[slot] === 1) continue;
    entered[slot] = 1;
    if (assignments) assignments[arms[slot]!]! += 1;
  }
}

/** Counts the participants' events among some rows. */
function addEvents(
  { rows: { users, kinds, times } }: EventLog,
  { slots, arms, since }: Participants,
  { isExposure, isOutcome, windows }: Rules,
  sums: Sums,
  from: number,
  to: number,
): void {
  const { events, conversions } = sums;
  let last = -1;
  for (let row = from; row < to; row++) {
    const slot = slots[users[row]!]!;
    if (slot < 0) continue;
    const kind = kinds[row]!;
    const age = times[row]! - since[slot]!;
    const isCounted = isOutcome[kind] === 1 && age >= 0;
    if (!isCounted && isExposure[kind] === 0) continue;
    const arm = arms[slot]!;
    events[arm]! += 1;
    if (isCounted && age <= windows[kind]!) conversions[arm]! += 1;
    last = row;
  }
  if (last >= 0) sums.last = last;
}

function windowsOf(log: EventLog, { metrics }: Subject): Float64Array {
  return Float64Array.from(log.kinds, ({ type }) => {
    if (metrics === null) return Number.POSITIVE_INFINITY;
    const own = metrics.filter(({ event_type }) => event_type === type);
    const hours = own.map((metric) => metric.conversion_window_hours ?? Number.POSITIVE_INFINITY);
    return Math.max(-1, ...hours.map((one) => one * HOUR));
  });
}

/** Returns the first row received after a position. */
function rowAfter({ receipts, rows }: EventLog, position: number): number {
  const next = firstAbove(receipts.positions, receipts.length, position);
  return next === receipts.length ? rows.length : receipts.starts[next]!;
}

/** Returns when a row was received; null for no row. */
function receiptOf({ receipts }: EventLog, row: number): number | null {
  return row < 0 ? null : receipts.times[firstAbove(receipts.starts, receipts.length, row) - 1]!;
}

/** Returns the index of the first of `length` ascending values that is larger than a limit. */
function firstAbove(values: Float64Array | Uint32Array, length: number, limit: number): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
