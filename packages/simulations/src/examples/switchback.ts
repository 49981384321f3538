import { adjustClusters, clusterLiftInterval, contributionsOf } from "@assay/analysis";
import { clusterEstimate, compareArms, compareProportions, jointMomentsOf, type Proportion } from "@assay/core/stats";
import type { CookieCats, Players } from "./cookie-cats.ts";
import { toRow } from "./row.ts";

const REGIONS = 4;
const HOURS = 168;

/** A region in an hour: its arm, that of the region's hour before, its players and those of them who returned. */
interface Cell {
  arm: number;
  region: number;
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
    return { arm: armOf(hour, region), region, before, returned: 0, players: 0 };
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
    adjusted: withinRegions(cells),
    by_stays: { p_value: compareProportions(alone, others).pValue },
    carry_over: { control: carryOver(own), treatment: carryOver(other) },
  };
}

/** Compares the same hours within regions: adjusted by an indicator of each region but one, with slopes per arm. */
function withinRegions(cells: readonly Cell[]) {
  const column = (of: (cell: Cell) => number) => Float64Array.from(cells, of);
  const players = column((cell) => cell.players);
  const regions = Array.from({ length: REGIONS - 1 }, (_, index) =>
    column(({ region, players: n }) => (region === index + 1 ? n : 0)),
  );
  const columns = [column(({ returned }) => returned), players, players, ...regions];
  const [control, treatment] = contributionsOf({ columns, arms: Uint8Array.from(cells, ({ arm }) => arm) }, 2);
  const arms = adjustClusters(control!, treatment!, { slopes: "PER_ARM" })!;
  const decided = compareArms(arms.control, arms.treatment);
  return {
    difference: decided.difference,
    standard_error: decided.standardError,
    p_value: decided.pValue,
    confidence_interval: decided.confidenceInterval,
    adjusted_control_mean: arms.control.value,
    adjusted_treatment_mean: arms.treatment.value,
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
