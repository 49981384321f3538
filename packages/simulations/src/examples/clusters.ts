import { clusterLiftInterval } from "@assay/analysis";
import { clusterEstimate, compareArms, compareProportions, jointMomentsOf } from "@assay/core/stats";
import { type CookieCats, type Players, proportionOf } from "./cookie-cats.ts";
import { toRow } from "./row.ts";

const GUILDS = 500;

/**
 * Compares seven-day retention as if the players of an arm whose ids have the same remainder by 500 had been assigned
 * together.
 */
export function clusters({ control, treatment }: CookieCats) {
  const arms = [control, treatment].map(guildsOf);
  const [c, t] = arms.map(clusterEstimate);
  const [alone, other] = [proportionOf(control.retention7), proportionOf(treatment.retention7)];
  const values = { control: { n: alone.n, value: c!.value }, treatment: { n: other.n, value: t!.value } };
  const decided = compareArms(c!, t!);
  const lift = clusterLiftInterval(decided.relativeConfidenceInterval!, c!, t!, 0.05);
  const compared = { ...decided, relativeConfidenceInterval: lift };
  const row = toRow("retention_7", "CONVERSION", "CLUSTER_ROBUST_T", values, compared);
  return {
    metrics: [{ ...row, unit: "CLUSTER", clusters: { control: arms[0]!.n, treatment: arms[1]!.n } }],
    effective_clusters: { control: c!.n, treatment: t!.n },
    by_users: { p_value: compareProportions(alone, other).pValue },
  };
}

/** Returns the joint moments of [players who returned, players] per guild. */
function guildsOf({ userId, retention7 }: Players) {
  const [returned, players] = [new Float64Array(GUILDS), new Float64Array(GUILDS)];
  for (const [index, id] of userId.entries()) {
    returned[id % GUILDS]! += retention7[index]!;
    players[id % GUILDS]! += 1;
  }
  return jointMomentsOf(returned, players);
}
