import type { Interval } from "@assay/core/stats";
import { type EffectPosterior, effectLaw, effectPosterior, selectedEstimate } from "@assay/core/stats/shrinkage";
import { type Bound, estimateFinding, type Finding } from "../finding.ts";
import type { Lab, Proof } from "../lab.ts";
import type { Random } from "../random.ts";

/** The distribution of true effects, for example in percent. */
const PRIOR = { mean: 0, standardDeviation: 1 };
/** The z-value of shipped experiments at alpha 5 %, two-sided. */
const CRITICAL = 1.959963984540054;

interface Experiment {
  truth: number;
  estimate: number;
  standardError: number;
}

/** Draws an experiment. Standard errors differ by a factor of two, so power differs as well. */
function draw(random: Random, spread = PRIOR.standardDeviation): Experiment {
  const truth = PRIOR.mean + spread * random.normal();
  const standardError = 0.7 * 2 ** random.uniform();
  return { truth, standardError, estimate: truth + standardError * random.normal() };
}

const isShipped = ({ estimate, standardError }: Experiment) => estimate > CRITICAL * standardError;
const holds = (value: number, [lower, upper]: Interval) => Number(lower <= value && value <= upper);

/**
 * Creates a mean over programmes. The experiments of a programme share an estimated law, so the error is that over
 * programmes.
 */
function createMean() {
  const programmes: { sum: number; n: number }[] = [];
  return {
    add: (values: readonly number[]) =>
      programmes.push({ sum: values.reduce((sum, value) => sum + value, 0), n: values.length }),
    finding(claim: string, bound: Bound): Finding {
      const n = programmes.reduce((total, one) => total + one.n, 0);
      const mean = programmes.reduce((total, one) => total + one.sum, 0) / n;
      const square = programmes.reduce((total, one) => total + (one.sum - mean * one.n) ** 2, 0);
      return estimateFinding(claim, mean, Math.sqrt(square) / n, n, bound);
    },
  };
}

/** Programmes of `size` experiments whose true effects have the standard deviation `spread`, and what holds for them. */
interface Programmes {
  size: number;
  spread: number;
  full: number;
  /** Bounds of the mean error, and of the estimated less the true share of false signs. */
  bias: Bound;
  signs: Bound;
}

/** Intervals hold within a point of their level. */
const HELD: Bound = { kind: "atLeast", value: 0.94 };
const within = (lower: number, upper: number): Bound => ({ kind: "within", lower, upper });

/** Programmes whose effects are as large as the standard errors, half as large, and a third as large. */
const PROGRAMMES: readonly Programmes[] = [
  { size: 50, spread: 1, full: 10_000, bias: within(-0.05, 0.05), signs: within(-0.03, 0.03) },
  { size: 20, spread: 1, full: 10_000, bias: within(-0.1, 0.1), signs: within(-0.03, 0.04) },
  { size: 20, spread: 0.5, full: 20_000, bias: within(0, 0.3), signs: within(-0.03, 0.03) },
  { size: 20, spread: 0.3, full: 20_000, bias: within(0, 0.5), signs: within(-0.1, 0.03) },
];

/** Simulates programmes. The law of each programme shrinks the experiments that it ships. */
function simulate(lab: Lab, random: Random, { size, spread, full, ...bounds }: Programmes): Finding[] {
  const [bias, covered, signs, sums] = [createMean(), createMean(), createMean(), createMean()];
  const programmes = lab.times(full);
  for (let programme = 0; programme < programmes; programme++) {
    const experiments = Array.from({ length: size }, () => draw(random, spread));
    const places = [...experiments.keys()].filter((place) => isShipped(experiments[place]!));
    if (places.length === 0) continue;
    const law = effectLaw(experiments)!;
    const posteriors = places.map((place): [number, EffectPosterior] => [
      experiments[place]!.truth,
      law.sumOf([place]),
    ]);
    bias.add(posteriors.map(([truth, { mean }]) => mean - truth));
    covered.add(posteriors.map(([truth, { interval }]) => holds(truth, interval)));
    signs.add(posteriors.map(([truth, { chanceToWin }]) => 1 - chanceToWin - Number(truth <= 0)));
    const truth = posteriors.reduce((sum, [own]) => sum + own, 0);
    sums.add([holds(truth, law.sumOf(places).interval)]);
  }
  const of = `by ${size} experiments${spread === PRIOR.standardDeviation ? "" : `, effects of ${spread}`}`;
  return [
    bias.finding(`mean of shrunken estimate less truth, ${of}`, bounds.bias),
    covered.finding(`95 % interval of a shipped effect, ${of}`, HELD),
    sums.finding(`95 % interval of the sum of shipped effects, ${of}`, HELD),
    signs.finding(`false signs among shipped, estimated less true share, ${of}`, bounds.signs),
  ];
}

