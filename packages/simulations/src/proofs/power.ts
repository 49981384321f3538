import { momentsOf, twoProportionTest, welchTest } from "@assay/core/stats";
import { achievedPower, meanSampleSize, proportionSampleSize, tTestPower } from "@assay/core/stats/planning";
import { lineChart } from "../chart.ts";
import { type Finding, rateFinding } from "../finding.ts";
import { count, type Lab, type Proof } from "../lab.ts";
import { sample } from "./false-positives.ts";

function proportions(lab: Lab, control: number, treatment: number, power: number, allocationRatio = 1): Finding {
  const plan = proportionSampleSize(control, treatment, { power, allocationRatio });
  const [p, q] = [100 * control, 100 * treatment];
  const claim = `proportions: ${p} % to ${q} %, ${plan.control} and ${plan.treatment} users`;
  const random = lab.random(claim);
  const times = lab.times(100_000);
  const found = count(times, () => {
    const [c, t] = [random.binomial(plan.control, control), random.binomial(plan.treatment, treatment)];
    return twoProportionTest({ successes: c, n: plan.control }, { successes: t, n: plan.treatment }).significant;
  });
  return rateFinding(claim, found, times, { kind: "equals", value: power });
}

function means(lab: Lab, effect: number, power: number): Finding {
  const plan = meanSampleSize(effect, 1, { power, distribution: "t" });
  const claim = `means: ${effect} standard deviations, ${plan.control} users an arm`;
  const random = lab.random(claim);
  const times = lab.times(50_000);
  const found = count(times, () => {
    const control = momentsOf(sample(plan.control, random.normal));
    return welchTest(control, momentsOf(sample(plan.control, () => random.normal() + effect))).significant;
  });
  // The power that the calculator promises for the users after rounding up.
  const promised = tTestPower(2 * plan.control - 2, effect * Math.sqrt(plan.control / 2));
  return rateFinding(claim, found, times, { kind: "equals", value: promised });
}

const CURVE = { n: 1000, baseline: 0.2 };

/** Returns the power by effect: the result of `achievedPower`, and the simulated power. */
function curve(lab: Lab) {
  const random = lab.random("power curve");
  const times = lab.times(20_000);
  const { n, baseline } = CURVE;
  const effects = Array.from({ length: 15 }, (_, i) => i / 200);
  const simulated = effects.map((effect): [number, number] => {
    const found = count(
      times,
      () =>
        twoProportionTest(
          { successes: random.binomial(n, baseline), n },
          { successes: random.binomial(n, baseline + effect), n },
        ).significant,
    );
    return [100 * effect, found / times];
  });
  const computed = effects.map((effect): [number, number] => {
    const rate = baseline + effect;
    const error = Math.sqrt((baseline * (1 - baseline) + rate * (1 - rate)) / n);
    return [100 * effect, achievedPower(effect, error) ?? 0];
  });
  return { simulated, computed };
}

/** Experiments of the calculated size find the effect with the requested power. */
export const power: Proof = (lab) => {
  const { simulated, computed } = curve(lab);
  return {
    title: "Power",
    setting:
      "Each simulation uses the sample size of the calculator and the effect it was given. The table shows the share of " +
      "simulations with p < 0.05.",
    findings: [
      proportions(lab, 0.1, 0.12, 0.8),
      proportions(lab, 0.2, 0.21, 0.9),
      proportions(lab, 0.3, 0.35, 0.8, 0.5),
      means(lab, 0.5, 0.8),
      means(lab, 0.2, 0.9),
    ],
    pictures: [
      {
        file: "power.svg",
        caption: "Power to find a change of a rate of 20 % with 1,000 users an arm: computed (line), simulated (dots).",
        chart: lineChart({ x: "effect, percentage points", y: "power", yFormat: "percent" }, [
          { name: "computed", points: computed },
          { name: "simulated", points: simulated, dots: true },
        ]),
      },
    ],
  };
};
