import type { GroupStatistics } from "./groups.ts";
import { sumUpGroups } from "./groups.ts";
import { reorder } from "./slot-order.ts";
import type { Stays } from "./stays.ts";
import type { Subject } from "./subject.ts";
import { attendanceOf } from "./sufficient-statistics.ts";

/** The stays of a switchback whose person was in the same arm in the stay before, and those who came from another arm. */
export interface CarryOverStatistics {
  same: GroupStatistics;
  other: GroupStatistics;
}

/** Sums a switchback by the arm of the same person's stay before. First stays are in neither group. */
export function computeCarryOver({ log, previous }: Stays, subject: Subject): CarryOverStatistics {
  const { spans, participants: found, metrics } = attendanceOf(log, subject);
  const groups = new Uint32Array(found.length);
  for (let stay = 0; stay < previous.length; stay++) {
    const [slot, before] = [found.slots[stay]!, found.slots[previous[stay]!] ?? -1];
    if (slot >= 0 && before >= 0) groups[slot] = found.arms[slot] === found.arms[before] ? 1 : 2;
  }
  const { participants, ends } = reorder(found, groups, 3);
  const [, same, other] = sumUpGroups(log, subject, { spans, participants, metrics }, ends);
  return { same: same!, other: other! };
}
