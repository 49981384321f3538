import {
  type ArmEstimate,
  addToJointMoments,
  clusterEstimate,
  compareArms,
  compareArmsAnytime,
  compareProportions,
  emptyJointMoments,
  type JointMoments,
  jointMomentsOf,
  ratioEstimate,
} from "@assay/core/stats";
import { type Finding, rateFinding } from "../finding.ts";
import { count, type Lab, type Proof } from "../lab.ts";
import type { Random } from "../random.ts";
import { adjustedClusters } from "./adjusted-clusters.ts";
import { SIZES, type Size, USERS } from "./cluster-sizes.ts";

const ALPHA = 0.05;
const NOT_ABOVE = { kind: "notAbove", value: ALPHA } as const;
/** The intraclass correlations: those of the outcomes of two users of one cluster. */
const CORRELATIONS = [0, 0.05, 0.3];
/** The numbers of clusters of all arms. */
const CLUSTERS = [20, 100, 1000];
const RATE = 0.2;
const DAYS = 28;
/** The effective clusters that each arm needs before a look counts, as in the server. */
const MIN_CLUSTERS = 10;

/** Draws the sum of the values of a cluster's users. */
type Law = (random: Random, users: number, correlation: number) => number;

/** Draws the rate of a cluster: a beta variable, which gives its users this correlation. */
const rateOf = (random: Random, correlation: number): number => {
  const shape = 1 / correlation - 1;
  return correlation === 0 ? RATE : random.beta(RATE * shape, (1 - RATE) * shape);
};

const LAWS = {
  conversions: (random, users, correlation) => random.binomial(users, rateOf(random, correlation)),
  // This is the correlation of the logarithms.
  "log-normal spending": (random, users, correlation) => {
    const own = Math.sqrt(correlation) * random.normal();
    let sum = 0;
    for (let user = 0; user < users; user++) sum += Math.exp(own + Math.sqrt(1 - correlation) * random.normal());
    return sum;
  },
} as const satisfies Record<string, Law>;

/** Draws two arms without an effect: the joint moments of [sum, users] per cluster. */
function drawArms(
  random: Random,
  law: Law,
  { clusters, size, correlation, split }: { clusters: number; size: Size; correlation: number; split: number },
): [JointMoments, JointMoments] {
  const control = Math.round((clusters * split) / 100);
  const arm = (length: number) => {
    const users = Array.from({ length }, () => SIZES[size](random));
    return jointMomentsOf(
      users.map((n) => law(random, n, correlation)),
      users,
    );
  };
  return [arm(control), arm(clusters - control)];
}

const decides = ([control, treatment]: [JointMoments, JointMoments]) =>
  compareArms(clusterEstimate(control), clusterEstimate(treatment)).significant;

function oneLook(lab: Lab): Finding[] {
  const cells = Object.entries(LAWS).flatMap(([name, law]) =>
    CORRELATIONS.flatMap((correlation) =>
      (["equal", "geometric"] as const).flatMap((size) =>
        [50, 90].flatMap((split) => CLUSTERS.map((clusters) => ({ name, law, correlation, size, split, clusters }))),
      ),
    ),
  );
  return cells.map(({ name, law, ...setting }) => {
    const { correlation, size, split, clusters } = setting;
    const claim = `${name}, ${clusters} clusters of ${size} size, correlation ${correlation}, ${split}/${100 - split}`;
    const random = lab.random(claim);
    const times = lab.times(clusters === 1000 ? 1000 : 5000);
    const hits = count(times, () => decides(drawArms(random, law, setting)));
    return rateFinding(claim, hits, times, NOT_ABOVE);
  });
}

/** Compares the same arms as if every user had been assigned alone. */
function byUsers(lab: Lab): Finding[] {
  return [0.05, 0.3].map((correlation) => {
    const claim = `conversions by users, 100 clusters of equal size, correlation ${correlation}, for comparison`;
    const random = lab.random(claim);
    const times = lab.times(10_000);
    const rejects = () => {
      const arms = drawArms(random, LAWS.conversions, { clusters: 100, size: "equal", correlation, split: 50 });
      const [control, treatment] = arms.map(({ n, means }) => ({
        successes: Math.round(n * means[0]!),
        n: n * means[1]!,
      }));
      return compareProportions(control!, treatment!).significant;
    };
    return rateFinding(claim, count(times, rejects), times, { kind: "atLeast", value: 0.1 });
  });
}

