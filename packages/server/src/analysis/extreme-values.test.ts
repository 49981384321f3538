import { encodeRecord, type StoredEvent } from "@assay/analysis";
import { CREDIBLE_BOUNDS, EFFECT_PRIOR_BOUNDS, MAX_METRIC_VALUE, PRIOR_BOUNDS } from "@assay/contract";
import { memoryStore } from "@assay/store";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EVENTS_JOURNAL } from "../events/journal.ts";
import { ADMIN, createTestServer, type TestServer } from "../testing.fixture.ts";
import { problemsOf } from "./answer-problems.fixture.ts";

const DAY = 86_400_000;
const NOT_WORSE = { hypothesis: "NON_INFERIORITY", margin: 0.1 };
const METRICS = [
  { id: "rate", name: "rate", event_type: "buy", kind: "CONVERSION" },
  { id: "sum", name: "sum", event_type: "buy", kind: "MEAN" },
  { id: "average", name: "average", event_type: "buy", kind: "MEAN", aggregation: "MEAN" },
  { id: "least", name: "least", event_type: "buy", kind: "MEAN", aggregation: "MIN", direction: "DECREASE" },
  { id: "greatest", name: "greatest", event_type: "buy", kind: "MEAN", aggregation: "MAX", ...NOT_WORSE },
  { id: "clipped", name: "clipped", event_type: "buy", kind: "MEAN", winsorize_pct: 0.05 },
  {
    id: "capped",
    name: "capped",
    event_type: "buy",
    kind: "MEAN",
    cap: 1e-99,
    winsorize_pct: 0.2,
    winsorize_of: "NON_ZERO",
  },
  { id: "count", name: "count", event_type: "buy", kind: "COUNT" },
  { id: "ratio", name: "ratio", event_type: "buy", kind: "RATIO", denominator_event_type: "visit", ...NOT_WORSE },
  { id: "inverse", name: "inverse", event_type: "visit", kind: "RATIO", denominator_event_type: "buy" },
  { id: "median", name: "median", event_type: "buy", kind: "QUANTILE", quantile: 0.5 },
  { id: "tail", name: "tail", event_type: "buy", kind: "QUANTILE", quantile: 1e-9, ...NOT_WORSE },
];

const TINY = [5e-324, -5e-324, 1e-308, 1e-200, -1e-160, 1e-99, -1e-50, -0, 0, 0.1, 1];
const accepted = fc.oneof(
  fc.constantFrom(MAX_METRIC_VALUE, -MAX_METRIC_VALUE, ...TINY),
  fc.double({ min: -MAX_METRIC_VALUE, max: MAX_METRIC_VALUE, noNaN: true }),
);
/** Values that earlier server versions accepted. */
const stored = fc.oneof(
  accepted,
  fc.constantFrom(1e308, -1e308, Number.MAX_VALUE, -Number.MAX_VALUE, 1e155, 1e77, 1e16),
);

/** The setup of an experiment and the values its users send, in turn. */
interface Case {
  primary: string;
  config: { allocation: string };
  variance_reduction: object;
  values: number[];
  /** Number of users. */
  users: number;
  query: Record<string, string>;
}

const REDUCTIONS = [
  { method: "NONE" },
  { method: "CUPED" },
  { method: "REGRESSION", covariates: ["sum", "ratio"], attributes: ["plan"] },
];
const shape = fc.constantFrom(PRIOR_BOUNDS.least, 0.5, 1, PRIOR_BOUNDS.most);
const level = fc.constantFrom(1e-12, 0.05, 0.5, 1 - 1e-12);
const width = fc.constantFrom(CREDIBLE_BOUNDS.least, 0.95, CREDIBLE_BOUNDS.most);
const toCase = (value: fc.Arbitrary<number>): fc.Arbitrary<Case> =>
  fc.record({
    primary: fc.constantFrom(...METRICS.map(({ id }) => id)),
    values: fc.array(value, { minLength: 1, maxLength: 12 }),
    users: fc.constantFrom(26, 4, 11, 120),
    variance_reduction: fc.constantFrom(...REDUCTIONS),
    config: fc.record({
      allocation: fc.constantFrom("FIXED", "THOMPSON", "UCB1", "EPSILON_GREEDY"),
      bayesian_enabled: fc.constant(true),
      bayesian_config: fc.option(
        fc.record(
          {
            prior_alpha: shape,
            prior_beta: shape,
            rope_low: fc.constantFrom(-MAX_METRIC_VALUE, -1, -Number.MIN_VALUE),
            rope_high: fc.constantFrom(Number.MIN_VALUE, 1, MAX_METRIC_VALUE),
            minimum_bayes_factor: fc.constantFrom(1, 1e300),
            credible_interval_width: width,
            effect_mean: fc.constantFrom(-EFFECT_PRIOR_BOUNDS.mean, 0, EFFECT_PRIOR_BOUNDS.mean),
            effect_sd: fc.constantFrom(EFFECT_PRIOR_BOUNDS.leastDeviation, 0.1, EFFECT_PRIOR_BOUNDS.mostDeviation),
          },
          { requiredKeys: ["effect_sd"] },
        ),
      ),
      alpha: level,
      correction: fc.constantFrom("NONE", "BONFERRONI", "HOLM", "BENJAMINI_HOCHBERG"),
    }),
    query: fc.record({
      alpha: level.map(String),
      base_alpha: level.map(String),
      expected_lift: fc.constantFrom("5e-324", "0.1", "100"),
      method: fc.constantFrom("msprt", "always_valid", "group_sequential"),
      planned_users: fc.constantFrom("2", "40", "1000000000"),
      spending_function: fc.constantFrom("obrien_fleming", "pocock", "power", "hsd"),
    }),
  });

