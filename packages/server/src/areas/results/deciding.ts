/** The part of a metric that decides. */
interface Ranked {
  role: string;
  metric_id: string;
}

/** Which rows can lead to a recommendation. */
export interface Deciding {
  /** Their effects decide: the PRIMARY metrics, or the first metric of an experiment without one. */
  isPrimary(row: Ranked): boolean;
  /** Their harm decides too: PRIMARY and GUARDRAIL metrics. These rows share alpha. */
  isWatched(row: Ranked): boolean;
}

/** Finds the metrics that decide, from all rows of an answer. */
export function decidingRows(rows: readonly Ranked[]): Deciding {
  const hasPrimary = rows.some(({ role }) => role === "PRIMARY");
  const first = rows[0]?.metric_id;
  const isPrimary = (row: Ranked) => (hasPrimary ? row.role === "PRIMARY" : row.metric_id === first);
  return { isPrimary, isWatched: (row) => isPrimary(row) || row.role === "GUARDRAIL" };
}