/** Compares clusters of unequal size by their number instead of the effective number. */
function withoutSizes(lab: Lab): Finding {
  const claim = "conversions, 20 clusters of geometric size, correlation 0.3, by ratioEstimate, for comparison";
  const random = lab.random(claim);
  const times = lab.times(10_000);
  const setting = { clusters: 20, size: "geometric", correlation: 0.3, split: 50 } as const;
  const rejects = () => {
    const [control, treatment] = drawArms(random, LAWS.conversions, setting);
    return compareArms(ratioEstimate(control), ratioEstimate(treatment)).significant;
  };
  return rateFinding(claim, count(times, rejects), times, { kind: "atLeast", value: 0.06 });
}

/** The conversions of a cluster so far. */
interface Growing {
  rate: number;
  daily: number;
  from: number;
  users: number;
  successes: number;
}

/** Returns whether any daily look finds an effect. Users, and half of the clusters, come day by day. */
function anyDay(
  random: Random,
  { clusters, size, correlation }: { clusters: number; size: Size; correlation: number },
  look: (control: ArmEstimate, treatment: ArmEstimate) => number,
): boolean {
  const arms = [0, 1].map(() =>
    Array.from({ length: clusters / 2 }, (_, index): Growing => {
      const daily = Math.ceil(SIZES[size](random) / 4);
      const from = index % 2 === 0 ? 1 : 1 + Math.floor(random.uniform() * DAYS);
      return { rate: rateOf(random, correlation), daily, from, users: 0, successes: 0 };
    }),
  );
  for (let day = 1; day <= DAYS; day++) {
    const [control, treatment] = arms.map((arm) => {
      const moments = emptyJointMoments(2);
      for (const cluster of arm) {
        if (cluster.from > day) continue;
        cluster.users += cluster.daily;
        cluster.successes += random.binomial(cluster.daily, cluster.rate);
        addToJointMoments(moments, [cluster.successes, cluster.users]);
      }
      return clusterEstimate(moments);
    });
    if (Math.min(control!.n, treatment!.n) < MIN_CLUSTERS) continue;
    if (look(control!, treatment!) < ALPHA) return true;
  }
  return false;
}

function dailyLooks(lab: Lab): Finding[] {
  const cells = (["msprt", "always_valid"] as const).flatMap((method) =>
    CORRELATIONS.flatMap((correlation) =>
      (["equal", "geometric"] as const).flatMap((size) =>
        [40, 100, 1000].map((clusters) => ({ method, correlation, size, clusters })),
      ),
    ),
  );
  return cells.map(({ method, ...setting }) => {
    const { correlation, size, clusters } = setting;
    const claim = `daily looks by ${method}, ${clusters} clusters of ${size} size, correlation ${correlation}`;
    const random = lab.random(claim);
    const times = lab.times(clusters === 1000 ? 500 : 2000);
    const rejects = () => {
      let mixingVariance: number | undefined;
      return anyDay(random, setting, (control, treatment) => {
        if (method === "msprt") mixingVariance ??= (0.1 * control.value) ** 2 || undefined;
        const options = mixingVariance === undefined ? {} : { mixingVariance };
        return compareArmsAnytime(control, treatment, options).pValue ?? 1;
      });
    };
    return rateFinding(claim, count(times, rejects), times, NOT_ABOVE);
  });
}

/** The comparison by cluster of users who were assigned in clusters has the level alpha. */
export const clusters: Proof = (lab) => ({
  title: "Users drawn in clusters",
  setting:
    `A/A comparisons of clusterEstimate. The users of a cluster, ${USERS} a cluster on average, depend on each other. One look by ` +
    `compareArms; daily looks by compareArmsAnytime on ${DAYS} days, while users and clusters come. In cells with fewer than ` +
    "5 effective clusters in an arm there is no answer, which counts as no finding. Adjusted rows use adjustClusters, and count " +
    "only the simulations with enough clusters to adjust. The limit is alpha and three standard " +
    "errors of the simulation.",
  findings: [...oneLook(lab), ...adjustedClusters(lab), ...byUsers(lab), withoutSizes(lab), ...dailyLooks(lab)],
});
