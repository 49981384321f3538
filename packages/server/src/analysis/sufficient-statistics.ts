import type { EventLog } from "./event-log.ts";
import { findParticipants, type Participants } from "./exposure.ts";
import { defaultMetrics, type MetricStatistics, planTallies, toStatistics } from "./metric.ts";
import { type Span, type Subject, spansOf } from "./subject.ts";
import { fillTallies, seenEventTypes } from "./tally.ts";
import { unitsOf } from "./unit.ts";

/** Metrics tallied in one pass: bounds the memory, eight bytes a participant and tally. */
const METRICS_A_PASS = 16;

/** All that results are made of; the events are not needed any more. */
export interface SufficientStatistics {
  /** Participants per arm, in the order of the subject's variants. */
  users: number[];
  crossover: number;
  forced: number;
  /** Participants known from outcome events alone. */
  inferred: number;
  metrics: MetricStatistics[];
}

/**
 * Sums an experiment up from the events: a pure function of the log and the subject, so that late, corrected and
 * erased events, edited metrics and new joins are right by computing again.
 */
export function computeStatistics(log: EventLog, subject: Subject): SufficientStatistics {
  const spans = spansOf(log.receipts, log.rows.length, subject.history);
  const participants = findParticipants(log, subject, spans, unitsOf(log, subject.experimentId));
  const users = new Array<number>(subject.variants.length).fill(0);
  for (let slot = 0; slot < participants.length; slot++) users[participants.arms[slot]!]!++;
  const { crossover, forced, inferred } = participants;
  return { users, crossover, forced, inferred, metrics: metricsOf(log, subject, spans, participants) };
}

function metricsOf(
  log: EventLog,
  subject: Subject,
  spans: readonly Span[],
  participants: Participants,
): MetricStatistics[] {
  const metrics = subject.metrics ?? defaultMetrics(seenEventTypes(log, subject, spans, participants));
  const statistics: MetricStatistics[] = [];
  for (let from = 0; from < metrics.length; from += METRICS_A_PASS) {
    const some = metrics.slice(from, from + METRICS_A_PASS);
    const plans = some.map(planTallies);
    const tallies = fillTallies(log, subject, spans, participants, plans.flat());
    for (const [index, metric] of some.entries()) {
      const own = tallies.splice(0, plans[index]!.length);
      statistics.push(toStatistics(metric, own, participants, subject.variants.length));
    }
  }
  return statistics;
}
