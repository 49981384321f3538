import type { OverlapStatistics } from "@assay/analysis";
import type { InteractionScan } from "@assay/contract";
import { holm } from "@assay/core/stats";
import { mapSteps, type Steps } from "../../ground/slices.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { toPair } from "./pair.ts";

/** Tests all pairs of some experiments for interactions, corrected by Holm for all tests. */
export function* toScan(
  records: readonly ExperimentRecord[],
  overlaps: readonly OverlapStatistics[],
  { alpha, leftOut }: { alpha: number; leftOut: number },
): Steps<InteractionScan> {
  const pairs = yield* mapSteps(overlaps, (overlap) =>
    toPair(records[overlap.first]!, records[overlap.second]!, overlap, alpha),
  );
  const adjusted = holm(pairs.map(({ p_value }) => p_value));
  const rows = pairs.map(({ alpha: _, cells: __, ...pair }, index) => {
    const p = adjusted[index]!;
    return { ...pair, adjusted_p_value: p, significant: p !== null && p < alpha };
  });
  const tested = pairs.filter(({ p_value }) => p_value !== null).length;
  return {
    experiments: records.length,
    experiments_left_out: leftOut,
    pairs_analyzed: pairs.length,
    pairs_tested: tested,
    significant_pairs: rows.filter(({ significant }) => significant).length,
    alpha,
    alpha_adjusted: alpha / Math.max(1, tested),
    pairs: rows.sort((one, other) => (one.p_value ?? 2) - (other.p_value ?? 2)),
  };
}
