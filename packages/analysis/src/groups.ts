import { createBaselines, withoutBaselines } from "./baseline.ts";
import type { EventLog } from "./event-log.ts";
import { type MetricStatistics, planTallies, toStatistics } from "./metric.ts";
import type { Subject } from "./subject.ts";
import { type Attendance, countArms, METRICS_A_PASS } from "./sufficient-statistics.ts";
import { createTallies } from "./tally.ts";

/** Groups x metrics x arms that baselines are kept of: each may be of 2,000 numbers. */
const MAX_BASELINES = 10_000;

/** Number of users and metrics of some participants, per arm, control first. */
export interface GroupStatistics {
  users: number[];
  metrics: MetricStatistics[];
}

/** Sums groups of participants in adjacent slots: group i has the slots from `ends[i - 1]` to before `ends[i]`. */
export function sumUpGroups(
  log: EventLog,
  subject: Subject,
  attendance: Attendance,
  ends: readonly number[],
): GroupStatistics[] {
  const { spans, participants, metrics } = attendance;
  const count = subject.variants.length;
  const isLarge = ends.length * metrics.length * count > MAX_BASELINES;
  const baselines =
    subject.baseline && isLarge ? withoutBaselines(subject.baseline) : createBaselines(log, subject, attendance);
  const ranges = ends.map((to, index) => ({ from: ends[index - 1] ?? 0, to }));
  const groups = ranges.map(
    ({ from, to }): GroupStatistics => ({
      users: countArms(participants.arms.subarray(from, to), count),
      metrics: [],
    }),
  );
  for (let from = 0; from < metrics.length; from += METRICS_A_PASS) {
    const some = metrics.slice(from, from + METRICS_A_PASS);
    const plans = some.map(planTallies);
    const tallies = createTallies(log, subject, participants, plans.flat());
    tallies.add(spans);
    const baselineOf = baselines?.(some);
    for (const [group, range] of ranges.entries()) {
      const columns = [...tallies.columns];
      for (const [index, one] of some.entries()) {
        const own = columns.splice(0, plans[index]!.length);
        const baseline = baselineOf && { baseline: baselineOf(one, own, range) };
        groups[group]!.metrics.push({ ...toStatistics(one, own, participants, count, range), ...baseline });
      }
    }
  }
  return groups;
}
