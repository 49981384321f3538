import type { EngineMoment, Question, Subject } from "@assay/analysis";
import { COLUMNS } from "./rows.ts";
import { literal, literals } from "./text.ts";

const DAY_MS = 86_400_000;

/** What statements of a log read from. */
export interface LogSource {
  log: string;
  /** The table, ready to use in SQL. */
  events: string;
  /** How a subquery is compared with: over shards, one of them computes it for all. */
  within: "IN" | "GLOBAL IN";
}

/**
 * Generates the SELECT of the rows that the answer to a question depends on, in order. Other rows would not change it:
 * the analysis of the server counts rows that name the experiment, joins, and the outcomes of users of these.
 */
export function selectionOf(
  source: LogSource,
  subject: Subject,
  question: Question,
  { position }: EngineMoment,
): string {
  const base = `log = ${literal(source.log)} AND position <= ${position}`;
  const rows = COLUMNS.map((name) => shown(name, question)).join(", ");
  const conditions = conditionsOf(source, base, subject, question);
  return `SELECT ${rows}
FROM ${source.events} FINAL
WHERE ${base} AND (
  ${conditions.map((condition) => `(${condition})`).join("\n  OR ")}
)
ORDER BY position, idx`;
}

/** Returns a column, or nothing where no answer reads it. */
function shown(name: (typeof COLUMNS)[number], { about }: Question): string {
  if (name === "log" || name === "event_id") return "''";
  // Segments are of exposures that name an experiment.
  if (name === "metadata")
    return about === "rollout" || about === "holdout" ? "''" : "if(variant_key = '', '', metadata)";
  return name;
}

function conditionsOf(source: LogSource, base: string, subject: Subject, question: Question): string[] {
  if (question.about === "rollout") return rolloutRows(question.options);
  if (question.about === "holdout") return holdoutRows(source, base, subject);
  const subjects = question.about === "overlaps" ? [subject, ...question.options.others] : [subject];
  const types = typesOf(subjects, question);
  return [
    ...experimentRows(source, base, subjects, types),
    ...(isOrdered(subjects) ? [firstRowsOf(source, base, subjects)] : []),
    ...subjects.map(({ history }) => daysOf(source, base, history)),
    ...(types === null ? [kindsOf(source, base)] : []),
  ];
}

const idsOf = (subjects: readonly Subject[]) => subjects.map(({ experimentId }) => experimentId);

/** The joins of some experiments, and those that hold everywhere. */
const joinsOf = (subjects: readonly Subject[]) =>
  `kind = 'join' AND experiment_id IN ${literals(["", ...idsOf(subjects)])}`;

/** The users of some experiments, and all ids of the same persons. */
function usersOf({ events }: LogSource, base: string, subjects: readonly Subject[]): string {
  const from = `FROM ${events} FINAL WHERE ${base}`;
  const joins = joinsOf(subjects);
  return [
    `SELECT user_id ${from} AND kind = 'event' AND experiment_id IN ${literals(idsOf(subjects))} AND variant_key <> ''`,
    `SELECT user_id ${from} AND ${joins}`,
    `SELECT unit_id ${from} AND ${joins}`,
  ].join(" UNION ALL ");
}

/** The joins, the rows that name the experiments, and the outcomes of their users. */
function experimentRows(source: LogSource, base: string, subjects: Subject[], types: string[] | null): string[] {
  const outcomes = [
    "kind = 'event' AND event_type <> 'exposure'",
    ...(subjects.some(({ everyOutcome }) => everyOutcome) ? [] : ["experiment_id = ''"]),
    ...(types === null ? [] : [`event_type IN ${literals(types)}`]),
    `user_id ${source.within} (${usersOf(source, base, subjects)})`,
  ];
  const own = `kind = 'event' AND experiment_id IN ${literals(idsOf(subjects))}`;
  return [joinsOf(subjects), own, ...(types?.length === 0 ? [] : [outcomes.join(" AND ")])];
}

/** Whether an answer may depend on the order in which users were first seen: which of two equal times counts. */
const isOrdered = (subjects: readonly Subject[]) =>
  subjects.length > 1 || subjects.some(({ clusters }) => clusters !== undefined);

/** The first row of each user, if the experiments have joins of their own. */
function firstRowsOf(source: LogSource, base: string, subjects: readonly Subject[]): string {
  const { events, within } = source;
  const from = `FROM ${events} FINAL WHERE ${base}`;
  const seen = `SELECT user_id AS id, position, idx ${from} AND kind IN ('event', 'join') UNION ALL SELECT unit_id, position, idx ${from} AND kind = 'join'`;
  const first = `SELECT min((position, idx)) FROM (${seen}) WHERE id ${within} (${usersOf(source, base, subjects)}) GROUP BY id`;
  const ownJoins = `SELECT count() ${from} AND kind = 'join' AND experiment_id IN ${literals(idsOf(subjects))}`;
  return `kind IN ('event', 'join') AND (${ownJoins}) > 0 AND (position, idx) ${within} (${first})`;
}

/** Returns the event types of the metrics; null if an experiment names none, so that every type is one. */
function typesOf(subjects: readonly Subject[], { about }: Question): string[] | null {
  if (about === "counts") return null;
  if (about === "arrivals") return [];
  const types = new Set<string>();
  for (const { metrics } of subjects) {
    if (metrics === null) return null;
    for (const { event_type, denominator_event_type } of metrics) {
      types.add(event_type);
      if (denominator_event_type !== undefined) types.add(denominator_event_type);
    }
  }
  return [...types];
}

/**
 * A row of each day, and of each status in a day: a day on which the server received anything is a look, also if it received
 * nothing about the experiment.
 */
function daysOf({ events, within }: LogSource, base: string, history: Subject["history"]): string {
  const parts = history.map(({ at }) => `(received_ms >= ${Math.floor(at)})`);
  const groups = [`intDiv(received_ms, ${DAY_MS})`, ...parts].join(", ");
  const first = `SELECT min((position, idx)) FROM ${events} FINAL WHERE ${base} AND kind <> 'progress' GROUP BY ${groups}`;
  return `kind <> 'progress' AND (position, idx) ${within} (${first})`;
}

/** The first row of each kind of event: if there are very many event types, those known longest become metrics. */
function kindsOf({ events, within }: LogSource, base: string): string {
  const kind = "event_type, experiment_id, variant_key, flag_key, forced";
  const first = `SELECT min((position, idx)) FROM ${events} FINAL WHERE ${base} AND kind = 'event' GROUP BY ${kind}`;
  return `kind = 'event' AND (position, idx) ${within} (${first})`;
}

/** The rows within the strata, and the exposures to the flag, which may exclude users. */
function rolloutRows({ strata, flagKey }: Extract<Question, { about: "rollout" }>["options"]): string[] {
  const times = strata.map(({ from, to }) => `kind = 'event' AND time_ms >= ${ceil(from)} AND time_ms < ${ceil(to)}`);
  return [...times, `kind = 'event' AND event_type = 'exposure' AND flag_key = ${literal(flagKey)}`];
}

const ceil = (time: number) => Math.ceil(Math.min(Math.max(time, -8.64e15), 8.64e15));

/** Every event but the exposures of experiments: a holdout is about all users. */
function holdoutRows(source: LogSource, base: string, subject: Subject): string[] {
  const { experimentId } = subject;
  return [
    joinsOf([subject]),
    "kind = 'event' AND event_type <> 'exposure'",
    `kind = 'event' AND experiment_id = ${literal(experimentId)}`,
    kindsOf(source, base),
  ];
}
