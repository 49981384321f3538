import { type ClockedServer, DAY, type SentEvent, simulateServers } from "../clocked-server.ts";
import { type Finding, rateFinding } from "../finding.ts";
import type { Lab, Proof } from "../lab.ts";
import type { Random } from "../random.ts";

const ALPHA = 0.05;
const USERS = 1500;
/** The share of users who visit on a day. */
const VISITS = 0.06;
const PERCENTAGES = [5, 20, 50];
/** The days, and so the looks, of each percentage. */
const DAYS = 10;
const MIN_USERS = 30;
/** The rollouts of each kind, in full and in tests. */
const ROLLOUTS = 120;
const LEAST = 15;
/** The shapes of the beta distribution of users' rates of errors. */
const SHAPES = [2, 18] as const;
const FLAG = "checkout";

/** Draws the events of a visit of a user with this inclination, apart from the visit itself. */
type Visit = (random: Random, inclination: number, hasFlag: boolean) => Pick<SentEvent, "event_type" | "value">[];

const error = (random: Random, chance: number) => (random.uniform() < chance ? [{ event_type: "error" }] : []);
const retries = (random: Random, inclination: number) =>
  Array.from({ length: random.poisson(5 * inclination) }, () => ({ event_type: "retry" }));
const load = (random: Random, inclination: number) => [
  { event_type: "load", value: Math.exp(10 * inclination + random.normal()) },
];

/** The metrics that a rollout is guarded by. Every value is beyond a threshold of 0, so only the comparison decides. */
const METRICS = {
  errors: { event_type: "error", aggregation: "RATE" },
  retries: { event_type: "retry", aggregation: "COUNT" },
  load: { event_type: "load", aggregation: "MEAN" },
} as const;
type Metric = keyof typeof METRICS;

interface Rollout {
  name: string;
  metrics: Metric[];
  visit: Visit;
}

const HEALTHY: Rollout[] = [
  { name: "a rate of 10 %", metrics: ["errors"], visit: error },
  { name: "a count", metrics: ["retries"], visit: retries },
  { name: "a skewed mean", metrics: ["load"], visit: load },
  {
    ...{ name: "any of the three", metrics: ["errors", "retries", "load"] },
    visit: (random, inclination) =>
      [error, retries, load].flatMap((draw): ReturnType<Visit> => draw(random, inclination)),
  },
];
const HARMFUL: Rollout = {
  ...{ name: "a rate that the flag triples", metrics: ["errors"] },
  visit: (random, inclination, hasFlag) => error(random, inclination * (hasFlag ? 3 : 1)),
};

/** Guards a new flag, and activates its schedule. Returns the id of the schedule. */
async function start({ admin }: ClockedServer, { metrics }: Rollout): Promise<string> {
  await admin.request("POST /feature-flags/", {
    body: { key: FLAG, name: FLAG, status: "ACTIVE", rollout_percentage: 0 },
  });
  const guarded = metrics.map((name) => [name, { ...METRICS[name], critical_threshold: 0, min_users: MIN_USERS }]);
  await admin.request("PUT /safety/settings", {
    body: { automatic_rollback: true, metrics: Object.fromEntries(guarded) },
  });
  const stages = PERCENTAGES.map((target_percentage, index) => ({
    ...{ target_percentage, trigger: "TIME" as const },
    trigger_config: { after_minutes: index === 0 ? 0 : DAYS * 1440 },
  }));
  // The difference of healthy rollouts is exactly the threshold, so the stage neither begins nor fails.
  const claim = { event_type: "error", comparison: "LESS_THAN", threshold: 0, min_users: MIN_USERS };
  const last = { target_percentage: 100, trigger: "METRIC" as const, trigger_config: claim };
  const { id } = await admin.request("POST /rollout-schedules", {
    body: { name: "Rollout", feature_flag_id: FLAG, stages: [...stages, last] },
  });
  await admin.request("POST /rollout-schedules/{id}/activate", { params: { id } });
  return id;
}

/** Runs a rollout. Returns whether it is rolled back, and whether its last stage begins or fails. */
async function run(server: ClockedServer, rollout: Rollout, random: Random, simulation: number) {
  const id = await start(server, rollout);
  const inclinations = Array.from({ length: USERS }, () => random.beta(...SHAPES));
  for (let day = 0; day < DAYS * PERCENTAGES.length; day++) {
    const events = inclinations.flatMap((inclination, index): SentEvent[] => {
      if (random.uniform() >= VISITS) return [];
      // The bucket of a user is a hash of the id, so each simulation has other users on each side.
      const user_id = `user-${simulation}-${index}`;
      const hasFlag = server.engine.evaluate(FLAG, { targetingKey: user_id }, false).enabled;
      const caused = rollout.visit(random, inclination, hasFlag).map((event) => ({ ...event, user_id }));
      return [{ event_type: "visit", user_id }, ...caused];
    });
    await server.send(events);
    server.advance(DAY);
    for (const job of ["rollout-advance", "safety-check"]) await server.runJob(job);
  }
  const { total } = await server.admin.request("GET /safety/rollback-history");
  const { stages } = await server.admin.request("GET /rollout-schedules/{id}", { params: { id } });
  return { isRolledBack: total > 0, isDecided: stages.at(-1)!.status !== "PENDING" };
}

async function simulate(lab: Lab, rollout: Rollout) {
  const random = lab.random(`false rollback: ${rollout.name}`);
  return simulateServers(lab.times(ROLLOUTS, LEAST), (server, simulation) => run(server, rollout, random, simulation));
}

/** Rollouts on a server, from 5 % to 50 %, guarded and with a last stage that a metric decides. */
export const falseRollback: Proof = async (lab) => {
  const notAbove = { kind: "notAbove", value: ALPHA } as const;
  const findings: Finding[] = [];
  for (const rollout of HEALTHY) {
    const runs = await simulate(lab, rollout);
    const back = runs.filter(({ isRolledBack }) => isRolledBack).length;
    findings.push(rateFinding(`healthy, guarded by ${rollout.name}: rolled back`, back, runs.length, notAbove));
    if (!rollout.metrics.includes("errors")) continue;
    const decided = runs.filter(({ isDecided }) => isDecided).length;
    const claim = `healthy, guarded by ${rollout.name}: a METRIC stage at its threshold begins or fails`;
    findings.push(rateFinding(claim, decided, runs.length, notAbove));
  }
  const harmed = await simulate(lab, HARMFUL);
  const back = harmed.filter(({ isRolledBack }) => isRolledBack).length;
  const atLeast = { kind: "atLeast", value: 0.8 } as const;
  findings.push(rateFinding(`guarded by ${HARMFUL.name}: rolled back`, back, harmed.length, atLeast));
  return {
    title: "Rollbacks over HTTP",
    setting:
      `Rollouts on a server with a simulated clock: a schedule takes a flag to ${PERCENTAGES.join(", ")} % for ${DAYS} days each. ` +
      `Each of ${USERS.toLocaleString("en-GB")} users visits on ${VISITS * 100} % of the days, with their own constant rate of errors, ` +
      "retries and load times. After each day, the jobs `rollout-advance` and `safety-check` run. The share of rollouts that " +
      "any check rolls back, and whose last stage, by a metric without a difference and a threshold of 0, begins or fails. The " +
      "last row has an effect.",
    findings,
  };
};
