import type { EventLog } from "./event-log.ts";
import type { Participants } from "./exposure.ts";
import { type MetricStatistics, planTallies, toStatistics } from "./metric.ts";
import type { Metric } from "./metric-definition.ts";
import type { Subject } from "./subject.ts";
import { attendanceOf } from "./sufficient-statistics.ts";
import { createTallies } from "./tally.ts";
import type { TallyColumn } from "./tally-column.ts";

/** The maximum number of cells, because arm numbers are bytes. */
export const MAX_CELLS = 255;

export interface OverlapOptions {
  /** The other experiments. */
  others: Subject[];
  /** Id or name of the metric; null for each pair's own metric: the first PRIMARY metric, or else the first. */
  metric: string | null;
}

/** The users who are in two experiments. */
export interface OverlapStatistics {
  /** Numbers of the two experiments: 0 is the subject, 1 the first of the others. */
  first: number;
  second: number;
  /** Number of users by arm of the first and arm of the second experiment. */
  users: number[][];
  /**
   * The metric with one arm for each cell, row by row; null if there is no such metric or there are more than 255
   * cells.
   */
  metric: MetricStatistics | null;
}

/** The arms of an experiment's users: sufficient for its pairs with others. */
type Places = Pick<Participants, "slots" | "arms" | "length" | "clusters">;

/** An experiment whose outcomes are measured, by slot of its participants. */
interface Measured {
  places: Places;
  metric: Metric;
  tallies: readonly TallyColumn[];
}

/**
 * Sums all pairs of some experiments over the users in both. The outcome is a metric of one experiment as in its
 * results: a user's events since the first exposure there. The metric is taken from the first experiment if it has it,
 * otherwise from the second.
 */
export function computeOverlaps(
  log: EventLog,
  subject: Subject,
  { others, metric }: OverlapOptions,
): OverlapStatistics[] {
  const subjects = [subject, ...others];
  const places: Places[] = [];
  const overlaps: OverlapStatistics[] = [];
  const measured: (Measured | null)[] = [];
  // Backwards, so that only the slots of the others are needed: the times of exposures are eight times as large.
  for (let first = subjects.length - 1; first >= 0; first--) {
    const own = measure(log, subjects[first]!, metric);
    places[first] = own.places;
    // If the metric is given by name, the second of a pair may have to supply it; otherwise the first has its own.
    measured[first] = metric === null ? null : own.measured;
    for (let second = first + 1; second < subjects.length; second++) {
      const arms = [subjects[first]!.variants.length, subjects[second]!.variants.length] as const;
      const shared = findShared(places[first]!, places[second]!);
      const side = own.measured ? "first" : "second";
      const outcome = own.measured ?? measured[second] ?? null;
      overlaps.push({
        first,
        second,
        users: countCells(shared, arms),
        metric: outcome && arms[0] * arms[1] <= MAX_CELLS ? measureCells(outcome, shared, shared[side], arms) : null,
      });
    }
  }
  return overlaps.sort((a, b) => a.first - b.first || a.second - b.second);
}

function measure(log: EventLog, subject: Subject, name: string | null): { places: Places; measured: Measured | null } {
  const { spans, participants, metrics } = attendanceOf(log, subject, name);
  const { slots, arms, length, clusters } = participants;
  const places = { slots, arms: arms.slice(0, length), length, ...(clusters && { clusters }) };
  const metric = metrics.find(({ role }) => role === "PRIMARY") ?? metrics[0];
  if (!metric) return { places, measured: null };
  const tallies = createTallies(log, subject, participants, planTallies(metric));
  tallies.add(spans);
  return { places, measured: { places, metric, tallies: tallies.columns } };
}

/** Units in both experiments, in order of the first one's slots: their slots in each and their cell. */
interface Shared {
  first: Uint32Array;
  second: Uint32Array;
  firstArms: Uint8Array;
  secondArms: Uint8Array;
}

/** Finds the units in both experiments. Several ids of a unit share a slot; the first id that is in both decides. */
function findShared(a: Places, b: Places): Shared {
  const slotIn = new Int32Array(a.length).fill(-1);
  let count = 0;
  const users = Math.min(a.slots.length, b.slots.length);
  for (let user = 0; user < users; user++) {
    const [slot, other] = [a.slots[user]!, b.slots[user]!];
    if (slot < 0 || other < 0 || slotIn[slot]! >= 0) continue;
    slotIn[slot] = other;
    count++;
  }
  const shared = {
    first: new Uint32Array(count),
    second: new Uint32Array(count),
    firstArms: new Uint8Array(count),
    secondArms: new Uint8Array(count),
  };
  let index = 0;
  for (let slot = 0; slot < a.length; slot++) {
    const other = slotIn[slot]!;
    if (other < 0) continue;
    shared.first[index] = slot;
    shared.second[index] = other;
    shared.firstArms[index] = a.arms[slot]!;
    shared.secondArms[index] = b.arms[other]!;
    index++;
  }
  return shared;
}

function countCells({ firstArms, secondArms }: Shared, [rows, columns]: readonly [number, number]): number[][] {
  const users = Array.from({ length: rows }, () => new Array<number>(columns).fill(0));
  for (let index = 0; index < firstArms.length; index++) users[firstArms[index]!]![secondArms[index]!]! += 1;
  return users;
}

/** Returns the statistics of a metric with a cell in place of an arm. */
function measureCells(
  { metric, tallies, places }: Measured,
  { firstArms, secondArms }: Shared,
  slots: Uint32Array,
  [rows, columns]: readonly [number, number],
): MetricStatistics {
  const arms = new Uint8Array(slots.length);
  for (let index = 0; index < arms.length; index++) arms[index] = firstArms[index]! * columns + secondArms[index]!;
  const participants: Participants = {
    length: slots.length,
    slots: new Int32Array(),
    since: new Float64Array(),
    arms,
    crossover: 0,
    forced: 0,
    inferred: 0,
    ...(places.clusters && { clusters: { ...places.clusters, of: slots.map((slot) => places.clusters!.of[slot]!) } }),
  };
  const narrowed = tallies.map((tally) => narrow(tally, slots, places.length));
  return toStatistics(metric, narrowed, participants, rows * columns);
}

/** Returns a tally of some of the slots, renumbered. */
function narrow(tally: TallyColumn, slots: Uint32Array, length: number): TallyColumn {
  return {
    add() {},
    cells(from, to) {
      // Hot path: a pair of a million users; `Float64Array.from` would take ten times as long.
      const all = tally.cells(0, length);
      const cells = new Float64Array(to - from);
      for (let index = from; index < to; index++) cells[index - from] = all[slots[index]!]!;
      return cells;
    },
    list() {
      const numbers = new Map(Array.from(slots, (slot, index) => [slot, index]));
      const { values, slots: owners } = tally.list();
      const kept = Uint32Array.from(owners.keys()).filter((index) => numbers.has(owners[index]!));
      return {
        values: Float64Array.from(kept, (index) => values[index]!),
        slots: kept.map((index) => numbers.get(owners[index]!)!),
      };
    },
    extend() {},
  };
}
