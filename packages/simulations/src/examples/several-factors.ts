import {
  assignmentDependenceTest,
  compareProportions,
  interactionTest,
  interactionWaldTest,
  mainEffects,
  momentsOf,
  noveltyTest,
  rateEstimate,
} from "@assay/core/stats";
import { type CookieCats, type Players, proportionOf, tenths, where } from "./cookie-cats.ts";

/** Returns the arm in the other experiment: the parity of the id, which has no effect. */
const parity = (userId: number) => userId % 2;

function cellsOf(cats: CookieCats) {
  const cell = (players: Players, arm: number) =>
    momentsOf(where(players, players.retention7, (userId) => parity(userId) === arm));
  return [cats.control, cats.treatment].map((players) => [cell(players, 0), cell(players, 1)]);
}

/** Returns the gate's effect on seven-day retention, by the parity of the players' ids. */
export function interactions(cats: CookieCats) {
  const cells = cellsOf(cats);
  const dependence = assignmentDependenceTest(cells.map((row) => row.map(({ n }) => n)));
  const test = interactionTest(cells);
  const wald = interactionWaldTest(cells);
  return {
    assignment: { chi_square: dependence.chiSquare, df: dependence.df, p_value: dependence.pValue },
    interaction: {
      effect_without_b: test.effectWithoutB,
      effect_with_b: test.effectWithB,
      difference: test.difference,
      standard_error: test.standardError,
      df: test.df,
      p_value: test.pValue,
      confidence_interval: test.confidenceInterval,
      is_significant: test.significant,
    },
    wald: { chi_square: wald.chiSquare, df: wald.df, p_value: wald.pValue },
  };
}

/** Returns the main effects of the gate and of the parity on seven-day retention. */
export function multivariate(cats: CookieCats) {
  const cell = (players: Players, arm: number) => {
    const { value, variance, n } = rateEstimate(
      proportionOf(where(players, players.retention7, (userId) => parity(userId) === arm)),
    );
    return { n, mean: value, m2: (variance ?? 0) * (n - 1) };
  };
  const cells = [cats.control, cats.treatment].flatMap((players, gate) =>
    [0, 1].map((arm) => ({ levels: [gate, arm], moments: cell(players, arm) })),
  );
  const factors = [
    { factor: "gate", level: "40", baseline: "30" },
    { factor: "parity", level: "odd", baseline: "even" },
  ];
  return {
    main_effects: mainEffects(cells, { referenceDistribution: "normal" }).map(({ factor, comparison }) => ({
      metric_id: "retention_7",
      metric: "retention_7",
      ...factors[factor],
      difference: comparison.difference,
      standard_error: comparison.standardError,
      p_value: comparison.pValue,
      confidence_interval: comparison.confidenceInterval,
      is_significant: comparison.significant,
      status: comparison.status,
    })),
  };
}

/** Tests seven-day retention for novelty. Tenths of the players stand for days. */
export function novelty(cats: CookieCats) {
  const ends = tenths(cats);
  const days = ends.map((end, i) => {
    const arm = (players: Players) =>
      proportionOf(where(players, players.retention7, (userId) => userId > (ends[i - 1] ?? 0) && userId <= end));
    return compareProportions(arm(cats.control), arm(cats.treatment));
  });
  const test = noveltyTest(days);
  const effect = ({ difference, standardError }: typeof test.early) => ({ difference, standard_error: standardError });
  return {
    days: { difference: days.map((day) => day.difference), standard_error: days.map((day) => day.standardError) },
    slope: test.slope,
    slope_standard_error: test.slopeStandardError,
    slope_p_value: test.slopePValue,
    early: effect(test.early),
    late: effect(test.late),
    late_minus_early: { ...effect(test.lateMinusEarly), p_value: test.lateMinusEarly.pValue },
    heterogeneity: { q: test.heterogeneity.q, df: test.heterogeneity.df, p_value: test.heterogeneity.pValue },
  };
}
