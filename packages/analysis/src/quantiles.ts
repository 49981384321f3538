import { clusterQuantileEstimate, type QuantileEstimate, quantileEstimate } from "@assay/core/stats";
import type { Participants } from "./exposure.ts";
import type { SlotRange } from "./metric.ts";
import type { Metric } from "./metric-definition.ts";
import type { TallyColumn } from "./tally-column.ts";

/**
 * Computes a quantile per arm. Users without a value do not count; all others count with each of their values. If users
 * were assigned in clusters, the error is over clusters, whose numbers are in `clusters`.
 */
export function quantilesOf(
  { quantile = 0.5 }: Metric,
  tally: TallyColumn,
  participants: Participants,
  arms: number,
  { from, to }: SlotRange,
): { arms: QuantileEstimate[]; clusters?: number[] } {
  const list = tally.list();
  const { clusters } = participants;
  const estimates = Array.from({ length: arms }, (_, arm) => {
    const values: number[] = [];
    const users: number[] = [];
    const numbers = new Map<number, number>();
    for (let index = 0; index < list.values.length; index++) {
      const slot = list.slots[index]!;
      if (slot < from || slot >= to || participants.arms[slot] !== arm) continue;
      const unit = clusters ? clusters.of[slot]! : slot;
      if (!numbers.has(unit)) numbers.set(unit, numbers.size);
      values.push(list.values[index]!);
      users.push(numbers.get(unit)!);
    }
    const estimate = clusters ? clusterQuantileEstimate : quantileEstimate;
    return { count: numbers.size, estimate: estimate({ values, users }, { quantile }) };
  });
  const own = estimates.map(({ estimate }) => estimate);
  return { arms: own, ...(clusters && { clusters: estimates.map(({ count }) => count) }) };
}
