import type { EventRecord, StoredEvent } from "./event-record.ts";
import type { Metric } from "./metric-definition.ts";
import type { Subject } from "./subject.ts";

/** The reference result of one metric: the per-user numbers of each arm. */
export interface ReferenceStatistics {
  users: number[];
  crossover: number;
  forced: number;
  inferred: number;
  /** By metric id, by arm: a number per participant, in no order. */
  values: Record<string, number[][]>;
}

/** An event, with its time of receipt and its order. */
export interface Received extends StoredEvent {
  receivedAt: number;
  order: number;
}

/** A participating unit. */
export interface ReferenceParticipant {
  arm: number;
  /** The exposure that counts. */
  first: Received;
  /** All exposures of the unit. */
  exposures: Received[];
  /** The unit's other events that may count in this experiment, of any time and whenever received. */
  events: Received[];
}

/** Returns whether an outcome that was received then counts. */
export const isTaken = (subject: Subject, { receivedAt }: Received) =>
  ["ACTIVE", "PAUSED"].includes(statusAt(subject, receivedAt) ?? "");

/** Applies the attribution rules, as simply as possible. */
export function bruteForce(records: readonly EventRecord[], subject: Subject): ReferenceStatistics {
  const { participants, ...counts } = findReferenceParticipants(records, subject);
  const answer: ReferenceStatistics = {
    ...counts,
    users: subject.variants.map((_, arm) => participants.filter((one) => one.arm === arm).length),
    values: {},
  };
  for (const metric of subject.metrics ?? []) {
    const hours = metric.conversion_window_hours ?? Number.POSITIVE_INFINITY;
    answer.values[metric.id] = subject.variants.map((_, arm) =>
      participants
        .filter((one) => one.arm === arm)
        .map(({ first, events }) => {
          const ages = (event: Received) => event.time - first.time;
          const within = events.filter((event) => ages(event) >= 0 && ages(event) <= hours * 3_600_000);
          return numberOf(
            metric,
            within.filter((event) => isTaken(subject, event)),
          );
        }),
    );
  }
  return answer;
}

/** Returns the participants, and the number of excluded units by reason. */
export function findReferenceParticipants(records: readonly EventRecord[], subject: Subject) {
  const events = records.flatMap((record) => record.events.map((event) => ({ ...event, receivedAt: record.at })));
  const received: Received[] = events.map((event, order) => ({ ...event, order }));
  const unitOf = unitsOf(records, subject.experimentId);
  const exposures = received.filter(
    (event) =>
      event.experimentId === subject.experimentId &&
      event.variantKey !== null &&
      subject.variants.includes(event.variantKey) &&
      statusAt(subject, event.receivedAt) === "ACTIVE",
  );
  const answer = { participants: [] as ReferenceParticipant[], crossover: 0, forced: 0, inferred: 0 };
  for (const unit of new Set(exposures.map((event) => unitOf(event.userId)))) {
    const own = exposures.filter((event) => unitOf(event.userId) === unit);
    const ids = new Set(own.map((event) => event.userId));
    if (own.some((event) => event.forced)) {
      answer.forced++;
      continue;
    }
    const crossed = [...ids].some(
      (id) => new Set(own.filter((event) => event.userId === id).map((event) => event.variantKey)).size > 1,
    );
    if (crossed) {
      answer.crossover++;
      if (!subject.keepsFirstArm) continue;
    }
    if (own.every((event) => event.type !== "exposure")) answer.inferred++;
    const [first] = own.sort((a, b) => a.time - b.time || a.order - b.order);
    const arm = subject.variants.indexOf(first!.variantKey!);
    const events = received.filter(
      (event) =>
        unitOf(event.userId) === unit &&
        event.type !== "exposure" &&
        (event.experimentId === null || event.experimentId === subject.experimentId),
    );
    answer.participants.push({ arm, first: first!, exposures: own, events });
  }
  return answer;
}

/** Returns the value of a metric for some events of one unit. */
export function numberOf(metric: Metric, outcomes: readonly StoredEvent[]): number {
  const own = outcomes.filter((event) => event.type === metric.event_type);
  const values = own.map((event) => event.value).filter((value) => value !== null);
  const sum = values.reduce((total, value) => total + value, 0);
  if (metric.kind === "CONVERSION") return own.length > 0 ? 1 : 0;
  if (metric.kind === "COUNT") return own.length;
  if (values.length === 0) return 0;
  if (metric.aggregation === "MIN") return Math.min(...values);
  if (metric.aggregation === "MAX") return Math.max(...values);
  return metric.aggregation === "MEAN" ? sum / values.length : sum;
}

function statusAt(subject: Subject, time: number): string | null {
  return subject.history.filter(({ at }) => at <= time).at(-1)?.status ?? null;
}

function unitsOf(records: readonly EventRecord[], experimentId: string): (userId: string) => string {
  const parents = new Map<string, string>();
  const rootOf = (id: string): string => (parents.has(id) ? rootOf(parents.get(id)!) : id);
  const joins = records.flatMap((record) => record.joins);
  const join = (from: string, to: string) => {
    if (!parents.has(from) && rootOf(to) !== from) parents.set(from, to);
  };
  for (const { userId, unitId } of joins.filter((join) => join.experimentId === null)) join(userId, unitId);
  for (const { userId, unitId } of joins.filter((join) => join.experimentId === experimentId))
    join(rootOf(userId), unitId);
  return rootOf;
}
