import { createBaselines } from "./baseline.ts";
import { type ClusterCounts, countClusters, withClusters } from "./clusters.ts";
import type { EventLog } from "./event-log.ts";
import { findParticipants, type Participants } from "./exposure.ts";
import { defaultMetrics, type MetricStatistics, planTallies, toStatistics } from "./metric.ts";
import type { Metric } from "./metric-definition.ts";
import type { StayCounts } from "./stays.ts";
import { type Span, type Subject, spansOf } from "./subject.ts";
import { createTallies, seenEventTypes } from "./tally.ts";
import { isJoinOf, unitsOf } from "./unit.ts";

/** Number of metrics per pass. It bounds the memory, eight bytes per participant and tally. */
export const METRICS_A_PASS = 16;

/** The sums that results are computed from, without the events. */
export interface SufficientStatistics {
  /** Number of participants per arm, in the order of the subject's variants. */
  users: number[];
  crossover: number;
  forced: number;
  /** Number of participants without an exposure event, inferred from outcome events. */
  inferred: number;
  metrics: MetricStatistics[];
  /** Null if each user was assigned individually. */
  clusters: ClusterCounts | null;
  /** Of a switchback, whose users are stays: the time that a person spends in one cluster. */
  stays?: StayCounts;
}

/** The participants of an experiment, the rows that count, and the metrics. */
export interface Attendance {
  spans: readonly Span[];
  participants: Participants;
  metrics: readonly Metric[];
}

/** Finds the participants and the metrics; only one metric if an id or name is given. */
export function attendanceOf(log: EventLog, subject: Subject, metric: string | null = null): Attendance {
  const spans = spansOf(log.receipts, log.rows.length, subject.history);
  const participants = participantsOf(log, subject, spans);
  const metrics = subject.metrics ?? defaultMetrics(seenEventTypes(log, subject, spans, participants));
  return { spans, participants, metrics: metric === null ? metrics : named(metrics, metric) };
}

/** Finds the participants by the units that the subject draws. */
export function participantsOf(log: EventLog, subject: Subject, spans: readonly Span[]): Participants {
  const { experimentId, clusters } = subject;
  const isClustered =
    clusters === "REQUIRED" || (clusters === "IF_KNOWN" && log.joins.some((row) => isJoinOf(log, row, experimentId)));
  if (!isClustered) return findParticipants(log, subject, spans, unitsOf(log, experimentId));
  return withClusters(log, experimentId, findParticipants(log, subject, spans, unitsOf(log, null)));
}

/** Finds the metric with an id, otherwise with a name. */
function named(metrics: readonly Metric[], idOrName: string): Metric[] {
  const found = metrics.find(({ id }) => id === idOrName) ?? metrics.find(({ name }) => name === idOrName);
  return found ? [found] : [];
}

/** Counts the participants per arm among some slots. */
export function countArms(arms: Uint8Array, count: number): number[] {
  const users = new Array<number>(count).fill(0);
  for (let slot = 0; slot < arms.length; slot++) users[arms[slot]!]!++;
  return users;
}

/**
 * Computes an experiment's statistics from the events: a pure function of the log and the subject, so that recomputing
 * accounts for late, corrected and erased events, edited metrics and new joins.
 */
export function computeStatistics(log: EventLog, subject: Subject): SufficientStatistics {
  return statisticsOf(log, subject, attendanceOf(log, subject));
}

/** Sums the participants' outcomes, metric by metric. */
export function statisticsOf(log: EventLog, subject: Subject, attendance: Attendance): SufficientStatistics {
  const { spans, participants, metrics } = attendance;
  const { crossover, forced, inferred, length } = participants;
  const arms = subject.variants.length;
  const statistics: MetricStatistics[] = [];
  const baselines = createBaselines(log, subject, attendance);
  for (let from = 0; from < metrics.length; from += METRICS_A_PASS) {
    const some = metrics.slice(from, from + METRICS_A_PASS);
    const plans = some.map(planTallies);
    const tallies = createTallies(log, subject, participants, plans.flat());
    tallies.add(spans);
    const columns = [...tallies.columns];
    const baselineOf = baselines?.(some);
    for (const [index, metric] of some.entries()) {
      const own = columns.splice(0, plans[index]!.length);
      const baseline = baselineOf && { baseline: baselineOf(metric, own, { from: 0, to: length }) };
      statistics.push({ ...toStatistics(metric, own, participants, arms), ...baseline });
    }
  }
  const users = countArms(participants.arms.subarray(0, length), arms);
  const clusters = countClusters(participants, arms);
  return { users, crossover, forced, inferred, metrics: statistics, clusters };
}
