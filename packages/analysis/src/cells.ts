import type { Participants } from "./exposure.ts";
import type { GroupStatistics } from "./groups.ts";
import { planTallies, toStatistics } from "./metric.ts";
import type { Metric } from "./metric-definition.ts";
import { countArms, type SufficientStatistics } from "./sufficient-statistics.ts";
import type { TallyColumn, TallyPlan } from "./tally-column.ts";

/** What a database has counted of each participant, who each were assigned individually. */
export interface Cells {
  /** Index of the arm, by participant. */
  arms: Uint8Array;
  crossover: number;
  forced: number;
  inferred: number;
  /** One tally for each of {@link tallyPlans}. */
  tallies: CellTally[];
}

/** One number per participant, NaN for a minimum or maximum without values; or, of a LIST, all values. */
export type CellTally = { cells: Float64Array } | { values: number[]; slots: number[] };

/** Returns the tallies that metrics need, in order. */
export function tallyPlans(metrics: readonly Metric[]): TallyPlan[] {
  return metrics.flatMap(planTallies);
}

/** Sums up participants as the analysis of a log does. */
export function statisticsOfCells(
  { variants }: { variants: readonly string[] },
  metrics: readonly Metric[],
  cells: Cells,
): SufficientStatistics {
  const { arms, crossover, forced, inferred } = cells;
  const [group] = groupsOfCells({ variants }, metrics, cells, [arms.length]);
  return { ...group!, crossover, forced, inferred, clusters: null };
}

/** Sums up groups of participants: group i has those from `ends[i - 1]` to before `ends[i]`. */
export function groupsOfCells(
  { variants }: { variants: readonly string[] },
  metrics: readonly Metric[],
  { arms, crossover, forced, inferred, tallies }: Cells,
  ends: readonly number[],
): GroupStatistics[] {
  const counts = { crossover, forced, inferred, length: arms.length };
  const participants: Participants = { ...counts, arms, slots: new Int32Array(), since: new Float64Array() };
  const columns = tallies.map(toColumn);
  return ends.map((to, index) => {
    const range = { from: ends[index - 1] ?? 0, to };
    const left = [...columns];
    return {
      users: countArms(arms.subarray(range.from, range.to), variants.length),
      metrics: metrics.map((metric) => {
        const own = left.splice(0, planTallies(metric).length);
        return toStatistics(metric, own, participants, variants.length, range);
      }),
    };
  });
}

function toColumn(tally: CellTally): TallyColumn {
  return {
    add() {},
    cells: (from, to) => ("cells" in tally ? tally.cells.slice(from, to) : new Float64Array()),
    list: () =>
      "values" in tally
        ? { values: Float64Array.from(tally.values), slots: Uint32Array.from(tally.slots) }
        : { values: new Float64Array(), slots: new Uint32Array() },
    extend() {},
  };
}
