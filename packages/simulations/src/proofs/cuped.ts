import { cupedTest, momentsOf, varianceOf } from "@assay/core/stats";
import { lineChart } from "../chart.ts";
import { estimateFinding, type Finding } from "../finding.ts";
import type { Lab, Proof } from "../lab.ts";
import { jointSample } from "./false-positives.ts";

/** The users of each arm. */
const USERS = 1000;

interface Reduction {
  correlation: number;
  reported: Finding;
  realised: Finding;
}

/** Returns the variance reduction that CUPED reports, and the real one of its estimates. */
function reduction(lab: Lab, correlation: number): Reduction {
  const random = lab.random(`cuped ${correlation}`);
  const times = lab.times(4000);
  const [reported, plain, adjusted]: number[][] = [[], [], []];
  for (let i = 0; i < times; i++) {
    const arm = () =>
      jointSample(USERS, 2, () => {
        const before = random.normal();
        return [correlation * before + Math.sqrt(1 - correlation ** 2) * random.normal(), before];
      });
    const test = cupedTest(arm(), arm());
    reported!.push((test.varianceReductionPct ?? Number.NaN) / 100);
    plain!.push(test.unadjusted.difference ?? Number.NaN);
    adjusted!.push(test.adjusted.difference ?? Number.NaN);
  }
  const spread = (values: readonly number[]) => varianceOf(momentsOf(values)) ?? Number.NaN;
  const left = spread(adjusted!) / spread(plain!);
  // Two jointly normal estimates of correlation r: the log ratio of their variances has variance 4 (1 - r^2) / N.
  const error = left * Math.sqrt((4 * correlation ** 2) / times);
  const square = correlation ** 2;
  // The mean of a squared sample correlation of normal values, to the order of 1 / N.
  const sampled = square + ((1 - square) * (1 - 2 * square)) / (2 * USERS);
  const name = `correlation ${correlation}`;
  return {
    correlation,
    reported: estimateFinding(
      `${name}: mean of the reported reduction`,
      momentsOf(reported!).mean,
      Math.sqrt(spread(reported!) / times),
      times,
      { kind: "equals", value: sampled },
    ),
    realised: estimateFinding(`${name}: reduction of the estimates' variance`, 1 - left, error, times, {
      kind: "equals",
      value: square,
    }),
  };
}

/** CUPED reduces the variance by a fraction of rho^2, and reports that. */
export const cuped: Proof = (lab) => {
  const reductions = [0.2, 0.4, 0.6, 0.8, 0.9].map((correlation) => reduction(lab, correlation));
  const line = Array.from({ length: 51 }, (_, i): [number, number] => [i / 50, (i / 50) ** 2]);
  return {
    title: "CUPED's variance reduction",
    setting:
      `Normal outcome and covariate with known correlation rho, ${USERS} users per arm. Theory predicts rho^2; the reported ` +
      "reduction is a squared sample correlation, whose mean is larger by (1 - rho^2)(1 - 2 rho^2) / N.",
    findings: reductions.flatMap(({ reported, realised }) => [reported, realised]),
    pictures: [
      {
        file: "cuped.svg",
        caption: "Reduction of the estimates' variance (dots) against the square of the correlation (line).",
        chart: lineChart({ x: "correlation", y: "variance reduction", yFormat: "percent" }, [
          { name: "rho squared", points: line },
          {
            name: "simulated",
            points: reductions.map(({ correlation, realised }) => [correlation, realised.value]),
            dots: true,
          },
        ]),
      },
    ],
  };
};
