import type { EngineMoment, Subject, TallyPlan } from "@assay/analysis";
import type { LogSource } from "./selection.ts";
import { literal, literals } from "./text.ts";

type Status = Subject["history"][number]["status"];

/** Generates the condition of rows that the server received while an experiment had one of some statuses. */
function receivedWhile(history: Subject["history"], statuses: readonly Status[]): string {
  // A status holds from the latest time up to it, as the analysis reads a history that is out of order.
  let latest = Number.NEGATIVE_INFINITY;
  const starts = history.map(({ at }) => {
    latest = Math.max(latest, Math.ceil(at));
    return latest;
  });
  const spans = history.flatMap(({ status }, index) => {
    const [from, to] = [starts[index]!, starts[index + 1]];
    if (!statuses.includes(status) || from === to) return [];
    return [`(received_ms >= ${from}${to === undefined ? "" : ` AND received_ms < ${to}`})`];
  });
  return spans.length > 0 ? `(${spans.join(" OR ")})` : "false";
}

const baseOf = ({ log }: LogSource, { position }: EngineMoment) => `log = ${literal(log)} AND position <= ${position}`;

/** Generates the number of joins, of which the statements here know nothing. */
export function joinsSql(source: LogSource, { experimentId }: Subject, moment: EngineMoment): string {
  return `SELECT count() AS joins FROM ${source.events}
WHERE ${baseOf(source, moment)} AND kind = 'join' AND experiment_id IN ${literals(["", experimentId])}`;
}

/** The users of an experiment: `user_id`, `is_forced`, `is_crossed`, `is_explicit`, their first `arm` and `since`. */
function usersSql(source: LogSource, subject: Subject, moment: EngineMoment): string {
  const { experimentId, variants, history } = subject;
  return `SELECT user_id, max(forced) AS is_forced, uniqExactIf(variant_key, NOT forced) > 1 AS is_crossed,
      max(event_type = 'exposure') AS is_explicit, minIf(time_ms, NOT forced) AS since,
      argMinIf(variant_key, (time_ms, position, idx), NOT forced) AS arm
    FROM ${source.events} FINAL
    WHERE ${baseOf(source, moment)} AND kind = 'event' AND experiment_id = ${literal(experimentId)}
      AND variant_key IN ${literals(variants)} AND ${receivedWhile(history, ["ACTIVE"])}
    GROUP BY user_id`;
}

/** The outcomes that count: `user_id`, `event_type`, `time_ms`, `amount`. @param types null for all */
function outcomesSql(
  source: LogSource,
  subject: Subject,
  moment: EngineMoment,
  types: readonly string[] | null,
): string {
  const own = subject.everyOutcome ? "" : ` AND experiment_id IN ${literals(["", subject.experimentId])}`;
  const some = types === null ? "" : ` AND event_type IN ${literals(types.length > 0 ? types : [""])}`;
  // A sum could not hold greater values, and squares none that are closer to 0.
  return `SELECT user_id, event_type, time_ms,
      multiIf(isNull(value) OR abs(value) > 1e15, NULL, abs(value) < 1e-100, 0, value) AS amount
    FROM ${source.events} FINAL
    WHERE ${baseOf(source, moment)} AND kind = 'event' AND event_type <> 'exposure'${own}${some}
      AND ${receivedWhile(subject.history, ["ACTIVE", "PAUSED"])}`;
}

const isParticipant = ({ keepsFirstArm }: Subject) =>
  keepsFirstArm ? "is_forced = 0" : "is_forced = 0 AND is_crossed = 0";

/** Generates the event types of participants' outcomes, and the number of their `amounts`. */
export function typesSql(source: LogSource, subject: Subject, moment: EngineMoment): string {
  return `SELECT outcomes.event_type AS event_type, count(outcomes.amount) AS amounts
FROM (
    ${outcomesSql(source, subject, moment, null)}
) AS outcomes
INNER JOIN (
    ${usersSql(source, subject, moment)}
) AS users USING (user_id)
WHERE ${isParticipant(subject)} AND outcomes.time_ms >= users.since
GROUP BY event_type`;
}

/**
 * Generates a row per user of the experiment: `is_forced`, `is_crossed`, `is_explicit`, the number of the `arm` from 1,
 * `since`, and for each plan `c0`, `c1` and so on.
 */
export function cellsSql(
  source: LogSource,
  subject: Subject,
  moment: EngineMoment,
  plans: readonly TallyPlan[],
): string {
  const types = [...new Set(plans.map(({ eventType }) => eventType))].filter((type) => type !== "exposure");
  const cells = plans.map((plan, index) => `,\n  ${cellOf(plan)} AS c${index}`);
  return `SELECT any(users.is_forced) AS is_forced, any(users.is_crossed) AS is_crossed,
  any(users.is_explicit) AS is_explicit, indexOf([${subject.variants.map(literal).join(", ")}], any(users.arm)) AS arm,
  any(users.since) AS since${cells.join("")}
FROM (
    ${outcomesSql(source, subject, moment, types)}
) AS outcomes
RIGHT JOIN (
    ${usersSql(source, subject, moment)}
) AS users ON outcomes.user_id = users.user_id
GROUP BY users.user_id`;
}

/** One number per user. A user without outcomes has a row whose event type is empty. */
function cellOf({ operation, eventType, windowMs }: TallyPlan): string {
  const age = "outcomes.time_ms - users.since";
  const within = Number.isFinite(windowMs) ? ` AND ${age} <= ${Math.floor(windowMs)}` : "";
  const counts = `outcomes.event_type = ${literal(eventType)} AND ${age} >= 0${within}`;
  const valued = `${counts} AND outcomes.amount IS NOT NULL`;
  switch (operation) {
    case "ANY":
      return `max(${counts})`;
    case "COUNT":
      return `countIf(${counts})`;
    case "VALUES":
      return `countIf(${valued})`;
    case "SUM":
      return `sumKahanIf(ifNull(outcomes.amount, 0), ${counts})`;
    case "SUM_OR_COUNT":
      return `sumKahanIf(ifNull(outcomes.amount, 1), ${counts})`;
    case "MINIMUM":
      return `if(countIf(${valued}) = 0, NULL, minIf(ifNull(outcomes.amount, 0), ${valued}))`;
    case "MAXIMUM":
      return `if(countIf(${valued}) = 0, NULL, maxIf(ifNull(outcomes.amount, 0), ${valued}))`;
    case "LIST":
      return `groupArrayIf(ifNull(outcomes.amount, 0), ${valued})`;
  }
}
