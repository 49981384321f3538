import { createBucketer } from "@assay/core";
import { JOIN } from "./event-kind.ts";
import type { EventLog } from "./event-log.ts";
import { EXPOSURE } from "./event-record.ts";
import type { Participants } from "./exposure.ts";
import { defaultMetrics } from "./metric.ts";
import { type Span, type Subject, spansOf } from "./subject.ts";
import { type SufficientStatistics, statisticsOf } from "./sufficient-statistics.ts";
import { seenEventTypes } from "./tally.ts";
import { unitsOf } from "./unit.ts";

/** The arms of a holdout, control first. */
export const HOLDOUT_ARMS = ["held_out", "not_held_out"] as const;

/** The users of a holdout whose outcomes are compared. */
export interface HoldoutOptions {
  /** Share of all users that is held out. */
  percentage: number;
  /** Start of the holdout in milliseconds since 1970. */
  from: number;
  /** Event type that users must have sent; null for all users who were evaluated or sent any event. */
  eventType: string | null;
}

/**
 * Compares held-out users with all others, each from the first event or evaluation after the holdout began. Exposures
 * do not count, because held-out users have none, and only events that occur alike on both sides may include a user.
 */
export function computeHoldout(log: EventLog, subject: Subject, options: HoldoutOptions): SufficientStatistics {
  const spans = spansOf(log.receipts, log.rows.length, subject.history);
  const participants = findSeen(log, subject, spans, options);
  const metrics = defaultMetrics(seenEventTypes(log, subject, spans, participants));
  return statisticsOf(log, subject, { spans, participants, metrics });
}

/** Returns whether events of each kind include a user. */
function sightingKinds(log: EventLog, { experimentId }: Subject, eventType: string | null): boolean[] {
  return log.kinds.map(({ type, experimentId: named }) => {
    if (type === JOIN) return false;
    if (eventType !== null) return type === eventType;
    // Evaluations are recorded for all users, under the holdout's own id, before it is decided who is held out.
    return type !== EXPOSURE || named === experimentId;
  });
}

function findSeen(
  log: EventLog,
  subject: Subject,
  spans: readonly Span[],
  { percentage, from: began, eventType }: HoldoutOptions,
): Participants {
  const { users, times, kinds } = log.rows;
  const count = log.users.length;
  const units = unitsOf(log, subject.experimentId);
  const shows = sightingKinds(log, subject, eventType);
  const first = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const firstUser = Int32Array.from({ length: count }, (_, user) => user);
  for (const { from, to } of spans) {
    for (let row = from; row < to; row++) {
      if (!shows[kinds[row]!] || times[row]! < began) continue;
      const user = users[row]!;
      const unit = units ? units[user]! : user;
      if (times[row]! >= first[unit]!) continue;
      first[unit] = times[row]!;
      firstUser[unit] = user;
    }
  }

  const hash = createBucketer(`holdout:${subject.experimentId}`);
  const slots = new Int32Array(count).fill(-1);
  const participants: Participants = {
    length: 0,
    slots,
    arms: new Uint8Array(count),
    since: new Float64Array(count),
    crossover: 0,
    forced: 0,
    inferred: 0,
  };
  for (let unit = 0; unit < count; unit++) {
    // If a person has two ids, the one seen first determines the side; after an erasure it is unknown.
    const userId = log.users[firstUser[unit]!]!;
    if (first[unit] === Number.POSITIVE_INFINITY || userId === "") continue;
    const slot = participants.length++;
    slots[unit] = slot;
    participants.arms[slot] = hash(userId) < percentage / 100 ? 0 : 1;
    participants.since[slot] = first[unit]!;
  }
  if (units) for (let user = 0; user < count; user++) slots[user] = slots[units[user]!]!;
  return participants;
}
