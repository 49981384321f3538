import {
  armMarginTest,
  type Claim,
  compareMeans,
  compareProportions,
  conclude,
  type Decision,
  type MarginTest,
  marginPValue,
  meanEstimate,
  momentsOf,
  proportionMarginTest,
} from "@assay/core/stats";
import { type CookieCats, proportionOf } from "./cookie-cats.ts";

function row(name: string, compared: Decision, test: MarginTest, hypothesis: Claim["hypothesis"], margin: number) {
  const claim: Claim = { hypothesis, direction: "INCREASE" };
  const p = marginPValue(test, claim);
  return {
    name,
    p_value: compared.pValue,
    relative_difference: compared.relativeDifference,
    relative_confidence_interval: compared.relativeConfidenceInterval,
    hypothesis,
    margin,
    margin_p_value: p,
    conclusion: conclude(claim, { ...compared, marginPValue: p }),
  };
}

/** Tests retention, which may fall a little, and rounds, which should stay the same. */
export function margins({ control, treatment }: CookieCats) {
  const rate = (name: string, c: Float64Array, t: Float64Array, margin: number) => {
    const [own, other] = [proportionOf(c), proportionOf(t)];
    const test = proportionMarginTest(own, other, margin);
    return row(name, compareProportions(own, other), test, "NON_INFERIORITY", margin);
  };
  const [c, t] = [momentsOf(control.rounds), momentsOf(treatment.rounds)];
  const rounds = armMarginTest(meanEstimate(c), meanEstimate(t), 0.1);
  return {
    metrics: [
      rate("retention_1", control.retention1, treatment.retention1, 0.02),
      rate("retention_7", control.retention7, treatment.retention7, 0.08),
      row("rounds", compareMeans(c, t), rounds, "EQUIVALENCE", 0.1),
    ],
  };
}
