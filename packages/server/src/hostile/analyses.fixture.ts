import type { HostileServer, Sent } from "./server.fixture.ts";
import { type HostileCase, many, succeed, type World } from "./world.fixture.ts";

const KINDS = ["CONVERSION", "MEAN", "RATIO", "QUANTILE"] as const;
const USERS = 4_000;
/** Events per request. */
const BATCH = 2_000;
const arms = many(50, (index) => ({ key: `v${index}` }));

const metrics = many(100, (index) => ({
  name: `Metric ${index}`,
  id: `m${index}`,
  event_type: `e${index % 4}`,
  kind: KINDS[index % 4],
  denominator_event_type: `e${(index + 1) % 4}`,
  quantile: 0.5,
  role: index === 0 ? "PRIMARY" : "SECONDARY",
}));

/** Experiments with the maximum number of arms and metrics, users in all arms, and a prior that no user moves. */
const EXPERIMENTS: Record<string, object> = {
  wide: { metrics },
  bayesian: {
    metrics: metrics.slice(0, 1),
    bayesian_enabled: true,
    bayesian_config: { prior_alpha: 1e9, prior_beta: 1e9 },
  },
  adjusted: {
    metrics,
    variance_reduction: { method: "REGRESSION", covariates: ["m1", "m2", "m5", "m6", "m9"], attributes: ["plan"] },
  },
  bandit: { metrics: metrics.slice(0, 1), allocation: "THOMPSON" },
  unnamed: {},
};

const event = (user: number, event_type: string, more: object = {}) => ({
  event_type,
  user_id: `u${user}`,
  timestamp: new Date().toISOString(),
  ...more,
});

/** Creates the experiments, and reports about 20,000 events. */
export async function addExperiments(server: HostileServer, { admin, key, client }: World): Promise<void> {
  const exposed = (experiment_id: string) =>
    many(USERS, (user) =>
      event(user, "exposure", { experiment_id, variant_id: `v${user % 50}`, event_metadata: { plan: user % 120 } }),
    );
  for (const [name, design] of Object.entries(EXPERIMENTS)) {
    const body = { key: name, name, status: "ACTIVE", variants: arms, ...design };
    await succeed(server, { method: "POST", path: "/experiments/", body, headers: admin });
  }
  const exposures = Object.keys(EXPERIMENTS).flatMap(exposed);
  const outcomes = many(USERS, (user) => event(user, `e${user % 4}`, { value: user % 101 }));
  const events = [...exposures, ...outcomes];
  const report = (body: object, headers: World["key"]): Sent => ({
    method: "POST",
    path: "/tracking/events",
    body,
    headers,
  });
  for (let from = 0; from < events.length; from += BATCH) {
    await succeed(server, report({ events: events.slice(from, from + BATCH) }, key));
  }
  // A public key may send any number of event types. Each becomes a metric of an experiment that names none.
  const types = many(USERS, (user) => event(user, `type-${user}`, { value: user }));
  await succeed(server, report({ events: types }, client));
}

const read = (name: string, path: string, status = 200): HostileCase => ({
  name,
  status,
  sent: ({ key }) => ({ method: "GET", path, headers: key }),
});

/** Every computation from events. */
export const ANALYSES: HostileCase[] = [
  read("results of 50 arms and 100 metrics", "/results/wide"),
  read("100 looks at 50 arms and 100 metrics", "/results/wide/sequential?num_looks=100&alpha=1e-12"),
  read("CUPED of 50 arms and 100 metrics", "/results/wide/cuped?winsorize=true"),
  read("adjusted results of 50 arms and 100 metrics", "/results/adjusted"),
  read("adjusted looks at 50 arms and 100 metrics", "/results/adjusted/sequential?num_looks=100&alpha=1e-12"),
  read("one metric by 100 segments", "/results/wide/breakdown?dimension=plan&metric_id=m0"),
  read("100 metrics by 100 segments", "/results/wide/breakdown?dimension=plan", 422),
  read("one adjusted metric by 100 segments", "/results/adjusted/breakdown?dimension=plan&metric_id=m1"),
  read("100 adjusted metrics by 100 segments", "/results/adjusted/breakdown?dimension=plan", 422),
  read("days of one arm", "/results/wide/timeseries"),
  read("posteriors of 50 arms", "/results/bayesian"),
  read("results of every event type", "/results/unnamed"),
  {
    name: "an interpretation of 50 arms and 100 metrics",
    status: 200,
    sent: ({ viewer }) => ({ method: "POST", path: "/ai/interpret/wide", headers: viewer }),
  },
  {
    name: "the weights of a bandit of 50 arms",
    status: 200,
    sent: ({ viewer }) => ({ method: "GET", path: "/bandit/bandit", headers: viewer }),
  },
  {
    name: "which of the experiments disturb each other",
    status: 200,
    sent: ({ developer }) => ({ method: "GET", path: "/interactions/scan", headers: developer }),
  },
  ...["mean=1&standard_deviation=1&mde=1", "baseline_rate=0.5&mde=1e-3"].map((effect) => ({
    name: `a sample size of ${effect}`,
    status: 200,
    sent: ({ viewer }: World) => ({
      method: "GET",
      path: `/ai/sample-size?${effect}&alpha=1e-300&power=0.999999999&variants=50`,
      headers: viewer,
    }),
  })),
];
