import {
  type AnytimeDecision,
  compareProportions,
  compareProportionsAnytime,
  type Decision,
  type Proportion,
  replayLooks,
} from "@assay/core/stats";
import { type SpendingFunction, spendingSchedule } from "@assay/core/stats/planning";
import { type CookieCats, proportionOf, tenths, where } from "./cookie-cats.ts";

const ALPHA = 0.05;
/** The lift for which the mixture is tuned. */
const EXPECTED_LIFT = 0.05;

interface Look {
  n: number;
  arms: { control: Proportion; treatment: Proportion };
  compared: Decision;
}

/** Returns the looks at seven-day retention: of the first tenth of the players, the first two tenths, and so on. */
function looksOf(cats: CookieCats): Look[] {
  return tenths(cats).map((last) => {
    const arm = (players: CookieCats["control"]) =>
      proportionOf(where(players, players.retention7, (userId) => userId <= last));
    const [control, treatment] = [arm(cats.control), arm(cats.treatment)];
    const compared = compareProportions(control, treatment, { alpha: ALPHA });
    return { n: control.n + treatment.n, arms: { control, treatment }, compared };
  });
}

function replayed(looks: readonly Look[], tests: readonly AnytimeDecision[]) {
  const last = looks.at(-1)!.compared;
  const replay = replayLooks(tests, { alpha: ALPHA }).looks;
  const final = replay.at(-1)!;
  const relative = tests.map((test) => ({ ...test, confidenceInterval: test.relativeConfidenceInterval }));
  const lifts = replayLooks(relative, { alpha: ALPHA }).looks;
  return {
    metric: "retention_7",
    variant: "gate_40",
    difference: last.difference,
    standard_error: last.standardError,
    log_likelihood_ratio: tests.at(-1)!.logLikelihoodRatio,
    p_value: final.pValue,
    adjusted_p_value: final.pValue,
    confidence_interval: final.confidenceInterval,
    relative_confidence_interval: lifts.at(-1)!.confidenceInterval,
    is_significant: final.significant,
    looks: looks.map(({ n, compared }, i) => ({
      n,
      difference: compared.difference,
      p_value: replay[i]!.pValue,
      confidence_interval: replay[i]!.confidenceInterval,
    })),
  };
}

/** Looks at seven-day retention ten times with both sequential tests. */
export function sequential(cats: CookieCats) {
  const looks = looksOf(cats);
  const { successes, n } = proportionOf(cats.control.retention7);
  const mixingVariance = ((EXPECTED_LIFT * successes) / n) ** 2;
  const test = (options: { mixingVariance?: number }) =>
    looks.map(({ arms }) => compareProportionsAnytime(arms.control, arms.treatment, { alpha: ALPHA, ...options }));
  const [msprt, alwaysValid] = [test({ mixingVariance }), test({})];
  return {
    msprt: { method: "msprt", alpha: ALPHA, metrics: [replayed(looks, msprt)] },
    always_valid: { method: "always_valid", alpha: ALPHA, metrics: [replayed(looks, alwaysValid)] },
  };
}

/** Returns the boundaries of five even looks by both spending functions. */
export function groupSequential() {
  const plan = (spendingFunction: SpendingFunction) => ({
    spending_function: spendingFunction,
    num_looks: 5,
    current_look: 5,
    schedule: spendingSchedule(spendingFunction, [0.2, 0.4, 0.6, 0.8, 1], { alpha: ALPHA }).map((look) => ({
      look: look.look,
      information_fraction: look.informationFraction,
      cumulative_alpha: look.cumulativeAlpha,
      incremental_alpha: look.incrementalAlpha,
      z_boundary: look.zBoundary,
      nominal_p_value: look.nominalPValue,
    })),
  });
  return { obrien_fleming: plan("obrien_fleming"), pocock: plan("pocock") };
}

/** Returns the z of seven-day retention at every second tenth, to compare with the boundaries. */
export function fifths(cats: CookieCats) {
  return { z: looksOf(cats).flatMap(({ compared }, i) => (i % 2 === 1 ? [compared.statistic] : [])) };
}
