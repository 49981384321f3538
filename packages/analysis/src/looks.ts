import { createBaselines } from "./baseline.ts";
import type { EventLog } from "./event-log.ts";
import { exposureKinds, FORCED, type Participants } from "./exposure.ts";
import type { GroupStatistics } from "./groups.ts";
import { type MetricStatistics, planTallies, type SlotRange, toStatistics } from "./metric.ts";
import type { Metric } from "./metric-definition.ts";
import { reorder } from "./slot-order.ts";
import { type DailySpans, dailySpansOf, type Subject } from "./subject.ts";
import { attendanceOf, countArms, METRICS_A_PASS } from "./sufficient-statistics.ts";
import { createTallies } from "./tally.ts";

export interface LookOptions {
  /** Id or name of one metric; null for all. */
  metric: string | null;
  /** Whether to sum the new users of each day too. */
  cohorts: boolean;
  /** Limits each user's outcomes to this long after their first exposure, if their metric's window is longer. */
  withinHours?: number;
}

/** The state at the end of one day, UTC. */
export interface Look extends GroupStatistics {
  /** `2026-01-31` */
  date: string;
  /** The users whose exposure was received that day, with all their outcomes until now; null if not requested. */
  cohort: GroupStatistics | null;
}

const DAY = 86_400_000;

/**
 * Replays an experiment by the day on which its events were received. Participants, their arms, their first exposure
 * and their behaviour before it are those known now, so the last look equals the results. A participant is part of a
 * look once one of their exposures was received, and an outcome once it was received. Days before the first participant
 * are not looks.
 */
export function computeLooks(log: EventLog, subject: Subject, { metric, cohorts, withinHours }: LookOptions): Look[] {
  const { spans: allSpans, participants: found, metrics: named } = attendanceOf(log, subject, metric);
  const metrics = withinHours === undefined ? named : named.map((one) => within(one, withinHours));
  const days = dailySpansOf(log.receipts, log.rows.length, subject.history);
  const { participants, ends } = reorder(found, entryDays(log, subject, found, days), days.length);
  const count = subject.variants.length;
  const group = ({ from, to }: SlotRange): GroupStatistics => ({
    users: countArms(participants.arms.subarray(from, to), count),
    metrics: [],
  });
  const looks = days.map(
    ({ day }, index): Look => ({
      date: new Date(day * DAY).toISOString().slice(0, 10),
      ...group({ from: 0, to: ends[index]! }),
      cohort: cohorts ? group({ from: ends[index - 1] ?? 0, to: ends[index]! }) : null,
    }),
  );
  const baselines = createBaselines(log, subject, { spans: allSpans, participants, metrics });
  for (let from = 0; from < metrics.length; from += METRICS_A_PASS) {
    const some = metrics.slice(from, from + METRICS_A_PASS);
    const plans = some.map(planTallies);
    const tallies = createTallies(log, subject, participants, plans.flat());
    const baselineOf = baselines?.(some);
    const sumUp = (range: SlotRange): MetricStatistics[] => {
      const columns = [...tallies.columns];
      return some.map((one, index) => {
        const own = columns.splice(0, plans[index]!.length);
        const baseline = baselineOf && { baseline: baselineOf(one, own, range) };
        return { ...toStatistics(one, own, participants, count, range), ...baseline };
      });
    };
    for (const [index, { spans }] of days.entries()) {
      tallies.add(spans);
      if (ends[index]! > 0) looks[index]!.metrics.push(...sumUp({ from: 0, to: ends[index]! }));
    }
    if (!cohorts) continue;
    for (const [index, look] of looks.entries()) {
      look.cohort?.metrics.push(...sumUp({ from: ends[index - 1] ?? 0, to: ends[index]! }));
    }
  }
  return looks.filter(({ users }) => users.some((n) => n > 0));
}

function within(metric: Metric, hours: number): Metric {
  return { ...metric, conversion_window_hours: Math.min(hours, metric.conversion_window_hours ?? hours) };
}

/** By slot: index of the day on which the first received exposure arrived. */
export function entryDays(
  log: EventLog,
  subject: Subject,
  { slots, length }: Participants,
  days: readonly DailySpans[],
): Uint32Array {
  const { arms, flags } = exposureKinds(log, subject);
  const isDrawn = Uint8Array.from(arms, (arm, kind) => (arm !== 0 && (flags[kind]! & FORCED) === 0 ? 1 : 0));
  const { users, kinds } = log.rows;
  const entered = new Uint32Array(length).fill(days.length);
  for (const [index, { spans }] of days.entries()) {
    for (const { from, to, exposes } of spans) {
      if (!exposes) continue;
      for (let row = from; row < to; row++) {
        if (isDrawn[kinds[row]!] === 0) continue;
        const slot = slots[users[row]!]!;
        if (slot >= 0 && entered[slot]! > index) entered[slot] = index;
      }
    }
  }
  return entered;
}
