import type { EventColumns } from "./columns.ts";
import { JOIN } from "./event-kind.ts";
import type { EventLog } from "./event-log.ts";
import { EXPLICIT, exposureKinds } from "./exposure.ts";
import { type Subject, type SwitchbackPlan, spansOf } from "./subject.ts";
import { unitsOf } from "./unit.ts";

/** How the exposures of a switchback fit its periods. */
export interface StayCounts {
  /** Exposures that say their cluster. */
  exposures: number;
  /** Those outside of the period in which their cluster has most: the host's periods are not those of the experiment. */
  astray: number;
}

/** A log whose users are stays, for the analysis of one switchback. */
export interface Stays {
  log: EventLog;
  counts: StayCounts;
  /** By user index of the log: the index of the same person's previous stay; -1 if there is none. */
  previous: Int32Array;
}

/** The exposures of each person in order of time. */
interface Timeline {
  /** Rows that expose or say a cluster, person after person. */
  rows: Uint32Array;
  /** By person: where their rows end; they begin where those of the person before end. */
  ends: Uint32Array;
}

const NONE = -1;

/**
 * Reads a log as stays: the time that a person spends in one cluster, which is a unit in one period. A stay begins with the
 * first exposure in its cluster; every later event belongs to the stay of the person's latest exposure before it. An exposure
 * in the washout begins none, and events that follow it belong to no one. An exposure that does not say its cluster begins
 * a stay whose cluster is unknown. Rows keep their numbers, so that everything else reads the log as any other.
 */
export function toStays(log: EventLog, subject: Subject, plan: SwitchbackPlan): Stays {
  const { rows, kinds } = log;
  const persons = unitsOf(log, null);
  const personOf = (row: number) => (persons ? persons[rows.users[row]!]! : rows.users[row]!);
  const { rows: told, ends } = toTimeline(log, subject, personOf);
  const isJoin = Uint8Array.from(kinds, ({ type }) => (type === JOIN ? 1 : 0));
  const ignoredUser = log.users.length;
  const previous: number[] = [];
  const personsOf: number[] = [];
  const stays = new Uint32Array(told.length);
  const users = new Uint32Array(rows.users.length);
  const joins: number[] = [];

  function begin(person: number, before: number): number {
    previous.push(before);
    personsOf.push(person);
    return ignoredUser + previous.length;
  }

  for (let person = 0; person < ends.length; person++) {
    const from = ends[person - 1] ?? 0;
    const known = new Map<number, number>();
    let last = NONE;
    for (let at = from; at < ends[person]!; at++) {
      const row = told[at]!;
      const says = isJoin[rows.kinds[row]!] === 1;
      const time = rows.times[row]!;
      // An exposure and what it says of its cluster are two rows of one time.
      const isSaid = !says && at > from && rows.times[told[at - 1]!] === time;
      const cluster = says ? rows.values[row]! : NONE;
      if (isSaid) stays[at] = stays[at - 1]!;
      else if (isWashedOut(time, plan)) stays[at] = ignoredUser;
      else {
        const stay = known.get(cluster) ?? begin(person, last);
        known.set(cluster, stay);
        stays[at] = stay;
        last = stay;
      }
      if (!says) continue;
      users[row] = stays[at]!;
      joins.push(row);
    }
  }

  for (let row = 0; row < rows.length; row++) {
    if (isJoin[rows.kinds[row]!] === 1) continue;
    const person = personOf(row);
    const at = lastBefore(rows, told, ends[person - 1] ?? 0, ends[person]!, rows.times[row]!);
    users[row] = at === NONE ? person : stays[at]!;
  }
  const { receipts, attributes, outliers, gaps } = log;
  return {
    log: {
      ...{ receipts, attributes, outliers, gaps, kinds, ignoredUser },
      rows: { ...rows, users },
      persons: [...log.users.keys(), NONE, ...personsOf],
      // Stays have no names.
      users: log.users.concat(new Array<string>(previous.length + 1).fill("")),
      joins: joins.sort((a, b) => a - b),
    },
    counts: countAstray(rows, joins, plan.periodMs),
    previous: Int32Array.from([...new Array<number>(ignoredUser + 1).fill(NONE), ...previous]),
  };
}

function isWashedOut(time: number, { periodMs, washoutMs }: SwitchbackPlan): boolean {
  return time - periodMs * Math.floor(time / periodMs) < washoutMs;
}

/** Sorts the rows that expose to an arm, and those that say in which cluster, by person and time; those that say first. */
function toTimeline(log: EventLog, subject: Subject, personOf: (row: number) => number): Timeline {
  const { rows, kinds, receipts } = log;
  const { arms, flags } = exposureKinds(log, subject);
  const says = Uint8Array.from(kinds, ({ type, experimentId }) =>
    type === JOIN && experimentId === subject.experimentId ? 1 : 0,
  );
  const found: number[] = [];
  const counts = new Uint32Array(log.users.length + 1);
  for (const { from, to, exposes } of spansOf(receipts, rows.length, subject.history)) {
    if (!exposes) continue;
    for (let row = from; row < to; row++) {
      const kind = rows.kinds[row]!;
      if (says[kind] === 0 && (arms[kind] === 0 || (flags[kind]! & EXPLICIT) === 0)) continue;
      found.push(row);
      counts[personOf(row) + 1]! += 1;
    }
  }
  for (let person = 0; person < log.users.length; person++) counts[person + 1]! += counts[person]!;
  const ordered = new Uint32Array(found.length);
  const next = counts.slice();
  for (const row of found) ordered[next[personOf(row)]!++] = row;
  const ends = counts.subarray(1);
  for (let person = 0; person < ends.length; person++) {
    ordered
      .subarray(counts[person]!, ends[person]!)
      .sort((a, b) => rows.times[a]! - rows.times[b]! || says[rows.kinds[b]!]! - says[rows.kinds[a]!]! || a - b);
  }
  return { rows: ordered, ends };
}

/** Returns the place of the last row at or before a time; -1 if there is none. */
function lastBefore({ times }: EventColumns, told: Uint32Array, from: number, to: number, time: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[told[middle]!]! <= time) low = middle + 1;
    else high = middle;
  }
  return low === from ? NONE : low - 1;
}

function countAstray({ times, values }: EventColumns, joins: readonly number[], periodMs: number): StayCounts {
  const clusters = new Map<number, Map<number, number>>();
  for (const row of joins) {
    const periods = clusters.get(values[row]!) ?? new Map<number, number>();
    clusters.set(values[row]!, periods);
    const period = Math.floor(times[row]! / periodMs);
    periods.set(period, (periods.get(period) ?? 0) + 1);
  }
  let inside = 0;
  for (const periods of clusters.values()) inside += Math.max(...periods.values());
  return { exposures: joins.length, astray: joins.length - inside };
}
