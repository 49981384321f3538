import { addToMoments, emptyMoments, type Moments, normalQuantile, type Proportion } from "@assay/core/stats";
import { LAWS } from "./population.ts";
import type { Random } from "./random.ts";

/** Two arms whose users arrive over time. */
export interface GrowingArms<Arm> {
  control: Arm;
  treatment: Arm;
  /** Adds users until both arms together have this many. */
  growTo(users: number): void;
}

/**
 * A treatment with an effect and a split. `users` is the number of users, by the formula, with which one look finds the
 * effect with 80 % power.
 */
export interface Cell<Arm> {
  name: string;
  users: number;
  /** Returns arms without users. With `isNull` the treatment has no effect. */
  start(random: Random, isNull?: boolean): GrowingArms<Arm>;
}

const SQUARE = (normalQuantile(0.975) + normalQuantile(0.8)) ** 2;

function cellOf<Arm extends { n: number }>(
  name: string,
  share: number,
  variances: [control: number, treatment: number],
  effect: number,
  { empty, come }: { empty: () => Arm; come: (arm: Arm, users: number, isTreatment: boolean, random: Random) => void },
): Cell<Arm> {
  return {
    name: `${name}, ${Math.round(100 * share)}/${Math.round(100 * (1 - share))}`,
    users: (SQUARE * (variances[0] / share + variances[1] / (1 - share))) / effect ** 2,
    start(random, isNull = false) {
      const [control, treatment] = [empty(), empty()];
      return {
        control,
        treatment,
        growTo(users) {
          come(control, Math.round(users * share) - control.n, false, random);
          come(treatment, Math.round(users * (1 - share)) - treatment.n, !isNull, random);
        },
      };
    },
  };
}

const percent = (rate: number) => `${Number((100 * rate).toPrecision(3))} %`;

/** Returns a cell in which the treatment changes a conversion rate. `share` is the share of users in control. */
export function growingRates(control: number, treatment: number, share: number): Cell<Proportion> {
  const variance = (rate: number) => rate * (1 - rate);
  const name = `rates of ${percent(control)} and ${percent(treatment)}`;
  return cellOf<Proportion>(name, share, [variance(control), variance(treatment)], treatment - control, {
    empty: () => ({ successes: 0, n: 0 }),
    come(arm, users, isTreatment, random) {
      arm.successes += random.binomial(users, isTreatment ? treatment : control);
      arm.n += users;
    },
  });
}

/** The skewed metrics: the mean and the mean square of each. */
const METRICS = {
  "log-normal spending": [Math.exp(1.125), Math.exp(4.5)],
  "revenue, 20 % buy": [0.2 * Math.exp(0.5), 0.2 * Math.exp(2)],
} as const satisfies Partial<Record<keyof typeof LAWS, [number, number]>>;

/** The name of a skewed metric. */
export type SkewedLaw = keyof typeof METRICS;

/** Returns a cell with a skewed metric, in which users of the treatment have `1 + lift` times as much. */
export function growingMeans(law: SkewedLaw, lift: number, share: number): Cell<Moments> {
  return skewedCell<Moments>(law, lift, share, { empty: emptyMoments, add: addToMoments });
}

function skewedCell<Arm extends Moments>(
  law: SkewedLaw,
  lift: number,
  share: number,
  { empty, add }: { empty: () => Arm; add: (arm: Arm, value: number) => void },
): Cell<Arm> {
  const [mean, square] = METRICS[law];
  const variance = square - mean ** 2;
  const name = `means of ${law}, lift ${percent(lift)}`;
  return cellOf<Arm>(name, share, [variance, (1 + lift) ** 2 * variance], lift * mean, {
    empty,
    come(arm, users, isTreatment, random) {
      const factor = isTreatment ? 1 + lift : 1;
      for (let user = 0; user < users; user++) add(arm, factor * LAWS[law](random));
    },
  });
}

/** An arm with the values of its users, which a permutation test needs. */
export interface Sample extends Moments {
  values: number[];
}

/** Returns the cell of `growingMeans`, whose arms keep the values of their users. */
export function growingSamples(law: SkewedLaw, lift: number, share: number): Cell<Sample> {
  return skewedCell<Sample>(law, lift, share, {
    empty: () => ({ ...emptyMoments(), values: [] }),
    add(arm, value) {
      addToMoments(arm, value);
      arm.values.push(value);
    },
  });
}

/** Returns a cell with a normal metric that is `effect` standard deviations higher in the treatment. */
export function growingNormal(effect: number, share: number): Cell<Moments> {
  return cellOf<Moments>(`normal means, ${effect} deviations`, share, [1, 1], effect, {
    empty: emptyMoments,
    come(arm, users, isTreatment, random) {
      for (let user = 0; user < users; user++) addToMoments(arm, random.normal() + (isTreatment ? effect : 0));
    },
  });
}
