import { meanEstimate, momentsOf } from "@assay/core/stats";
import { betaBinomialTest, normalBayesTest, ratePosterior } from "@assay/core/stats/bayes";
import { lineChart } from "../chart.ts";
import { estimateFinding, rateFinding } from "../finding.ts";
import { count, type Proof } from "../lab.ts";
import { sample } from "./false-positives.ts";

const PRIOR = { priorAlpha: 2, priorBeta: 18 };
const USERS = 300;
const BINS = 10;

/** Under the prior, posterior probabilities are frequencies. */
export const bayes: Proof = (lab) => {
  const random = lab.random("bayes");
  const draw = () => random.beta(PRIOR.priorAlpha, PRIOR.priorBeta);
  const arm = (rate: number) => ({ successes: random.binomial(USERS, rate), n: USERS });
  const within = (value: number, [lower, upper]: readonly [number, number]) => lower <= value && value <= upper;

  const arms = lab.times(20_000);
  let highest = 0;
  const covered = count(arms, () => {
    const rate = draw();
    const posterior = ratePosterior(arm(rate), PRIOR);
    if (posterior.highestDensityInterval && within(rate, posterior.highestDensityInterval)) highest++;
    return within(rate, posterior.credibleInterval);
  });

  const pairs = lab.times(3000);
  const bins = Array.from({ length: BINS }, () => ({ n: 0, promised: 0, better: 0 }));
  let promised = 0;
  let better = 0;
  let rope = 0;
  let inRope = 0;
  let spread = 0;
  let ropeSpread = 0;
  const differences = count(pairs, () => {
    const [control, treatment] = [draw(), draw()];
    const test = betaBinomialTest(arm(control), arm(treatment), PRIOR);
    const p = test.probabilityOfSuperiority;
    const bin = bins[Math.min(BINS - 1, Math.floor(p * BINS))]!;
    bin.n += 1;
    bin.promised += p;
    promised += p;
    spread += p * (1 - p);
    if (treatment > control) {
      bin.better += 1;
      better++;
    }
    const inside = test.difference.ropeProbability;
    rope += inside;
    ropeSpread += inside * (1 - inside);
    if (Math.abs(treatment - control) <= 0.01) inRope++;
    return within(treatment - control, test.difference.credibleInterval);
  });

  const nulls = lab.times(1000);
  const fooled = count(nulls, () => {
    const rate = draw();
    return betaBinomialTest(arm(rate), arm(rate), PRIOR).bayesFactor >= 10;
  });

  const means = lab.times(5000);
  const meansCovered = count(means, () => {
    const estimate = (mean: number) => meanEstimate(momentsOf(sample(USERS, () => random.exponential() + mean)));
    const test = normalBayesTest(estimate(0), estimate(0.1), 0.01);
    return test && within(0.1, test.difference.credibleInterval);
  });

  const nominal = { kind: "equals", value: 0.95 } as const;
  const calibration = bins
    .filter(({ n }) => n > 0)
    .map((bin): [number, number] => [bin.promised / bin.n, bin.better / bin.n]);
  return {
    title: "Bayesian calibration",
    setting: `Rates are drawn from the prior Beta(2, 18), then ${USERS} users per arm; the analysis uses that prior.`,
    findings: [
      rateFinding("95 % credible interval of a rate", covered, arms, nominal),
      rateFinding("95 % highest-density interval of a rate", highest, arms, nominal),
      rateFinding("95 % credible interval of a difference", differences, pairs, nominal),
      rateFinding("95 % credible interval of a difference of means (flat prior)", meansCovered, means, nominal),
      // Stated probabilities p occur with variance p (1 - p).
      estimateFinding(
        "P(treatment > control): kept less promised",
        (better - promised) / pairs,
        Math.sqrt(spread) / pairs,
        pairs,
        { kind: "equals", value: 0 },
      ),
      estimateFinding(
        "probability of the ROPE: kept less promised",
        (inRope - rope) / pairs,
        Math.sqrt(ropeSpread) / pairs,
        pairs,
        {
          kind: "equals",
          value: 0,
        },
      ),
      rateFinding("Bayes factor of at least 10 for equal rates", fooled, nulls, { kind: "atMost", value: 0.1 }),
    ],
    pictures: [
      {
        file: "calibration.svg",
        caption: "How often the treatment was better (dots) against the probability that was promised (line).",
        chart: lineChart({ x: "promised P(treatment > control)", y: "frequency", yFormat: "percent" }, [
          {
            name: "perfect",
            points: [
              [0, 0],
              [1, 1],
            ],
          },
          { name: "simulated", points: calibration, dots: true },
        ]),
      },
    ],
  };
};
