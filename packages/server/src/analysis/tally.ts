import { EXPOSURE } from "../events/journal.ts";
import { JOIN } from "./event-kind.ts";
import type { EventLog } from "./event-log.ts";
import type { Participants } from "./exposure.ts";
import type { Span, Subject } from "./subject.ts";

/** What is kept of one event type per participant. */
export type TallyOperation = "ANY" | "COUNT" | "SUM" | "VALUES" | "SUM_OR_COUNT" | "MINIMUM" | "MAXIMUM" | "LIST";

/** One number per participant, or the list of all values. */
export interface Tally {
  operation: TallyOperation;
  eventType: string;
  /** Milliseconds after the first exposure within which events count. */
  windowMs: number;
  /** By slot; NaN where a minimum or maximum has no value. */
  cells: Float64Array;
  /** LIST: every value, and whose it is. */
  list: { values: number[]; slots: number[] };
}

/** What is to be tallied. */
export type TallyPlan = Pick<Tally, "operation" | "eventType" | "windowMs">;

/** Creates a tally without an event. */
export function createTally(plan: TallyPlan, participants: number): Tally {
  const { operation } = plan;
  const cells = new Float64Array(operation === "LIST" ? 0 : participants);
  if (operation === "MINIMUM" || operation === "MAXIMUM") cells.fill(Number.NaN);
  return { ...plan, cells, list: { values: [], slots: [] } };
}

/** Whether events of each kind are outcomes of an experiment: all that are no exposures, unless they name another. */
export function outcomeKinds(log: EventLog, { experimentId }: Subject): boolean[] {
  return log.kinds.map(
    (kind) =>
      kind.type !== JOIN &&
      kind.type !== EXPOSURE &&
      (kind.experimentId === null || kind.experimentId === experimentId),
  );
}

/** Fills tallies with the participants' outcomes: those from the first exposure on, in whatever order they came. */
export function fillTallies(
  log: EventLog,
  subject: Subject,
  spans: readonly Span[],
  participants: Participants,
  tallies: readonly Tally[],
): void {
  const { users, times, kinds, values } = log.rows;
  const { slots, since } = participants;
  const wanted = outcomeKinds(log, subject).map((isOutcome, kind) =>
    isOutcome ? tallies.filter((tally) => tally.eventType === log.kinds[kind]!.type) : [],
  );
  const isWanted = Uint8Array.from(wanted, (list) => (list.length > 0 ? 1 : 0));
  // Hot: the same ten million rows.
  for (const { from, to } of spans) {
    for (let row = from; row < to; row++) {
      const kind = kinds[row]!;
      if (isWanted[kind] === 0) continue;
      const slot = slots[users[row]!]!;
      if (slot < 0) continue;
      const age = times[row]! - since[slot]!;
      if (age < 0) continue;
      const list = wanted[kind]!;
      for (let index = 0; index < list.length; index++) {
        const tally = list[index]!;
        if (age <= tally.windowMs) addTo(tally, slot, values[row]!);
      }
    }
  }
}

function addTo(tally: Tally, slot: number, value: number): void {
  const { cells, operation } = tally;
  const hasValue = !Number.isNaN(value);
  switch (operation) {
    case "ANY":
      cells[slot] = 1;
      return;
    case "COUNT":
      cells[slot]! += 1;
      return;
    case "SUM":
      if (hasValue) cells[slot]! += value;
      return;
    case "VALUES":
      if (hasValue) cells[slot]! += 1;
      return;
    case "SUM_OR_COUNT":
      cells[slot]! += hasValue ? value : 1;
      return;
    case "MINIMUM":
      if (hasValue && !(cells[slot]! <= value)) cells[slot] = value;
      return;
    case "MAXIMUM":
      if (hasValue && !(cells[slot]! >= value)) cells[slot] = value;
      return;
    case "LIST":
      if (!hasValue) return;
      tally.list.values.push(value);
      tally.list.slots.push(slot);
  }
}

/** Event types among the participants' outcomes, and whether any carries a value; sorted by type. */
export function seenEventTypes(
  log: EventLog,
  subject: Subject,
  spans: readonly Span[],
  participants: Participants,
): { type: string; hasValues: boolean }[] {
  const { users, times, kinds, values } = log.rows;
  const { slots, since } = participants;
  // 0: no outcome, 1: not seen, 2: seen, 3: seen with a value, which is all there is to know.
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
    if (state[number]! >= 2) types.set(type, (types.get(type) ?? false) || state[number] === 3);
  }
  return [...types].map(([type, hasValues]) => ({ type, hasValues })).sort((a, b) => (a.type < b.type ? -1 : 1));
}
