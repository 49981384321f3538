import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
let key: Awaited<ReturnType<TestServer["withKey"]>>;
const DAY = 86_400_000;

beforeAll(async () => {
  server = await createTestServer();
  key = await server.withKey(["read", "write"]);
});
afterAll(() => server.assay.close());

const METRICS = [
  { name: "Purchase", id: "purchase", event_type: "purchase", role: "PRIMARY" },
  { name: "Refund", id: "refund", event_type: "refund", role: "GUARDRAIL", direction: "DECREASE" },
];

async function start(name: string, body: object = {}) {
  const created = await server.admin.request("POST /experiments/", {
    body: { name, variants: [{ key: "control" }, { key: "treatment" }], metrics: METRICS, ...body } as never,
  });
  return server.admin.request("POST /experiments/{experiment_id}/start", { params: { experiment_id: created.id } });
}

let batch = 0;

/** Exposes users to an arm and tracks outcomes for the first of them. */
async function expose(experimentId: string, arm: string, users: number, outcomes: Record<string, number> = {}) {
  const tag = `${arm}-${batch++}`;
  const event = (event_type: string, index: number) => ({
    event_type,
    user_id: `${experimentId}-${tag}-${index}`,
    experiment_id: experimentId,
    variant_id: arm,
  });
  const of = (type: string, count: number) => Array.from({ length: count }, (_, index) => event(type, index));
  const events = [...of("exposure", users), ...Object.entries(outcomes).flatMap(([type, count]) => of(type, count))];
  for (let from = 0; from < events.length; from += 2500) {
    await key.request("POST /tracking/events", { body: events.slice(from, from + 2500) });
  }
}

const interpret = (id: string) =>
  server.admin.request("POST /ai/interpret/{experiment_id}", { params: { experiment_id: id } });
const codesOf = ({ caveats }: { caveats: { code: string }[] }) => caveats.map(({ code }) => code);

describe("the recommendation", () => {
  test("is CONTINUE without data", async () => {
    const { id } = await start("No data");
    expect(await interpret(id)).toMatchObject({
      recommendation: "CONTINUE",
      variant: null,
      caveats: [{ code: "NO_DATA" }],
      experiment_key: "no-data",
    });
  });

  test("is SHIP without caveats for a clear winner over more than a week", async () => {
    const { id } = await start("Winner");
    for (let day = 0; day < 8; day++) {
      await expose(id, "control", 500, { purchase: 100, refund: 5 });
      await expose(id, "treatment", 500, { purchase: 150, refund: 5 });
      server.advance(DAY);
    }
    const read = await interpret(id);
    expect(read).toMatchObject({ recommendation: "SHIP", variant: "treatment", caveats: [] });
    expect(read.reasons.join(" ")).toContain("0.3 against 0.2, difference 0.1");
    expect(read.summary).toContain("No caveats apply");
  });

  test("is to keep control for a clear loser", async () => {
    const { id } = await start("Loser");
    await expose(id, "control", 4000, { purchase: 1200 });
    await expose(id, "treatment", 4000, { purchase: 800 });
    expect(await interpret(id)).toMatchObject({ recommendation: "KEEP_CONTROL", variant: null });
  });

  test("is INVESTIGATE for a winner that harms a guardrail", async () => {
    const { id } = await start("Harm");
    await expose(id, "control", 4000, { purchase: 800, refund: 40 });
    await expose(id, "treatment", 4000, { purchase: 1200, refund: 240 });
    const read = await interpret(id);
    expect(read.recommendation).toBe("INVESTIGATE");
    expect(codesOf(read)).toContain("GUARDRAIL");
  });

  test("is INVESTIGATE for arms of the wrong size, however clear the difference", async () => {
    const { id } = await start("Mismatch");
    await expose(id, "control", 4000, { purchase: 800 });
    await expose(id, "treatment", 3000, { purchase: 1200 });
    const read = await interpret(id);
    expect(read.recommendation).toBe("INVESTIGATE");
    expect(read.caveats.find(({ code }) => code === "SRM")?.message).toContain("treatment 3000 for 3500 expected");
  });

  test("is to keep control if the planned users found no effect", async () => {
    const { id } = await start("Planned", { planned_sample_size: 2000 });
    await expose(id, "control", 900, { purchase: 180 });
    await expose(id, "treatment", 900, { purchase: 184 });
    const before = await interpret(id);
    expect(before.recommendation).toBe("CONTINUE");
    expect(before.caveats.find(({ code }) => code === "LOW_POWER")?.message).toBe("1800 of 2000 planned users so far.");
    await expose(id, "control", 100, { purchase: 20 });
    await expose(id, "treatment", 100, { purchase: 20 });
    expect(await interpret(id)).toMatchObject({ recommendation: "KEEP_CONTROL" });
  });
});