/** A lift of 6e-9 with a narrower interval, whose ends once had fewer digits than the lift. */
const TINY_LIFT: Case = {
  primary: "rate",
  values: [1e15, 0, 1e-100, -1.1044738877010925e-91, 0, -1e-50],
  users: 11,
  variance_reduction: { method: "NONE" },
  config: { allocation: "FIXED", bayesian_enabled: true, bayesian_config: null, alpha: 1 - 1e-12, correction: "NONE" },
  query: {
    alpha: "1e-12",
    base_alpha: "1e-12",
    expected_lift: "5e-324",
    method: "msprt",
    planned_users: "2",
    spending_function: "obrien_fleming",
  },
} as Case;

/** Creates experiments `x` and `y`, a watched flag at 50 %, and a holdout. */
async function setUp(
  server: TestServer,
  headers: Record<string, string>,
  { primary, config, variance_reduction }: Case,
) {
  const variants = [{ key: "a" }, { key: "b" }, { key: "c" }];
  const metrics = METRICS.map((metric) => ({ ...metric, role: metric.id === primary ? "PRIMARY" : "GUARDRAIL" }));
  const made = [];
  for (const key of ["x", "y"]) {
    // An experiment whose weights change cannot reduce variance.
    const adjusts = config.allocation === "FIXED" && { variance_reduction };
    const body = { key, name: key, status: "ACTIVE", variants, metrics, ...config, ...adjusts };
    made.push(await server.send("POST", "/experiments/", { headers, body }));
  }
  const watched = { event_type: "buy", aggregation: "MEAN", critical_threshold: 1e308, min_users: 10 };
  const flag = { key: "f", name: "F", status: "ACTIVE", rollout_percentage: 50 };
  made.push(await server.send("POST", "/feature-flags/", { headers, body: flag }));
  const safety = { metrics: { own: watched, low: { ...watched, critical_threshold: -1e308 } } };
  made.push(await server.send("PUT", "/safety/feature-flags/f", { headers, body: safety }));
  made.push(await server.send("POST", "/holdout", { headers, body: { name: "H", percentage: 50 } }));
  for (const { status, text } of made) expect([status < 300, text]).toEqual([true, text]);
  return { experiment: made[0]!.json.id as string, other: made[1]!.json.id as string, holdout: made[4]!.json.id };
}

type Ids = Awaited<ReturnType<typeof setUp>>;

/** Returns the events of users on one of four days. */
function eventsOf(ids: Ids, { values, users }: Case, day: number): Omit<StoredEvent, "time" | "id">[] {
  const none = { experimentId: null, variantKey: null, flagKey: null, value: null, forced: false, metadata: null };
  let at = day;
  return Array.from({ length: users }, (_, index) => {
    const variantKey = ["a", "b", "c"][index % 3]!;
    const userId = `user-${day < 2 ? index : index + users * day}`;
    const metadata = { plan: index % 2 > 0 ? "pro" : "free" };
    const exposed = (experimentId: string) => ({
      ...none,
      type: "exposure",
      userId,
      experimentId,
      variantKey,
      metadata,
    });
    const buys = Array.from({ length: index % 4 }, () => ({
      ...none,
      type: "buy",
      userId,
      value: values[at++ % values.length]!,
    }));
    const seen = { ...none, type: "exposure", userId, flagKey: "f" };
    const visit = { ...none, type: "visit", userId, value: index % 5 > 0 ? null : values[at++ % values.length]! };
    return day === 0 ? [...buys, visit] : [exposed(ids.experiment), exposed(ids.other), seen, ...buys, visit];
  }).flat();
}

const toSent = ({
  type,
  userId,
  experimentId,
  variantKey,
  flagKey,
  value,
  metadata,
}: Omit<StoredEvent, "time" | "id">) => ({
  event_type: type,
  user_id: userId,
  experiment_id: experimentId,
  variant_id: variantKey,
  feature_flag_key: flagKey,
  value,
  event_metadata: metadata,
});

