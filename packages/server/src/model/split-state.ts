import type { Results, SplitState } from "@assay/contract";

/** Below this p-value, a split is worth watching. */
const WATCHED = 0.05;

/** Returns the state of the split of users, by the test that stays valid under repeated looks. */
export function splitState({ anytime_p_value, warning }: Results["srm"]): SplitState {
  if (anytime_p_value === null) return null;
  if (warning) return "uneven";
  return anytime_p_value < WATCHED ? "watch" : "even";
}