describe("the planned size", () => {
  test("is said with the days left, once a day is over", async () => {
    const { id } = await start("Days left", { planned_sample_size: 2000 });
    for (const arm of ["control", "treatment"]) await expose(id, arm, 300, { purchase: 60 });
    server.advance(DAY);
    for (const arm of ["control", "treatment"]) await expose(id, arm, 100, { purchase: 20 });
    const { caveats } = await interpret(id);
    const message = "800 of 2000 planned users so far; 2 days left at 600 a day.";
    expect(caveats.find(({ code }) => code === "LOW_POWER")?.message).toBe(message);
  });

  const found = { control: { purchase: 400 }, treatment: { purchase: 466 } };
  const reach = async (id: string, users: number) => {
    await expose(id, "control", users, found.control);
    await expose(id, "treatment", users, found.treatment);
  };

  test("is looked at once: later days neither take its decision back nor make one", async () => {
    const { id } = await start("Planned look", { planned_sample_size: 4000 });
    await reach(id, 2000);
    const read = await interpret(id);
    expect(read).toMatchObject({ recommendation: "SHIP", variant: "treatment" });
    expect(read.summary).toContain(
      `by the test at the planned size, on ${new Date(server.now()).toISOString().slice(0, 10)}`,
    );
    expect(codesOf(read)).not.toContain("PEEKING");
    server.advance(DAY);
    await expose(id, "control", 400, { purchase: 120 });
    await expose(id, "treatment", 400, { purchase: 40 });
    expect(await interpret(id)).toMatchObject({ recommendation: "SHIP", variant: "treatment" });

    const other = await start("Nothing at the plan", { planned_sample_size: 2000 });
    await expose(other.id, "control", 1000, { purchase: 200 });
    await expose(other.id, "treatment", 1000, { purchase: 200 });
    expect(await interpret(other.id)).toMatchObject({ recommendation: "KEEP_CONTROL" });
    server.advance(DAY);
    await expose(other.id, "control", 1000, { purchase: 190 });
    await expose(other.id, "treatment", 1000, { purchase: 265 });
    const later = await interpret(other.id);
    expect(later.recommendation).toBe("KEEP_CONTROL");
    expect(codesOf(later)).toContain("PEEKING");
  });

  test("counts as it was at the start: one that is made up later decides nothing", async () => {
    const { id } = await start("Late plan");
    await reach(id, 2000);
    const params = { experiment_id: id };
    await server.admin.request("PUT /experiments/{experiment_id}", {
      params,
      body: { planned_sample_size: 4000 } as never,
    });
    expect((await interpret(id)).recommendation).toBe("CONTINUE");
    const { analysis_warnings } = await key.request("GET /results/{experiment_id}", { params });
    expect(analysis_warnings).toContain("PLAN_CHANGED");
  });

  test("has four fifths of alpha, the tests at any time the rest", async () => {
    // p is 0.0447 by one look: below 0.05, not below 0.04.
    const { id } = await start("Close", { planned_sample_size: 4000 });
    await expose(id, "control", 2000, { purchase: 400 });
    await expose(id, "treatment", 2000, { purchase: 453 });
    const close = await interpret(id);
    expect(close.recommendation).toBe("KEEP_CONTROL");
    const { metrics } = await key.request("GET /results/{experiment_id}", { params: { experiment_id: id } });
    expect(metrics[0]!.p_value).toBeGreaterThan(0.04);
    expect(metrics[0]!.p_value).toBeLessThan(0.05);
    const other = await start("Closer", { planned_sample_size: 4000 });
    await expose(other.id, "control", 2000, { purchase: 400 });
    await expose(other.id, "treatment", 2000, { purchase: 456 });
    expect((await interpret(other.id)).recommendation).toBe("SHIP");
  });
});