/** Requests every route that analyzes events. Returns the responses other than 200, and the problems of the others. */
async function askAll(server: TestServer, headers: Record<string, string>, ids: Ids, query: Case["query"]) {
  const search = (...names: string[]) => new URLSearchParams(names.map((name) => [name, query[name]!]));
  const requests: [string, string, object?][] = [
    ["GET", "/results/x"],
    ["GET", "/experiments/y/results"],
    ["GET", "/results/x/sequential"],
    [
      "GET",
      `/results/x/sequential?${search("alpha", "method", "expected_lift", "spending_function", "planned_users")}`,
    ],
    ["GET", "/results/x/cuped"],
    ["GET", "/results/x/cuped?winsorize=true&lookback_days=90"],
    ["GET", "/results/x/sequential?method=always_valid"],
    ["GET", `/results/x/breakdown?dimension=plan&${search("base_alpha")}`],
    ...METRICS.map(({ id }): [string, string] => ["GET", `/results/x/timeseries?metric_id=${id}&variant=c`]),
    ...METRICS.map(({ id }): [string, string] => ["GET", `/interactions/x/y?metric_id=${id}&${search("alpha")}`]),
    ["GET", "/interactions/x/y/novelty"],
    ["GET", `/interactions/scan?${search("alpha")}`],
    ["GET", "/bandit/x"],
    ["POST", "/bandit/x/update"],
    ["GET", "/bandit/y"],
    ["GET", "/results/x"],
    ["GET", "/safety/feature-flags/f"],
    ["GET", `/holdout/${ids.holdout}`],
    ["GET", `/holdout/${ids.holdout}?event_type=buy`],
    ["POST", "/ai/interpret/x", {}],
    ["GET", "/tracking/users/user-3"],
  ];
  const failures: string[] = [];
  for (const [method, path, body] of requests) {
    const { status, text, json } = await server.send(method, path, { headers, body });
    if (status !== 200) failures.push(`${method} ${path} -> ${status} ${text}`);
    else if (path === "/results/x" && json.sample_size.control === 0) failures.push("no user took part");
    else if (!path.startsWith("/tracking/")) failures.push(...problemsOf(json, path));
  }
  return failures;
}

async function serverWith(options: Parameters<typeof createTestServer>[0] = {}) {
  const errors: string[] = [];
  const ignore = () => {};
  const logger = {
    debug: ignore,
    info: ignore,
    warn: ignore,
    error: (...entry: unknown[]) => void errors.push(JSON.stringify(entry)),
  };
  const server = await createTestServer({ logger, ...options });
  const { key } = await server.withKey(["read", "write", "admin"]);
  /** Signs in. Tests call it again the next day, because tokens have expired by then. */
  const signIn = async (): Promise<Record<string, string>> => {
    const { json } = await server.send("POST", "/auth/login", { body: ADMIN });
    return { "x-api-key": key, authorization: `Bearer ${json.access_token}` };
  };
  return { server, errors, signIn };
}

describe("extreme values keep every number of an answer finite:", () => {
  test("any accepted value", { timeout: 300_000 }, async () => {
    const run = fc.asyncProperty(toCase(accepted), async (one) => {
      const { server, signIn, errors } = await serverWith();
      const headers = await signIn();
      const ids = await setUp(server, headers, one);
      for (let day = 0; day < 4; day++) {
        const events = eventsOf(ids, one, day).map(toSent);
        const { json } = await server.send("POST", "/tracking/events", { headers, body: { events } });
        expect(json).toMatchObject({ accepted: events.length, rejected: 0 });
        server.advance(DAY);
      }
      expect([await askAll(server, await signIn(), ids, one.query), errors]).toEqual([[], []]);
      await server.assay.close();
    });
    await fc.assert(run, { numRuns: 25, examples: [[TINY_LIFT]] });
  });

  test("any value that was stored before there was a bound", { timeout: 300_000 }, async () => {
    const run = fc.asyncProperty(toCase(stored), async (one) => {
      const store = memoryStore();
      const { server, signIn, errors } = await serverWith({ storage: store });
      const headers = await signIn();
      const ids = await setUp(server, headers, one);
      for (let day = 0; day < 4; day++) {
        const at = server.now();
        const events = eventsOf(ids, one, day).map((event, index) => ({
          ...event,
          id: `${day}.${index}`,
          time: at,
        }));
        const records = [encodeRecord({ at, events, joins: [] })];
        await store.batch([{ type: "append", journal: EVENTS_JOURNAL, records }]);
        server.advance(DAY);
      }
      expect([await askAll(server, await signIn(), ids, one.query), errors]).toEqual([[], []]);
      await server.assay.close();
    });
    await fc.assert(run, { numRuns: 25 });
  });
});
