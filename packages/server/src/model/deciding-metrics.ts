import { holm } from "@assay/core/stats";

/** The part of a metric that decides. */
interface Ranked {
  role: string;
  metric_id: string;
}

/** Which rows can lead to a recommendation. */
export interface Deciding {
  /** Their effects decide: the PRIMARY metrics, or the first metric of an experiment without one. */
  isPrimary(row: Ranked): boolean;
  /** Their harm decides as well: PRIMARY and GUARDRAIL metrics. */
  isWatched(row: Ranked): boolean;
}

/** Finds the metrics that decide, from all rows of an answer. */
export function decidingRows(rows: readonly Ranked[]): Deciding {
  const hasPrimary = rows.some(({ role }) => role === "PRIMARY");
  const first = rows[0]?.metric_id;
  const isPrimary = (row: Ranked) => (hasPrimary ? row.role === "PRIMARY" : row.metric_id === first);
  return { isPrimary, isWatched: (row) => isPrimary(row) || row.role === "GUARDRAIL" };
}

/**
 * The p-values that decide: over all arms of the primary metrics together, and over all arms of the guardrails together,
 * by Holm; null for rows that do not decide. A row without a p-value counts as one of 1, as it may have one tomorrow.
 */
export function decidingPValues(rows: readonly (Ranked & { pValue: number | null })[]): (number | null)[] {
  const { isPrimary, isWatched } = decidingRows(rows);
  const answer = new Array<number | null>(rows.length).fill(null);
  for (const belongs of [isPrimary, (row: Ranked) => isWatched(row) && !isPrimary(row)]) {
    const family = rows.flatMap((row, index) => (belongs(row) ? [{ index, pValue: row.pValue ?? 1 }] : []));
    const adjusted = holm(family.map(({ pValue }) => pValue));
    for (const [place, { index }] of family.entries()) answer[index] = adjusted[place]!;
  }
  return answer;
}
