import { type Accumulation, accumulateAlone } from "./accumulation.ts";
import { callCrew } from "./crew.ts";
import { JOIN } from "./event-kind.ts";
import type { EventLog } from "./event-log.ts";
import { EXPOSURE } from "./event-record.ts";
import type { Participants } from "./exposure.ts";
import { type ArrayType, allocate, borrow, toShared } from "./memory.ts";
import type { Span, Subject } from "./subject.ts";
import { createTallyCells, createTallyColumn, type TallyColumn, type TallyPlan } from "./tally-column.ts";

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
  const types = [...new Set(plans.map(({ eventType }) => eventType))];
  // Memory for one thread costs less where there is only one.
  const crew = callCrew(log.rows.length);
  const tallies = plans.map((plan) => ({
    type: types.indexOf(plan.eventType),
    plan,
    cells: createTallyCells(plan, participants.length, crew ? borrow : allocate),
  }));
  const shared: <T extends Int32Array | Uint32Array | Float64Array>(array: T, type: ArrayType<T>) => T = crew
    ? toShared
    : (array) => array;
  const { users, kinds, times, values } = log.rows;
  const work: Accumulation = {
    rows: {
      users: shared(users, Uint32Array),
      kinds: shared(kinds, Uint32Array),
      times: shared(times, Float64Array),
      values: shared(values, Float64Array),
    },
    slots: shared(participants.slots, Int32Array),
    since: shared(participants.since, Float64Array),
    length: participants.length,
    typeOf: Int32Array.from(outcomeKinds(log, subject), (isOutcome, kind) =>
      isOutcome ? types.indexOf(log.kinds[kind]!.type) : -1,
    ),
    types: types.length,
    sign: period === "SINCE_EXPOSURE" ? 1 : -1,
    leastAge: period === "SINCE_EXPOSURE" ? 0 : Number.MIN_VALUE,
    tallies,
  };
  const columns = tallies.map(({ plan, cells }) => createTallyColumn(plan, cells));

  function add(spans: readonly Span[]): void {
    const count = spans.reduce((sum, { from, to }) => sum + to - from, 0);
    if (count === 0 || types.length === 0) return;
    const shares = crew?.isWorth(count) ? crew.accumulate(work, spans) : [accumulateAlone(work, spans)];
    for (const share of shares) for (const [index, list] of share.entries()) if (list) columns[index]!.extend(list);
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
