import fc from "fast-check";
import { expect, test } from "vitest";
import { createTestServer } from "../testing.fixture.ts";

const DAY = 86_400_000;
const USERS = 60;
const METRICS = [
  { id: "sum", kind: "MEAN", role: "PRIMARY" },
  { id: "greatest", kind: "MEAN", aggregation: "MAX", hypothesis: "NON_INFERIORITY", margin: 0.5 },
  { id: "clipped", kind: "MEAN", winsorize_pct: 0.05 },
  { id: "ratio", kind: "RATIO", denominator_event_type: "visit" },
  { id: "median", kind: "QUANTILE", quantile: 0.5 },
].map((metric) => ({ ...metric, name: metric.id, event_type: "buy" }));

/** Returns the amount, from 1 to 100, that a user of one of two arms spends on a day. */
function amountOf(index: number, day: number): number {
  const spread = (index * 7919 + day * 104_729) % 97;
  return 1 + spread + (index % 2 === 0 ? 0 : 8);
}

/** Returns every answer about an experiment whose users spend `scale` times as much. */
async function answersAt(scale: number) {
  const server = await createTestServer();
  const key = await server.withKey(["read", "write", "admin"]);
  const headers = { "x-api-key": key.key };
  const variants = [{ key: "a" }, { key: "b" }];
  const experiment = { key: "x", name: "X", status: "ACTIVE", variants, metrics: METRICS };
  const body = { ...experiment, bayesian_enabled: true };
  const { json: created } = await server.send("POST", "/experiments/", { headers, body });
  for (let day = 0; day < 3; day++) {
    const events = Array.from({ length: USERS }, (_, index) => {
      const user_id = `user-${index}`;
      const variant_id = index % 2 === 0 ? "a" : "b";
      const event_metadata = { plan: index % 3 === 0 ? "pro" : "free" };
      const exposure = { event_type: "exposure", user_id, experiment_id: created.id, variant_id, event_metadata };
      const buy = { event_type: "buy", user_id, value: scale * amountOf(index, day) };
      return day === 0 ? [buy, { event_type: "visit", user_id }] : [exposure, buy, { event_type: "visit", user_id }];
    }).flat();
    const sent = await server.send("POST", "/tracking/events", { headers, body: { events } });
    expect(sent.json).toMatchObject({ accepted: events.length });
    server.advance(DAY);
  }
  const answers: Record<string, unknown> = {};
  for (const path of [
    "/results/x",
    "/results/x/sequential",
    "/results/x/sequential?method=always_valid",
    "/results/x/cuped",
    "/results/x/cuped?winsorize=true",
    "/results/x/breakdown?dimension=plan",
    ...METRICS.map(({ id }) => `/results/x/timeseries?metric_id=${id}`),
  ]) {
    const { status, text, json } = await server.send("GET", path, { headers });
    expect([path, status, text.slice(0, status === 200 ? 0 : 300)]).toEqual([path, 200, ""]);
    answers[path] = json;
  }
  await server.assay.close();
  return answers;
}

/** Fields that do not depend on the unit of the values. */
const FREE =
  /p_value|^is_significant$|^relative|^power$|^status$|^conclusion$|^assumption$|^decision$|probability|^action$|^correlation$|^theta$|^variance_reduction_pct$|bayes_factor|log_likelihood_ratio/;

/** Returns these fields of an answer, by path. */
function unitless(value: unknown, path = "", answer: Record<string, unknown> = {}): Record<string, unknown> {
  if (value !== null && typeof value === "object") {
    for (const [key, part] of Object.entries(value)) {
      if (FREE.test(key)) answer[`${path}.${key}`] = part;
      else unitless(part, `${path}.${key}`, answer);
    }
  }
  return answer;
}

const isClose = (a: unknown, b: unknown): boolean => {
  if (Array.isArray(a) && Array.isArray(b)) return a.every((part, index) => isClose(part, b[index]));
  if (typeof a !== "number" || typeof b !== "number") return JSON.stringify(a) === JSON.stringify(b);
  return Math.abs(a - b) <= 1e-6 * Math.max(Math.abs(a), Math.abs(b), 1e-9);
};

const reference = answersAt(1).then((answers) => unitless(answers));

test("the unit of a metric's values does not change what is found", { timeout: 300_000 }, async () => {
  const expected = await reference;
  expect(Object.keys(expected).length).toBeGreaterThan(250);
  const scales = fc.tuple(fc.double({ min: 1, max: 9, noNaN: true }), fc.integer({ min: -100, max: 12 }));
  const run = fc.asyncProperty(scales, async ([digits, exponent]) => {
    const found = unitless(await answersAt(digits * 10 ** exponent));
    expect(Object.keys(expected).filter((path) => !isClose(found[path], expected[path]))).toEqual([]);
  });
  await fc.assert(run, { numRuns: 12, examples: [[[1, -100]], [[9, 12]]] });
});

// The interval of the lift was far too narrow at 1e-100, as squares of the control's value underflowed.
test("lifts of tiny values have the interval that they have in another unit", async () => {
  const [tiny, plain] = [unitless(await answersAt(1e-99)), await reference];
  const path = "./results/x.metrics.0.relative_confidence_interval";
  expect(isClose(tiny[path], plain[path])).toBe(true);
});

test("values closer to 0 than 1e-100 count as 0, and say so by a status", async () => {
  const answers = await answersAt(1e-300);
  const { metrics } = answers["/results/x"] as { metrics: Record<string, unknown>[] };
  for (const { status, standard_error, treatment_value, is_significant } of metrics) {
    expect([treatment_value, is_significant]).toEqual([0, false]);
    expect(status === "OK" ? standard_error : null).toBeNull();
  }
});
