import { clusterLiftInterval } from "@assay/analysis";
import { clusterEstimate, compareArms, compareProportions, jointMomentsOf, type Proportion } from "@assay/core/stats";
import type { CookieCats, Players } from "./cookie-cats.ts";
import { toRow } from "./row.ts";

const REGIONS = 4;
const HOURS = 168;

/** A region in an hour: its arm, that of the region's hour before, its players and those of them who returned. */
interface Cell {
  arm: number;
  before: number | null;
  returned: number;
  players: number;
}

/** Returns the arm of a region in an hour, which stands for the one that was drawn. */
const armOf = (hour: number, region: number) => ((hour * hour + 31 * hour + 7 * region) % 101) % 2;

/**
 * Compares seven-day retention as if four regions had switched between the gates every hour of a week. The remainder of
 * a player's id gives region and hour; of its players, those of the hour's gate count.
 */
export function switchback({ control, treatment }: CookieCats) {
  const cells = Array.from({ length: REGIONS * HOURS }, (_, cell): Cell => {
    const [hour, region] = [Math.floor(cell / REGIONS), cell % REGIONS];
    const before = hour === 0 ? null : armOf(hour - 1, region);
    return { arm: armOf(hour, region), before, returned: 0, players: 0 };
  });
  for (const [arm, players] of [control, treatment].entries()) addPlayers(cells, arm, players);
  const of = (arm: number) => cells.filter((cell) => cell.arm === arm);
  const [own, other] = [of(0), of(1)];
  const [c, t] = [estimateOf(own), estimateOf(other)];
  const [alone, others] = [proportionOf(own), proportionOf(other)];
  const decided = compareArms(c, t);
  const lift = clusterLiftInterval(decided.relativeConfidenceInterval!, c, t, 0.05);
  const values = { control: { n: alone.n, value: c.value }, treatment: { n: others.n, value: t.value } };
  const compared = { ...decided, relativeConfidenceInterval: lift };
  const row = toRow("retention_7", "CONVERSION", "CLUSTER_ROBUST_T", values, compared);
  return {
    metrics: [{ ...row, unit: "CLUSTER", clusters: { control: own.length, treatment: other.length } }],
    by_stays: { p_value: compareProportions(alone, others).pValue },
    carry_over: { control: carryOver(own), treatment: carryOver(other) },
  };
}

function addPlayers(cells: readonly Cell[], arm: number, { userId, retention7 }: Players): void {
  for (const [index, id] of userId.entries()) {
    const cell = cells[id % cells.length]!;
    if (cell.arm !== arm) continue;
    cell.players += 1;
    cell.returned += retention7[index]!;
  }
}

function estimateOf(cells: readonly Cell[]) {
  return clusterEstimate(
    jointMomentsOf(
      cells.map(({ returned }) => returned),
      cells.map(({ players }) => players),
    ),
  );
}

function proportionOf(cells: readonly Cell[]): Proportion {
  const sum = (of: (cell: Cell) => number) => cells.reduce((total, cell) => total + of(cell), 0);
  return { successes: sum(({ returned }) => returned), n: sum(({ players }) => players) };
}

/** Returns the p-value of the hours of an arm by the arm of the hour before. */
function carryOver(cells: readonly Cell[]) {
  const after = (arm: number) => estimateOf(cells.filter(({ before }) => before === arm));
  return compareArms(after(0), after(1)).pValue;
}
