import { holm } from "@assay/core/stats";

/** The fields of a metric that determine whether it decides. */
interface Ranked {
  role: string;
  metric_id: string;
}

/**
 * A row with the two-sided p-value of its difference and, if its metric has a margin, the one-sided one of the margin.
 */
export interface Tested extends Ranked {
  pValue: number | null;
  hypothesis: "SUPERIORITY" | "NON_INFERIORITY" | "EQUIVALENCE";
  marginPValue: number | null;
}

/** The p-values that decide; null for rows that do not. */
export interface Adjusted {
  /** p-value of the difference, to compare with alpha. */
  pValue: number | null;
  /** p-value of the margin, to compare with alpha / 2; null for SUPERIORITY. */
  marginPValue: number | null;
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
 * Returns the p-values that decide. A row without a p-value counts as one with a p-value of 1, because it may have one
 * tomorrow.
 *
 * Differences: Holm's method over all arms of the primary metrics, and separately over all arms of the guardrails.
 *
 * Margins of primary metrics: Holm's method over everything that the primary metrics claim, with twice the one-sided
 * p-values. A SUPERIORITY metric among them gets the larger of both p-values. So neither a wrong gain nor a wrong harm
 * is more probable than alpha / 2.
 *
 * Margins of guardrails: the p-value times the number of treatments (Bonferroni), but not times the number of
 * guardrails. A treatment ships only if all of its guardrails are established, so a single wrong one does not ship it.
 *
 * Source: the intersection-union test, R. L. Berger, Technometrics 24 (1982); M. Schultzberg, S. Ankargren and M.
 * Frånberg, Risk-aware product decisions in A/B tests with multiple metrics, arXiv 2402.11609 (2024).
 */
export function decidingPValues(rows: readonly Tested[]): Adjusted[] {
  const { isPrimary, isWatched } = decidingRows(rows);
  const answer = rows.map((): Adjusted => ({ pValue: null, marginPValue: null }));
  const adjust = (belongs: (row: Tested) => boolean, pValueOf: (row: Tested) => number | null) => {
    const family = rows.flatMap((row, index) => (belongs(row) ? [{ index, row, pValue: pValueOf(row) ?? 1 }] : []));
    const adjusted = holm(family.map(({ pValue }) => pValue));
    return family.map(({ index, row }, place) => ({ own: answer[index]!, row, pValue: adjusted[place]! }));
  };
  const isGuardrail = (row: Tested) => isWatched(row) && !isPrimary(row);
  for (const belongs of [isPrimary, isGuardrail]) {
    for (const { own, pValue } of adjust(belongs, (row) => row.pValue)) own.pValue = pValue;
  }
  for (const { own, row, pValue } of adjust(isPrimary, claimPValue)) {
    if (row.hypothesis === "SUPERIORITY") own.pValue = Math.max(own.pValue ?? 0, pValue);
    else own.marginPValue = pValue / 2;
  }
  for (const [index, row] of rows.entries()) {
    if (!isGuardrail(row) || row.hypothesis === "SUPERIORITY") continue;
    const treatments = rows.filter(({ metric_id }) => metric_id === row.metric_id).length;
    answer[index]!.marginPValue = Math.min(1, treatments * (row.marginPValue ?? 1));
  }
  return answer;
}

/** Returns the p-value of a primary row's claim, to compare with alpha. */
function claimPValue({ hypothesis, pValue, marginPValue }: Tested): number | null {
  if (hypothesis === "SUPERIORITY") return pValue;
  return marginPValue === null ? null : Math.min(1, 2 * marginPValue);
}
