import type { EventLog } from "./event-log.ts";
import { type GroupStatistics, sumUpGroups } from "./groups.ts";
import { reorder } from "./slot-order.ts";
import type { Subject } from "./subject.ts";
import { attendanceOf } from "./sufficient-statistics.ts";

export interface PeriodOptions {
  /** When the weights changed, milliseconds since 1970, in order. */
  changes: number[];
  /** Id or name of one metric; null for all. */
  metric: string | null;
}

/**
 * Sums an experiment by the time of users' first exposures, which is when their arm was drawn: one period before the
 * first change, one after each. Each participant is in one of them, with all later events.
 */
export function computePeriods(log: EventLog, subject: Subject, { changes, metric }: PeriodOptions): GroupStatistics[] {
  const { spans, participants: found, metrics } = attendanceOf(log, subject, metric);
  const { since, length } = found;
  const periods = Uint32Array.from({ length }, (_, slot) => periodOf(changes, since[slot]!));
  const { participants, ends } = reorder(found, periods, changes.length + 1);
  return sumUpGroups(log, subject, { spans, participants, metrics }, ends);
}

/** Counts the changes at or before a time. */
function periodOf(changes: readonly number[], time: number): number {
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (changes[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