describe("the caveats", () => {
  test("report peeking if only the fixed test is significant, also after completing", async () => {
    const { id } = await start("Peek");
    await expose(id, "control", 2000, { purchase: 400 });
    await expose(id, "treatment", 2000, { purchase: 466 });
    const running = await interpret(id);
    expect(running.recommendation).toBe("CONTINUE");
    expect(codesOf(running)).toContain("PEEKING");
    server.advance(1000);
    await server.admin.request("POST /experiments/{experiment_id}/complete", { params: { experiment_id: id } });
    const done = await interpret(id);
    expect(codesOf(done)).toContain("PEEKING");
    expect(done).toMatchObject({ recommendation: "KEEP_CONTROL", variant: null });
  });

  test("report users in two arms, and more than 1 % of them prevent a recommendation", async () => {
    const { id } = await start("Crossed");
    await expose(id, "control", 300, { purchase: 60 });
    await expose(id, "treatment", 300, { purchase: 60 });
    const both = { event_type: "exposure", user_id: "both", experiment_id: id };
    await key.request("POST /tracking/events", {
      body: ["control", "treatment"].map((variant_id) => ({ ...both, variant_id })),
    });
    const one = await interpret(id);
    expect(one.recommendation).toBe("CONTINUE");
    expect(one.caveats.find(({ code }) => code === "CROSSOVER")?.message).toBe(
      "1 users were seen in two arms and left out.",
    );
    const many = Array.from({ length: 10 }, (_, index) => ({ ...both, user_id: `both-${index}` }));
    await key.request("POST /tracking/events", {
      body: many.flatMap((event) => ["control", "treatment"].map((variant_id) => ({ ...event, variant_id }))),
    });
    expect(await interpret(id)).toMatchObject({ recommendation: "INVESTIGATE" });
  });

  test("report novelty for an effect that wears off", async () => {
    const { id } = await start("Novel");
    for (let day = 0; day < 8; day++) {
      await expose(id, "control", 600, { purchase: 120 });
      await expose(id, "treatment", 600, { purchase: day < 2 ? 300 : 122 });
      server.advance(DAY);
    }
    const read = await interpret(id);
    expect(codesOf(read)).toContain("NOVELTY");
    expect(codesOf(read)).not.toContain("SHORT_RUN");
  });

  test("report low power for little data, a short run for a few days, and a missing primary metric", async () => {
    const { id } = await start("Little", { metrics: [] });
    await expose(id, "control", 50, { purchase: 10 });
    await expose(id, "treatment", 50, { purchase: 11 });
    expect(codesOf(await interpret(id))).toEqual(["LOW_POWER", "NO_PRIMARY_METRIC", "SHORT_RUN", "ONE_LOOK"]);
  });

  test("report a small p-value beside a Bayes factor that favours no effect", async () => {
    const { id } = await start("Lindley", { metrics: METRICS.slice(0, 1), bayesian_enabled: true });
    await expose(id, "control", 4000, { purchase: 40 });
    await expose(id, "treatment", 4000, { purchase: 62 });
    const { bayesian_results, metrics } = await key.request("GET /results/{experiment_id}", {
      params: { experiment_id: id },
    });
    expect([metrics[0]!.is_significant, bayesian_results!.decision]).toEqual([true, "ACCEPT_NULL"]);
    expect(codesOf(await interpret(id))).toContain("BAYES_DISAGREES");

    const plain = await start("Lindley without Bayes", { metrics: METRICS.slice(0, 1) });
    await expose(plain.id, "control", 4000, { purchase: 40 });
    await expose(plain.id, "treatment", 4000, { purchase: 62 });
    expect(codesOf(await interpret(plain.id))).not.toContain("BAYES_DISAGREES");
  });

  test("report an effect that is significant alone but not among all", async () => {
    const metrics = ["a", "b", "c", "d", "e"].map((event_type, index) => ({
      name: event_type,
      event_type,
      role: index === 0 ? "PRIMARY" : "SECONDARY",
    }));
    const { id } = await start("Many", { metrics });
    const same = { b: 400, c: 400, d: 400, e: 400 };
    await expose(id, "control", 2000, { a: 400, ...same });
    await expose(id, "treatment", 2000, { a: 460, ...same });
    const read = await interpret(id);
    expect(read.caveats.find(({ code }) => code === "MULTIPLE_COMPARISONS")?.message).toContain(
      "among 5 comparisons: a (treatment)",
    );
  });
});

test("treat a decrease as better if the metric should decrease", async () => {
  const metrics = [{ name: "Errors", event_type: "error", role: "PRIMARY", direction: "DECREASE" }];
  const { id } = await start("Falling", { metrics });
  await expose(id, "control", 4000, { error: 800 });
  await expose(id, "treatment", 4000, { error: 500 });
  expect(await interpret(id)).toMatchObject({ recommendation: "SHIP", variant: "treatment" });
});

test("an unknown experiment is a 404, and so is a draft for a VIEWER", async () => {
  const { id } = await server.admin.request("POST /experiments/", { body: { name: "Hidden" } });
  const viewer = await server.as("VIEWER");
  expect(await interpret(id)).toMatchObject({ recommendation: "CONTINUE" });
  for (const experiment_id of [id, "nowhere"]) {
    expect(
      await refusal(viewer.request("POST /ai/interpret/{experiment_id}", { params: { experiment_id } })),
    ).toMatchObject({ status: 404 });
  }
});
