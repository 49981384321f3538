import {
  benjaminiHochberg,
  benjaminiYekutieli,
  bonferroni,
  compareProportions,
  holm,
  momentsOf,
  varianceOf,
} from "@assay/core/stats";
import {
  achievedPower,
  meanSampleSize,
  minimumDetectableEffect,
  proportionSampleSize,
} from "@assay/core/stats/planning";
import { type CookieCats, proportionOf } from "./cookie-cats.ts";
import { twoProportions, welchMeans } from "./fixed.ts";

/** Returns how many players a repeat of the experiment needs, and the smallest effect that this one could find. */
export function power({ control, treatment }: CookieCats) {
  const [c, t] = [proportionOf(control.retention7), proportionOf(treatment.retention7)];
  const baseline = c.successes / c.n;
  const size = (variance: "unpooled" | "pooled") => {
    const plan = proportionSampleSize(baseline, baseline - 0.01, { variance });
    return { control: plan.control, treatment: plan.treatment, total: plan.total };
  };
  const deviation = Math.sqrt(varianceOf(momentsOf(control.rounds)) ?? 0);
  const means = (distribution: "normal" | "t") => meanSampleSize(20, deviation, { distribution }).controlExact;
  const { difference, standardError } = compareProportions(c, t);
  return {
    retention_7: { baseline, change: -0.01, unpooled: size("unpooled"), pooled: size("pooled") },
    rounds: {
      standard_deviation: deviation,
      change: 20,
      control_normal: means("normal"),
      control_t: means("t"),
    },
    this_experiment: {
      power: achievedPower(difference, standardError),
      minimum_detectable_effect: minimumDetectableEffect(standardError ?? 0),
    },
  };
}

/** Returns the p-values of the three metrics, adjusted together. */
export function multipleComparisons(cats: CookieCats) {
  const rows = [...twoProportions(cats).metrics, ...welchMeans(cats).metrics];
  const pValues = rows.map((row) => row.p_value);
  return {
    metrics: rows.map(({ name }) => name),
    p_value: pValues,
    holm: holm(pValues),
    benjamini_hochberg: benjaminiHochberg(pValues),
    benjamini_yekutieli: benjaminiYekutieli(pValues),
    bonferroni: bonferroni(pValues),
  };
}
