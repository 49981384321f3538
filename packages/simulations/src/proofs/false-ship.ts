import { type ClockedServer, DAY, type SentEvent, simulateServers } from "../clocked-server.ts";
import { type Bound, type Finding, rateFinding } from "../finding.ts";
import type { Lab, Proof } from "../lab.ts";
import { LAWS } from "../population.ts";
import type { Random } from "../random.ts";

const DAYS = 20;
const ALPHA = 0.05;
/** The experiments of each design, in full and in tests. */
const EXPERIMENTS = 120;
const LEAST = 15;

/** What a user does after the exposure: a type of event, and possibly a value. */
type Outcome = Pick<SentEvent, "event_type" | "value">;

interface Design {
  name: string;
  /** Users a day of each arm, control first. */
  users: number[];
  metrics: { id: string; kind: "CONVERSION" | "MEAN"; direction: "INCREASE" | "DECREASE" }[];
  outcomes(random: Random, arm: number): Outcome[];
  /** The planned sample size, if there is one. */
  plan?: number;
}

/** Returns the events of metrics that a user converts in with these probabilities. */
const converts = (random: Random, rates: readonly number[]): Outcome[] =>
  rates.flatMap((rate, index) => (random.uniform() < rate ? [{ event_type: `outcome-${index}` }] : []));

const rate = (index: number, direction: "INCREASE" | "DECREASE" = "INCREASE") => ({
  ...{ id: `outcome-${index}`, kind: "CONVERSION" as const },
  direction,
});

/** A/A designs, each with another way to a false decision. */
const DESIGNS: Design[] = [
  {
    // Every day after the planned one, the p-value of one look would have another chance.
    ...{ name: "conversions of 30 % with a plan", users: [10, 10], plan: 60, metrics: [rate(0)] },
    outcomes: (random) => converts(random, [0.3]),
  },
  {
    // The small arm has no refunds at first, so its variance is 0.
    ...{ name: "refunds of 3 %, 98/2", users: [98, 2], metrics: [rate(0, "DECREASE")] },
    outcomes: (random) => converts(random, [0.03]),
  },
  {
    // Each of the six comparisons has another chance.
    ...{ name: "three treatments and two primary metrics", users: [10, 10, 10, 10], plan: 160 },
    metrics: [rate(0), rate(1)],
    outcomes: (random) => converts(random, [0.3, 0.1]),
  },
  {
    // In a small arm, a large mean of a skewed metric comes with a large variance.
    ...{ name: "revenue, 20 % buy, 90/10", users: [90, 10], plan: 1000 },
    metrics: [{ id: "outcome-0", kind: "MEAN", direction: "INCREASE" }],
    outcomes(random) {
      const value = LAWS["revenue, 20 % buy"](random);
      return value > 0 ? [{ event_type: "outcome-0", value }] : [];
    },
  },
];

/** A design whose treatment doubles the rate, to show that these experiments find an effect. */
const DOUBLED: Design = {
  ...{ name: "conversions of 30 % that the treatment doubles", users: [10, 10], plan: 60, metrics: [rate(0)] },
  outcomes: (random, arm) => converts(random, [arm === 0 ? 0.3 : 0.6]),
};

const armOf = (index: number) => (index === 0 ? "control" : `treatment-${index}`);

async function start({ admin }: ClockedServer, { users, metrics, plan }: Design): Promise<string> {
  const total = users.reduce((sum, count) => sum + count, 0);
  const { id } = await admin.request("POST /experiments/", {
    body: {
      ...{ name: "Simulated", status: "ACTIVE", planned_sample_size: plan },
      variants: users.map((count, index) => ({ key: armOf(index), weight: count / total })),
      metrics: metrics.map((metric) => ({
        ...metric,
        name: metric.id,
        event_type: metric.id,
        role: "PRIMARY" as const,
      })),
    },
  });
  return id;
}

/** Returns the events of a day's users: their exposures, and their outcomes. */
function eventsOf(design: Design, experiment_id: string, day: number, random: Random): SentEvent[] {
  return design.users.flatMap((count, arm) =>
    Array.from({ length: count }, (_, index): SentEvent[] => {
      const user_id = `user-${arm}-${day}-${index}`;
      const exposure = { event_type: "exposure", user_id, experiment_id, variant_id: armOf(arm) };
      return [exposure, ...design.outcomes(random, arm).map((outcome) => ({ ...outcome, user_id }))];
    }).flat(),
  );
}

/** Runs an experiment. Returns whether a read on any day recommends to ship, and to stop for a difference. */
async function run(server: ClockedServer, design: Design, random: Random) {
  const experiment_id = await start(server, design);
  const params = { experiment_id };
  let [isShipped, isStopped] = [false, false];
  for (let day = 0; day < DAYS; day++) {
    await server.send(eventsOf(design, experiment_id, day, random));
    const read = await server.admin.request("POST /ai/interpret/{experiment_id}", { params });
    isShipped ||= read.recommendation === "SHIP";
    const { recommendation } = await server.admin.request("GET /results/{experiment_id}/sequential", { params });
    isStopped ||= ["STOP_FOR_EFFECT", "STOP_FOR_HARM"].includes(recommendation.action);
    server.advance(DAY);
  }
  return { isShipped, isStopped };
}

async function findingsOf(lab: Lab, design: Design, bound: Bound): Promise<Finding[]> {
  const random = lab.random(`false ship: ${design.name}`);
  const times = lab.times(EXPERIMENTS, LEAST);
  const runs = await simulateServers(times, (server) => run(server, design, random));
  const hits = (happens: (one: (typeof runs)[number]) => boolean) => runs.filter(happens).length;
  return [
    rateFinding(
      `${design.name}: shipped`,
      hits(({ isShipped }) => isShipped),
      times,
      bound,
    ),
    rateFinding(
      `${design.name}: stopped for a difference`,
      hits(({ isStopped }) => isStopped),
      times,
      bound,
    ),
  ];
}

/** Recommendations of a server to which events come every day. */
export const falseShip: Proof = async (lab) => {
  const findings: Finding[] = [];
  for (const design of DESIGNS) findings.push(...(await findingsOf(lab, design, { kind: "notAbove", value: ALPHA })));
  findings.push(...(await findingsOf(lab, DOUBLED, { kind: "atLeast", value: 0.8 })));
  return {
    title: "Recommendations over HTTP",
    setting:
      "A/A experiments on a server with a simulated clock, from the creation to the recommendations: users and events come " +
      `every day for ${DAYS} days, and after each day \`POST /ai/interpret\` and \`GET /results/…/sequential\` are read. The share ` +
      "of experiments that any read recommends to ship, or to stop for an effect or harm. The last rows have an effect.",
    findings,
  };
};
