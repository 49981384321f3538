import type { CellColumn } from "./columns.ts";
import type { Dialect } from "./dialect.ts";
import type { Grouping } from "./subject.ts";
import type { Tables } from "./tables.ts";

/** The names of the tables that statistics read. */
export interface Outcomes {
  tables: string[];
  /** `user_id`, `arm`, `since`, `grp`: a row per participant and group. */
  members: string;
  /** `user_id`, `grp`, `event_type`, `happened_at`, `since`, `amount`: a row per event and group. */
  events: string;
}

/**
 * Generates the outcomes of participants, by group.
 * @param types event types; null for all
 * @param lookback how long before the exposure events are needed, in microseconds; null from the exposure on
 */
export function outcomesOf(
  dialect: Dialect,
  tables: Tables,
  grouping: Grouping,
  types: readonly string[] | null,
  lookback: number | null = null,
): Outcomes {
  const { later, once } = dialect;
  const isDaily = grouping.by === "DAY";
  const start = lookback === null ? "since" : later("since", -lookback);
  const own = [
    ...tables.participants(grouping),
    ...tables.events(grouping, types),
    `assay_outcomes ${once} (
  SELECT user_id, grp, event_type, happened_at, since, amount${isDaily ? ", arrived" : ""}
  FROM assay_events JOIN assay_participants USING (user_id)
  WHERE happened_at >= ${start}
)`,
  ];
  if (!isDaily) return { tables: own, members: "assay_participants", events: "assay_outcomes" };
  const perDay = [
    ...tables.days(),
    `assay_members ${once} (
  SELECT user_id, arm, since, assay_days.grp AS grp
  FROM assay_participants CROSS JOIN assay_days WHERE entered <= assay_days.grp
)`,
    `assay_known ${once} (
  SELECT user_id, assay_days.grp AS grp, event_type, happened_at, since, amount
  FROM assay_outcomes CROSS JOIN assay_days WHERE arrived <= assay_days.grp
)`,
  ];
  return { tables: [...own, ...perDay], members: "assay_members", events: "assay_known" };
}

/** Returns the condition for an event to count in a column. */
export function countsIn(
  dialect: Dialect,
  { eventTypes, period, window }: Pick<CellColumn, "eventTypes" | "period" | "window">,
): string {
  const { literal, later } = dialect;
  const types = [`event_type IN (${eventTypes.map(literal).join(", ")})`];
  const times =
    period === "SINCE_EXPOSURE"
      ? ["happened_at >= since", ...(window === null ? [] : [`happened_at <= ${later("since", window)}`])]
      : ["happened_at < since", ...(window === null ? [] : [`happened_at >= ${later("since", -window)}`])];
  return [...types, ...times].join(" AND ");
}

/** Joins tables to a statement. */
export function withTables(tables: readonly string[], select: string): string {
  return `WITH ${tables.join(",\n")}\n${select}`;
}
