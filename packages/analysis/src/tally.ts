import { JOIN } from "./event-kind.ts";
import type { EventLog } from "./event-log.ts";
import { EXPOSURE } from "./event-record.ts";
import type { Participants } from "./exposure.ts";
import type { Span, Subject } from "./subject.ts";
import { createTallyColumn, type TallyColumn, type TallyPlan } from "./tally-column.ts";

/** The number of rows that are sorted by event type at once; small enough to stay in the processor's cache. */
const BLOCK = 4096;
/**
 * The maximum number of event types that become metrics of an experiment without metrics, because any client can add
 * types.
 */
const MAX_SEEN_TYPES = 100;

/**
 * Returns whether events of each kind are outcomes of an experiment: all except exposures, unless they name another.
 */
export function outcomeKinds(log: EventLog, { experimentId, everyOutcome }: Subject): boolean[] {
  return log.kinds.map(
    (kind) =>
      kind.type !== JOIN &&
      kind.type !== EXPOSURE &&
      (everyOutcome === true || kind.experimentId === null || kind.experimentId === experimentId),
  );
}

/** Tallies that accumulate rows, span after span. */
export interface Tallies {
  readonly columns: readonly TallyColumn[];
  add(spans: readonly Span[]): void;
}

/** The events of participants that count: from the first exposure on, or those before it. */
export type TallyPeriod = "SINCE_EXPOSURE" | "BEFORE_EXPOSURE";

/**
 * Creates empty tallies of the participants' outcomes, which may be added in any order. Before the exposure, an event's
 * age is the time until it, so that a plan's window looks back.
 */
export function createTallies(
  log: EventLog,
  subject: Subject,
  participants: Participants,
  plans: readonly TallyPlan[],
  period: TallyPeriod = "SINCE_EXPOSURE",
): Tallies {
  const sign = period === "SINCE_EXPOSURE" ? 1 : -1;
  const least = period === "SINCE_EXPOSURE" ? 0 : Number.MIN_VALUE;
  const columns = plans.map((plan) => createTallyColumn(plan, participants.length));
  const types = [...new Set(plans.map(({ eventType }) => eventType))];
  const columnsOf = types.map((type) => columns.filter((_, plan) => plans[plan]!.eventType === type));
  const typeOf = Int32Array.from(outcomeKinds(log, subject), (isOutcome, kind) =>
    isOutcome ? types.indexOf(log.kinds[kind]!.type) : -1,
  );
  const slots = new Uint32Array(types.length * BLOCK);
  const ages = new Float64Array(types.length * BLOCK);
  const values = new Float64Array(types.length * BLOCK);
  const lengths = new Uint32Array(types.length);

  /** Sorts the outcomes among some rows by type. */
  function gather(from: number, to: number): void {
    const { users, kinds, times } = log.rows;
    const { slots: slotOf, since } = participants;
    for (let row = from; row < to; row++) {
      const type = typeOf[kinds[row]!]!;
      if (type < 0) continue;
      const slot = slotOf[users[row]!]!;
      if (slot < 0) continue;
      const age = sign * (times[row]! - since[slot]!);
      if (age < least) continue;
      const at = type * BLOCK + lengths[type]!++;
      slots[at] = slot;
      ages[at] = age;
      values[at] = log.rows.values[row]!;
    }
  }

  // Hot path: ten million rows. A single loop over all rows would mispredict the branch on the event type at every row;
  // sorted in blocks, each tally is a short loop without unpredictable branches.
  function add(spans: readonly Span[]): void {
    for (const span of spans) {
      for (let from = span.from; from < span.to; from += BLOCK) {
        lengths.fill(0);
        gather(from, Math.min(from + BLOCK, span.to));
        for (const [type, some] of columnsOf.entries()) {
          const block = { from: type * BLOCK, to: type * BLOCK + lengths[type]!, slots, ages, values };
          for (const column of some) column.add(block);
        }
      }
    }
  }

  return { columns, add };
}

/**
 * Lists the event types among the participants' outcomes, sorted, and whether any event has a value. Beyond {@link
 * MAX_SEEN_TYPES}, the types that the log has known longest.
 */
export function seenEventTypes(
  log: EventLog,
  subject: Subject,
  spans: readonly Span[],
  participants: Participants,
): { type: string; hasValues: boolean }[] {
  const { users, times, kinds, values } = log.rows;
  const { slots, since } = participants;
  // 0: no outcome, 1: not seen, 2: seen, 3: seen with a value, the final state.
  const state = Uint8Array.from(outcomeKinds(log, subject), (isOutcome) => (isOutcome ? 1 : 0));
  for (const { from, to } of spans) {
    for (let row = from; row < to; row++) {
      const kind = kinds[row]!;
      const known = state[kind]!;
      if (known === 0 || known === 3) continue;
      const slot = slots[users[row]!]!;
      if (slot < 0 || times[row]! < since[slot]!) continue;
      state[kind] = Number.isNaN(values[row]!) ? 2 : 3;
    }
  }
  const types = new Map<string, boolean>();
  for (const [number, { type }] of log.kinds.entries()) {
    if (types.size === MAX_SEEN_TYPES && !types.has(type)) continue;
    if (state[number]! >= 2) types.set(type, (types.get(type) ?? false) || state[number] === 3);
  }
  return [...types].map(([type, hasValues]) => ({ type, hasValues })).sort((a, b) => (a.type < b.type ? -1 : 1));
}
