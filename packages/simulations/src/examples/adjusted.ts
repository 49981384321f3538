import { compareAdjusted, jointMomentsOf } from "@assay/core/stats";
import type { CookieCats, Players } from "./cookie-cats.ts";

/** Whether the last digit of a player's id is each of 1 to 9: the groups of post-stratification, 0 being the rest. */
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

/** Rounds post-stratified by the digit, and the arithmetic with retention as covariates. */
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
