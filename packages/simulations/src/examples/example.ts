import { regressionAdjustment } from "./adjusted.ts";
import { bandit, betaBinomial, normalBayes } from "./bayesian.ts";
import { clusters } from "./clusters.ts";
import { type CookieCats, readCookieCats } from "./cookie-cats.ts";
import { cuped, lift, quantiles, ratio, sampleRatio, twoProportions, welchMeans, winsorising } from "./fixed.ts";
import { margins } from "./margins.ts";
import { multipleComparisons, power } from "./planning.ts";
import { fifths, groupSequential, sequential } from "./sequential.ts";
import { interactions, multivariate, novelty } from "./several-factors.ts";
import { switchback } from "./switchback.ts";

const EXAMPLES: Readonly<Record<string, (cats: CookieCats) => object>> = {
  "two-proportions": twoProportions,
  "welch-means": welchMeans,
  ratio,
  quantiles,
  clusters,
  switchback,
  lift,
  "non-inferiority": margins,
  winsorising,
  cuped,
  "regression-adjustment": regressionAdjustment,
  "sample-ratio": sampleRatio,
  power,
  "multiple-comparisons": multipleComparisons,
  sequential,
  "group-sequential": (cats) => ({ ...groupSequential(), ...fifths(cats) }),
  "beta-binomial": betaBinomial,
  "normal-bayes": normalBayes,
  bandit,
  interactions,
  novelty,
  multivariate,
};

/**
 * Returns the worked example of every page of the documentation, by the name of the page. It computes them from the
 * real data.
 */
export function examples(): Map<string, object> {
  const cats = readCookieCats();
  return new Map(Object.entries(EXAMPLES).map(([page, example]) => [page, example(cats)]));
}
