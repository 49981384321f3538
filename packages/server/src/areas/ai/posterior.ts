import type { Overview, Results } from "@assay/contract";
import { normalQuantile } from "@assay/core/stats";
import { normalPosterior, type Posterior, rateDifferenceDensity } from "@assay/core/stats/bayes";
import { mapSteps, type Steps } from "../../ground/slices.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { credibleLevelOf } from "../../model/experiment-prior.ts";

const POINTS = 101;
/** Half of the width of the density, in standard deviations. */
const WIDTH = 4;

/** Returns the posterior density of the difference that the Bayesian results are about; null without one. */
export function* toPosterior(record: ExperimentRecord, results: Results): Steps<Overview["posterior"]> {
  const { metric_id = null, difference = null, variants = [] } = results.bayesian_results ?? {};
  const [control, treatment] = variants;
  if (metric_id === null || !difference || !control || !treatment || results.progress.users === 0) return null;
  const level = credibleLevelOf(record);
  const { mean, credible_interval: interval } = difference;
  const deviation = (interval[1] - interval[0]) / -2 / normalQuantile((1 - level) / 2);
  if (!(deviation > 0)) return null;
  const density = rateDensity(control, treatment) ?? densityOf(normalPosterior(mean, deviation));
  const places = Array.from(
    { length: POINTS },
    (_, index) => mean + WIDTH * deviation * ((2 * index) / (POINTS - 1) - 1),
  );
  const points = yield* mapSteps(places, (x): [number, number] => [x, density(x)]);
  return { metric_id, variant: treatment.variant, level, mean, interval, points };
}

const densityOf =
  ({ tails }: Posterior) =>
  (x: number) =>
    Math.exp(tails(x).density);

type Arm = { posterior_alpha: number | null; posterior_beta: number | null };

/** The density of the difference of two rates; undefined for other metrics, whose posterior is normal. */
function rateDensity(control: Arm, treatment: Arm): ((x: number) => number) | undefined {
  const shapes = ({ posterior_alpha: alpha, posterior_beta: beta }: Arm) =>
    alpha === null || beta === null ? null : { alpha, beta };
  const [c, t] = [shapes(control), shapes(treatment)];
  return c && t ? rateDifferenceDensity(c, t) : undefined;
}
