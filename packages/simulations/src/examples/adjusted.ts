import { compareAdjusted, jointMomentsOf } from "@assay/core/stats";
import type { CookieCats, Players } from "./cookie-cats.ts";

/**
 * Returns a column for each of the digits 1 to 9: whether it is the last digit of a player's id. These are the groups
 * of post-stratification; 0 is the rest.
 */
function digits({ userId }: Players): Float64Array[] {
  return Array.from({ length: 9 }, (_, index) =>
    Float64Array.from(userId, (id) => (Number(id) % 10 === index + 1 ? 1 : 0)),
  );
}

function adjustedRow(
  name: string,
  { control, treatment }: CookieCats,
  outcome: (players: Players) => Float64Array,
  covariates: (players: Players) => Float64Array[],
) {
  const arm = (players: Players) => jointMomentsOf(outcome(players), ...covariates(players));
  const { decision, unadjusted, control: c, treatment: t, ...rest } = compareAdjusted(arm(control), arm(treatment));
  return {
    name,
    difference: decision.difference,
    standard_error: decision.standardError,
    p_value: decision.pValue,
    confidence_interval: decision.confidenceInterval,
    adjustment: {
      adjusted_control_mean: c.value,
      adjusted_treatment_mean: t.value,
      unadjusted_difference: unadjusted.difference,
      unadjusted_standard_error: unadjusted.standardError,
      variance_reduction_pct: rest.varianceReductionPct,
    },
  };
}

/** Compares rounds, post-stratified by the digit, and shows the arithmetic with retention as covariates. */
export function regressionAdjustment(cats: CookieCats) {
  return {
    metrics: [adjustedRow("rounds", cats, ({ rounds }) => rounds, digits)],
    arithmetic: adjustedRow(
      "rounds",
      cats,
      ({ rounds }) => rounds,
      ({ retention1, retention7 }) => [retention1, retention7],
    ),
  };
}