/** The winner's curse, and what shrinkage leaves of it. */
export const shrinkage: Proof = (lab) => {
  const random = lab.random("shrinkage");
  const count = lab.times(100_000);
  const shipped = Array.from({ length: count }, () => draw(random)).filter(isShipped);
  const all = <T>(of: (one: Experiment) => T) => shipped.map(of);
  const finding = (claim: string, value: (one: Experiment) => number, bound: Bound) => {
    const mean = createMean();
    for (const one of shipped) mean.add([value(one)]);
    return mean.finding(claim, bound);
  };
  const known = new Map(shipped.map((one) => [one, effectPosterior(one, PRIOR)]));
  const conditional = new Map(shipped.map((one) => [one, selectedEstimate(one)!]));
  const falseShare = all(({ truth }) => Number(truth <= 0)).reduce((sum, one) => sum + one, 0) / shipped.length;
  return {
    title: "Shrinkage and the winner's curse",
    setting:
      "True effects are normal with mean 0 and standard deviation 1, standard errors between 0.7 and 1.4. Shipped is what is " +
      `significantly better at 5 %; ${(100 * falseShare).toFixed(1)} % of that has no positive effect. Programmes learn the law from ` +
      "their own experiments.",
    findings: [
      finding("mean of estimate less truth among shipped", ({ estimate, truth }) => estimate - truth, {
        kind: "atLeast",
        value: 0.5,
      }),
      finding(
        "95 % interval without a correction among shipped",
        ({ estimate, standardError, truth }) =>
          holds(truth, [estimate - CRITICAL * standardError, estimate + CRITICAL * standardError]),
        { kind: "atMost", value: 0.9 },
      ),
      finding("mean of shrunken estimate less truth, law known", (one) => known.get(one)!.mean - one.truth, {
        kind: "equals",
        value: 0,
      }),
      finding("95 % interval of a shipped effect, law known", (one) => holds(one.truth, known.get(one)!.interval), {
        kind: "equals",
        value: 0.95,
      }),
      finding(
        "false signs among shipped, estimated less true share, law known",
        (one) => 1 - known.get(one)!.chanceToWin - Number(one.truth <= 0),
        { kind: "equals", value: 0 },
      ),
      ...PROGRAMMES.flatMap((programmes) => simulate(lab, random, programmes)),
      ...conditionally(lab, random),
      finding("mean of conditional estimate less truth", (one) => conditional.get(one)!.estimate - one.truth, {
        kind: "within",
        lower: -0.3,
        upper: 0.3,
      }),
    ],
  };
};

/** Simulates single true effects, in standard errors. An estimate of either sign may be significant. */
function conditionally(lab: Lab, random: Random): Finding[] {
  return [0, 1, 2, 4].map((truth) => {
    const mean = createMean();
    for (let left = lab.times(20_000); left > 0; ) {
      const found = selectedEstimate({ estimate: truth + random.normal(), standardError: 1 });
      if (!found) continue;
      mean.add([holds(truth, found.interval)]);
      left--;
    }
    return mean.finding(`conditional 95 % interval of a significant effect of ${truth} standard errors`, {
      kind: "equals",
      value: 0.95,
    });
  });
}
