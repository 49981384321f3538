import { EXPOSURE, MIN_EVENT_VALUE } from "@assay/analysis";
import type { Dialect } from "./dialect.ts";
import { type Grouping, type Subject, UNKNOWN } from "./subject.ts";

/** The tables of a source as common table expressions, one per string. */
export interface Tables {
  /**
   * `assay_units`: a row per user of the experiment, with `forced` (0 or 1), `arm` and `last_arm`, which differ if the
   * user was in two arms.
   */
  units(grouping: Grouping): string[];
  /** With `assay_participants`: `user_id`, `arm`, `since`, `grp`; and `entered` if groups are days. */
  participants(grouping: Grouping): string[];
  /** `assay_events` of these types, or all: `user_id`, `event_type`, `happened_at`, `amount`; `arrived` if groups are days. */
  events(grouping: Grouping, types: readonly string[] | null): string[];
  /** `assay_days`: in `grp` every day on which a row was received. */
  days(): string[];
}

const LONGEST_SEGMENT = 255;
const GREATEST = Number.MAX_VALUE;

/** Generates the expressions that read the tables of a source. */
export function createTables(dialect: Dialect, subject: Subject): Tables {
  const { identifier, literal, instant, text, double, flag, day, once } = dialect;
  const { arms, source } = subject;
  const { assignments, events } = source.columns;
  const ours = [...new Set([subject.experiment.key, subject.experiment.id])].map(literal).join(", ");
  const column = (name: string) => text(identifier(name));
  const exposedAt = instant(identifier(assignments.timestamp));
  const happenedAt = instant(identifier(events.timestamp));
  const receivedAt = (given: string | null | undefined, happened: string) =>
    given ? instant(identifier(given)) : happened;

  function relation(table: string | undefined, sql: string | undefined): string {
    if (sql !== undefined) return `(\n${indent(sql)}\n  ) AS given`;
    const parts = (table ?? "").split(".");
    return (parts.length === 1 ? [subject.schema, ...parts] : parts).map(identifier).join(".");
  }

  const assigned = relation(source.assignments_table, source.assignments_sql);
  const happened = relation(source.events_table, source.events_sql);
  const until = (time: string) => (source.end_date ? [`${time} < ${instant(literal(source.end_date))}`] : []);
  const from = source.start_date ? [`${exposedAt} >= ${instant(literal(source.start_date))}`] : [];
  const ownExposures = [
    ...(assignments.experiment ? [`${column(assignments.experiment)} IN (${ours})`] : []),
    ...from,
    ...until(exposedAt),
  ];
  const ownEvents = [
    ...(events.experiment
      ? [`(${identifier(events.experiment)} IS NULL OR ${column(events.experiment)} IN (${ours}))`]
      : []),
    ...until(happenedAt),
  ];
  const armOf = arms
    .map(({ id, key }, arm) => {
      const names = [...new Set([key, id])].map(literal).join(", ");
      return `WHEN ${column(assignments.variant)} IN (${names}) THEN ${arm}`;
    })
    .join(" ");
  const forced = assignments.forced ? `CASE WHEN ${flag(identifier(assignments.forced))} THEN 1 ELSE 0 END` : "0";
  const valueColumn = events.value === undefined ? "value" : events.value;
  const amount = valueColumn === null ? double("NULL") : finite(double(identifier(valueColumn)));
  const arrivedExposure = day(receivedAt(assignments.received, exposedAt));
  const arrivedEvent = day(receivedAt(events.received, happenedAt));

  /** The value of an attribute; UNKNOWN without one. */
  function segmentOf(name: string): string {
    const value = column(name);
    return `CASE WHEN CHAR_LENGTH(${value}) BETWEEN 1 AND ${LONGEST_SEGMENT} THEN ${value} ELSE ${literal(UNKNOWN)} END`;
  }

  function units(grouping: Grouping): string[] {
    const isDaily = grouping.by === "DAY" || grouping.by === "ENTRY";
    const more = [
      ...(grouping.by === "SEGMENT" ? [`, ${segmentOf(grouping.column)} AS segment`] : []),
      ...(isDaily ? [`, ${arrivedExposure} AS arrived`] : []),
      ...(isFirst(grouping) ? [`, ${receivedAt(assignments.received, exposedAt)} AS received_at`] : []),
    ].join("");
    const entered = isDaily ? ",\n    MIN(CASE WHEN forced = 0 THEN arrived END) AS entered" : "";
    const tables = [
      `assay_assignments ${once} (
  SELECT ${column(assignments.user_id)} AS user_id, CASE ${armOf} END AS arm, ${exposedAt} AS exposed_at, ${forced} AS forced${more}
  FROM ${assigned}${where(ownExposures)}
)`,
      // The first exposure of each user, whether it was randomized, and whether the arm never changed.
      `assay_units ${once} (
  SELECT user_id, MAX(forced) AS forced, MIN(CASE WHEN forced = 0 THEN exposed_at END) AS since,
    MIN(CASE WHEN forced = 0 THEN arm END) AS arm, MAX(CASE WHEN forced = 0 THEN arm END) AS last_arm${entered}
  FROM assay_assignments
  WHERE user_id IS NOT NULL AND arm IS NOT NULL AND exposed_at IS NOT NULL
  GROUP BY user_id
)`,
    ];
    if (!isFirst(grouping)) return tables;
    const segment = grouping.by === "SEGMENT" ? ["segment"] : [];
    const order = ["exposed_at", "received_at", ...segment, "arm"].join(", ");
    return [
      ...tables,
      `assay_numbered ${once} (
  SELECT ${["user_id", "arm", ...segment].join(", ")}, ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY ${order}) AS place
  FROM assay_assignments
  WHERE user_id IS NOT NULL AND arm IS NOT NULL AND exposed_at IS NOT NULL AND forced = 0
)`,
      `assay_firsts ${once} (
  SELECT ${["user_id", "arm AS first_arm", ...segment].join(", ")} FROM assay_numbered WHERE place = 1
)`,
    ];
  }

  /** Whether the row of the first exposure is needed, not only its time. */
  const isFirst = (grouping: Grouping) => grouping.by === "SEGMENT" || subject.keepsFirstArm;

  function participants(grouping: Grouping): string[] {
    const { by } = grouping;
    const group = by === "SEGMENT" ? groupOf(grouping.names, literal) : by === "ENTRY" ? "entered" : "0";
    const arm = subject.keepsFirstArm ? "first_arm" : "arm";
    const own = subject.keepsFirstArm ? "" : " AND arm = last_arm";
    const segment = by === "SEGMENT" ? ", segment" : "";
    return [
      ...units(grouping),
      `assay_participants ${once} (
  SELECT user_id, ${arm} AS arm, since, ${group} AS grp${segment}${by === "DAY" ? ", entered" : ""}
  FROM assay_units${isFirst(grouping) ? " JOIN assay_firsts USING (user_id)" : ""}
  WHERE forced = 0${own}
)`,
    ];
  }

  function eventsOf(grouping: Grouping, types: readonly string[] | null): string[] {
    const ofTypes = types === null ? `<> ${literal(EXPOSURE)}` : `IN (${types.map(literal).join(", ")})`;
    const arrived = grouping.by === "DAY" ? `, ${arrivedEvent} AS arrived` : "";
    const conditions = where([`${column(events.event_type)} ${ofTypes}`, ...ownEvents]);
    const columns = `${column(events.user_id)} AS user_id, ${column(events.event_type)} AS event_type, ${happenedAt} AS happened_at, ${amount} AS amount${arrived}`;
    if (!events.id) return [`assay_events ${once} (\n  SELECT ${columns}\n  FROM ${happened}${conditions}\n)`];
    const names = `user_id, event_type, happened_at, amount${arrived && ", arrived"}`;
    return [
      `assay_copies ${once} (
  SELECT ${columns}, ${column(events.id)} AS event_id,
    ROW_NUMBER() OVER (PARTITION BY ${column(events.id)} ORDER BY ${receivedAt(events.received, happenedAt)}) AS copy
  FROM ${happened}${conditions}
)`,
      `assay_events ${once} (
  SELECT ${names} FROM assay_copies WHERE copy = 1 OR event_id IS NULL
)`,
    ];
  }

  return {
    units,
    participants,
    events: eventsOf,
    days: () => [
      `assay_days ${once} (
  SELECT arrived AS grp FROM assay_assignments
  UNION DISTINCT
  SELECT ${arrivedEvent} AS grp FROM ${happened}${where(ownEvents)}
)`,
    ],
  };
}

function groupOf(names: readonly string[], literal: (text: string) => string): string {
  if (names.length === 0) return "0";
  return `CASE ${names.map((name, index) => `WHEN segment = ${literal(name)} THEN ${index}`).join(" ")} ELSE ${names.length} END`;
}

/** NaN and infinities count as missing, because they cannot be sent to the server either; tiny values count as 0. */
function finite(expression: string): string {
  const value = `CASE WHEN ABS(${expression}) < ${MIN_EVENT_VALUE} THEN 0 ELSE ${expression} END`;
  return `CASE WHEN ${expression} BETWEEN -${GREATEST} AND ${GREATEST} THEN ${value} END`;
}

function where(conditions: readonly string[]): string {
  return conditions.length > 0 ? `\n  WHERE ${conditions.join(" AND ")}` : "";
}

function indent(sql: string): string {
  return sql.replace(/^/gm, "    ");
}
