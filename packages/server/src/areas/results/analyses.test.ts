import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";

const DAY = 86_400_000;
const METRICS = [
  { name: "Bought", id: "bought", event_type: "purchase", kind: "CONVERSION", role: "PRIMARY" },
  { name: "Revenue", id: "revenue", event_type: "purchase", kind: "MEAN" },
  { name: "Basket", id: "basket", event_type: "item", kind: "RATIO", denominator_event_type: "purchase" },
  { name: "Median", id: "median", event_type: "purchase", kind: "QUANTILE", quantile: 0.5 },
];

let server: TestServer;
let key: Awaited<ReturnType<TestServer["withKey"]>>;
beforeEach(async () => {
  server = await createTestServer();
  key = await server.withKey(["read", "write"]);
});
afterEach(() => server.assay.close());

const create = (body: object = {}) =>
  server.admin.request("POST /experiments/", {
    body: {
      key: "x",
      name: "X",
      status: "ACTIVE",
      variants: [{ key: "a" }, { key: "b" }],
      metrics: METRICS,
      ...body,
    } as never,
  });
async function send(events: object[]): Promise<void> {
  for (let from = 0; from < events.length; from += 5000) {
    await key.request("POST /tracking/events", { body: { events: events.slice(from, from + 5000) } as never });
  }
}
const params = { experiment_id: "x" };
const sequential = (query: object = {}) =>
  key.request("GET /results/{experiment_id}/sequential", { params, query: query as never });
const cuped = (query: object = {}) =>
  key.request("GET /results/{experiment_id}/cuped", { params, query: query as never });
const breakdown = (query: object = {}) =>
  key.request("GET /results/{experiment_id}/breakdown", { params, query: query as never });
const timeseries = (query: object = {}) =>
  key.request("GET /results/{experiment_id}/timeseries", { params, query: query as never });

const at = (offset: number) => new Date(server.now() + offset).toISOString();

/** `n` users an arm: what they did a day before, their exposure, and what the arm's share of them buys. */
function users(n: number, share: { a: number; b: number }, prefix = "u"): object[] {
  return (["a", "b"] as const).flatMap((variant_id) =>
    Array.from({ length: n }, (_, index) => {
      const user_id = `${prefix}-${variant_id}-${index}`;
      const plan = index % 3 === 0 ? "pro" : "free";
      const spent = 10 + (index % 7);
      return [
        { event_type: "purchase", user_id, value: spent, timestamp: at(-DAY) },
        {
          event_type: "exposure",
          user_id,
          experiment_id: "x",
          variant_id,
          event_metadata: { plan },
          timestamp: at(-2),
        },
        ...(index % 100 < share[variant_id] * 100
          ? [
              { event_type: "purchase", user_id, value: 2 * spent + (index % 3), timestamp: at(-1) },
              { event_type: "item", user_id, timestamp: at(-1) },
            ]
          : []),
      ];
    }).flat(),
  );
}

/** Every number in an answer is finite: JSON has made null of the others, which schemas would not take everywhere. */
const isClean = (answer: unknown) => expect(JSON.stringify(answer)).not.toMatch(/NaN|Infinity/);

describe("every analysis", () => {
  const all = ["sequential", "cuped", "breakdown?dimension=plan", "timeseries"];

  test.each(all)("%s of nothing is an answer with nothing in it", async (path) => {
    await create();
    const { status, json } = await server.send("GET", `/results/x/${path}`, { headers: { "x-api-key": key.key } });
    expect(status).toBe(200);
    expect(json.experiment_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each(all)("%s is the same when asked again, by id or key, and has a tag", async (path) => {
    const { id } = await create();
    await send(users(60, { a: 0.2, b: 0.4 }));
    const headers = { "x-api-key": key.key };
    const [first, again] = [
      await server.send("GET", `/results/x/${path}`, { headers }),
      await server.send("GET", `/results/${id}/${path}`, { headers }),
    ];
    expect(first.status).toBe(200);
    expect(again.text).toBe(first.text);
    expect(first.headers.get("cache-control")).toBe("private, max-age=300");
    const tag = { ...headers, "if-none-match": first.headers.get("etag")! };
    expect((await server.send("GET", `/results/x/${path}`, { headers: tag })).status).toBe(304);
    isClean(first.json);
  });

  test.each(all)("%s of a DRAFT is not there for a VIEWER, and of an unknown experiment for nobody", async (path) => {
    await create({ status: "DRAFT" });
    const token = async (role: "VIEWER" | "ANALYST") => {
      const { username } = await server.as(role);
      const body = { username, password: "a-password-of-tests" };
      const { json } = await server.send("POST", "/auth/login", { body });
      return { authorization: `Bearer ${json.access_token}` };
    };
    const [viewer, analyst] = [await token("VIEWER"), await token("ANALYST")];
    expect((await server.send("GET", `/results/x/${path}`, { headers: viewer })).status).toBe(404);
    expect((await server.send("GET", `/results/x/${path}`, { headers: analyst })).status).toBe(200);
    expect((await server.send("GET", `/results/none/${path}`, { headers: analyst })).status).toBe(404);
  });

  test.each(all)("%s says why where there is too little, and has no number then", async (path) => {
    await create();
    await send(users(1, { a: 0, b: 0 }));
    const { status, json, text } = await server.send("GET", `/results/x/${path}`, {
      headers: { "x-api-key": key.key },
    });
    expect(status).toBe(200);
    expect(text).not.toMatch(/"p_value":[^n]/);
    for (const row of json.metrics ?? json.segments ?? []) expect(row.status).not.toBe("OK");
  });
});

describe("sequential", () => {
  test.each([
    [{ method: "sprt" }, "method"],
    [{ alpha: 0 }, "alpha"],
    [{ alpha: 1 }, "alpha"],
    [{ alpha: "five" }, "alpha"],
    [{ spending_function: "linear" }, "spending_function"],
    [{ num_looks: 0 }, "num_looks"],
    [{ num_looks: 101 }, "num_looks"],
    [{ num_looks: 2.5 }, "num_looks"],
    [{ expected_lift: 0 }, "expected_lift"],
  ])("refuses %j", async (query, parameter) => {
    await create();
    const { status, issues } = await refusal(sequential(query));
    expect([status, (issues as { loc: unknown }[])[0]!.loc]).toEqual([422, ["query", parameter]]);
  });

  test("replays the days: p only falls, intervals only narrow, and later days do not change earlier ones", async () => {
    await create();
    await send(users(200, { a: 0.2, b: 0.3 }, "first"));
    const { metrics: before } = await sequential();
    server.advance(DAY);
    await send(users(300, { a: 0.2, b: 0.3 }, "second"));
    server.advance(2 * DAY);
    await send(users(300, { a: 0.2, b: 0.3 }, "third"));
    const answer = await sequential();
    expect(answer).toMatchObject({ method: "msprt", alpha: 0.05, analysis_warnings: [] });
    expect(answer.metrics.map(({ metric_id, variant }) => [metric_id, variant])).toEqual(
      METRICS.map(({ id }) => [id, "b"]),
    );
    const [bought] = answer.metrics;
    expect(bought!.looks.map(({ date, n }) => [date, n])).toEqual([
      ["2026-03-01", 400],
      ["2026-03-02", 1000],
      ["2026-03-04", 1600],
    ]);
    expect(bought!.looks[0]).toEqual(before[0]!.looks[0]);
    for (const [index, look] of bought!.looks.entries()) {
      const last = bought!.looks[index - 1];
      if (!last) continue;
      expect(look.p_value!).toBeLessThanOrEqual(last.p_value!);
      expect(look.confidence_interval![0]).toBeGreaterThanOrEqual(last.confidence_interval![0]);
    }
    expect(bought).toMatchObject({ is_significant: true, p_value: bought!.looks.at(-1)!.p_value });
    expect(answer.alpha_spending).toMatchObject({ spending_function: "obrien_fleming", num_looks: 5, current_look: 3 });
    expect(answer.recommendation).toMatchObject({ action: "STOP_FOR_EFFECT" });
    const planned = await sequential({ planned_users: 3200, num_looks: 4 });
    expect(planned.alpha_spending.current_look).toBe(2);
  });

  test("advises to stop for harm, or for an effect where less is better", async () => {
    await create({ metrics: METRICS.slice(0, 1) });
    await send(users(1000, { a: 0.4, b: 0.2 }));
    expect((await sequential()).recommendation.action).toBe("STOP_FOR_HARM");
    await server.admin.request("PUT /experiments/{experiment_id}", {
      params,
      body: { metrics: [{ ...METRICS[0], direction: "DECREASE" }] } as never,
    });
    expect((await sequential()).recommendation.action).toBe("STOP_FOR_EFFECT");
  });

  test("advises to stop where the interval rules the expected lift out, and to go on where it does not", async () => {
    await create({ metrics: METRICS.slice(0, 1) });
    await send(users(1000, { a: 0.3, b: 0.3 }));
    expect((await sequential({ expected_lift: 0.9 })).recommendation.action).toBe("STOP_FOR_FUTILITY");
    expect((await sequential({ expected_lift: 0.01 })).recommendation.action).toBe("CONTINUE");
  });

  test("does not count days of fewer than ten users an arm", async () => {
    await create();
    await send(users(9, { a: 0.04, b: 0.05 }));
    expect((await sequential()).metrics[0]).toMatchObject({ p_value: null, status: "INSUFFICIENT_DATA" });
  });

  test("computes a schedule at any level it takes", async () => {
    await create();
    for (const alpha of [1e-12, 0.999]) isClean(await sequential({ alpha, num_looks: 100 }));
    const pocock = await sequential({ spending_function: "pocock", num_looks: 3, method: "always_valid" });
    expect(pocock.alpha_spending.schedule.at(-1)!.cumulative_alpha).toBeCloseTo(0.05, 12);
  });
});

describe("cuped", () => {
  test.each([
    [{ lower_pct: 0.9, upper_pct: 0.1 }, "upper_pct"],
    [{ lower_pct: 0.5, upper_pct: 0.5 }, "upper_pct"],
    [{ lower_pct: -0.1 }, "lower_pct"],
    [{ upper_pct: 1.1 }, "upper_pct"],
    [{ winsorize: "maybe" }, "winsorize"],
  ])("refuses %j", async (query, parameter) => {
    await create();
    const { status, issues } = await refusal(cuped(query));
    expect([status, (issues as { loc: unknown }[])[0]!.loc]).toEqual([422, ["query", parameter]]);
  });

  test("adjusts by what users did before their own exposure, within the look-back", async () => {
    await create();
    await send(users(100, { a: 1, b: 1 }));
    const answer = await cuped();
    expect(answer).toMatchObject({ winsorize: false, lower_pct: 0.01, upper_pct: 0.99 });
    const revenue = answer.metrics.find(({ metric_id }) => metric_id === "revenue")!;
    expect(revenue.theta).toBeCloseTo(2, 1);
    expect(revenue.variance_reduction_pct).toBeGreaterThan(90);
    expect(revenue).toMatchObject({ covered_users: 200, status: "OK" });
    expect(answer.metrics.map(({ status }) => status)).toEqual([
      "ZERO_VARIANCE",
      "OK",
      expect.any(String),
      "NOT_APPLICABLE",
    ]);
    isClean(answer);
    server.advance(20 * DAY);
    await send([{ event_type: "exposure", user_id: "u-late", experiment_id: "x", variant_id: "a" }]);
    expect((await cuped({ winsorize: true, lower_pct: 0.1, upper_pct: 0.9 })).winsorize).toBe(true);
  });

  test("counts what came in before the experiment was started", async () => {
    const { id } = await create({ status: "DRAFT" });
    await send([{ event_type: "purchase", user_id: "early", value: 5 }]);
    server.advance(DAY);
    await server.admin.request("POST /experiments/{experiment_id}/start", { params: { experiment_id: id } });
    await send([
      ...users(5, { a: 1, b: 1 }),
      { event_type: "exposure", user_id: "early", experiment_id: "x", variant_id: "a" },
    ]);
    const revenue = (await cuped()).metrics.find(({ metric_id }) => metric_id === "revenue")!;
    expect(revenue.covered_users).toBe(11);
  });

  test("says so where nobody did anything before", async () => {
    await create({ metrics: METRICS.slice(0, 1) });
    await send(
      users(100, { a: 0.2, b: 0.3 }).filter((one) => !("value" in one) || !JSON.stringify(one).includes(at(-DAY))),
    );
    const [bought] = (await cuped()).metrics;
    expect(bought).toMatchObject({ theta: 0, status: "ZERO_COVARIATE_VARIANCE", covered_users: 0 });
    expect(bought!.adjusted_difference).toBeCloseTo(bought!.difference!, 12);
  });
});

describe("breakdown", () => {
  test.each([
    [{}, "dimension"],
    [{ dimension: "" }, "dimension"],
    [{ dimension: "plan", metric_id: "none" }, "metric_id"],
    [{ dimension: "plan", base_alpha: 0 }, "base_alpha"],
    [{ dimension: "plan", base_alpha: 1 }, "base_alpha"],
  ])("refuses %j", async (query, parameter) => {
    await create();
    const { status, issues } = await refusal(breakdown(query));
    expect([status, (issues as { loc: unknown }[])[0]!.loc]).toEqual([422, ["query", parameter]]);
  });

  test("tests each segment at the corrected level, and leaves out of the correction what it cannot test", async () => {
    await create();
    await send([
      ...users(99, { a: 0.2, b: 0.4 }),
      {
        event_type: "exposure",
        user_id: "lonely",
        experiment_id: "x",
        variant_id: "a",
        event_metadata: { plan: "gold" },
      },
      { event_type: "exposure", user_id: "silent", experiment_id: "x", variant_id: "a" },
    ]);
    const answer = await breakdown({ dimension: "plan", metric_id: "Bought" });
    expect(answer).toMatchObject({ dimension: "plan", base_alpha: 0.05, corrected_alpha: 0.025, comparisons: 2 });
    expect(
      answer.segments.map(({ segment, n_control, n_treatment, status }) => [segment, n_control, n_treatment, status]),
    ).toEqual([
      ["free", 66, 66, "OK"],
      ["pro", 33, 33, "OK"],
      ["(unknown)", 1, 0, "INSUFFICIENT_DATA"],
      ["gold", 1, 0, "INSUFFICIENT_DATA"],
    ]);
    const [free] = answer.segments;
    expect(free!.adjusted_p_value).toBeCloseTo(Math.min(1, 2 * free!.p_value!), 12);
    expect(answer.heterogeneity).toMatchObject([{ metric_id: "bought", variant: "b", df: 1 }]);
    isClean(answer);
  });

  test("knows the attributes given at assignment", async () => {
    await create();
    for (let index = 0; index < 20; index++) {
      await key.request("POST /tracking/assign", {
        body: {
          experiment_key: "x",
          user_id: `u${index}`,
          attributes: { country: index % 2 ? "DE" : "FR", tags: ["x"] },
        },
      });
    }
    const { segments } = await breakdown({ dimension: "country", metric_id: "bought" });
    expect(segments.map(({ segment, n_control, n_treatment }) => [segment, n_control + n_treatment])).toEqual([
      ["DE", 10],
      ["FR", 10],
    ]);
    expect((await breakdown({ dimension: "tags", metric_id: "bought" })).segments[0]!.segment).toBe("(unknown)");
  });

  test("goes by the first exposure, and forgets what an erased user alone had said", async () => {
    await create();
    const exposed = { event_type: "exposure", experiment_id: "x", variant_id: "a" };
    await send([
      { ...exposed, user_id: "u", event_metadata: { plan: "trial" }, timestamp: at(-5) },
      { ...exposed, user_id: "u", event_metadata: { plan: "paid" } },
    ]);
    const names = async () => (await breakdown({ dimension: "plan", metric_id: "bought" })).segments;
    expect((await names()).map(({ segment }) => segment)).toEqual(["trial"]);
    await server.admin.request("DELETE /tracking/users/{user_id}", { params: { user_id: "u" } });
    expect(await names()).toEqual([]);
  });
});

describe("timeseries", () => {
  test.each([
    [{ metric_id: "none" }, "metric_id"],
    [{ variant: "a" }, "variant"],
    [{ variant: "none" }, "variant"],
  ])("refuses %j", async (query, parameter) => {
    await create();
    const { status, issues } = await refusal(timeseries(query));
    expect([status, (issues as { loc: unknown }[])[0]!.loc]).toEqual([422, ["query", parameter]]);
  });

  test("has each day's newcomers on their own, and everyone so far", async () => {
    await create();
    await send(users(50, { a: 0.2, b: 0.4 }, "first"));
    server.advance(DAY);
    await send(users(100, { a: 0.3, b: 0.3 }, "second"));
    const { days, ...rest } = await timeseries();
    expect(rest).toMatchObject({ metric: "Bought", metric_id: "bought", variant: "b", analysis_warnings: [] });
    expect(days.map(({ date, n_control, n_treatment }) => [date, n_control, n_treatment])).toEqual([
      ["2026-03-01", 50, 50],
      ["2026-03-02", 100, 100],
    ]);
    const differences = days.flatMap((day) => [day.difference!, day.cumulative_difference!]);
    // The first fifty have users 0 to 19 and 0 to 39 of a hundred: twenty and forty buy.
    const expected = [0.4, 0.4, 0, 20 / 150];
    for (const [index, value] of expected.entries()) expect(differences[index]).toBeCloseTo(value, 12);
    const { metrics } = await key.request("GET /results/{experiment_id}", { params });
    expect(days.at(-1)!.cumulative_difference).toBeCloseTo(metrics[0]!.difference, 12);
    expect(days[0]!.always_valid_interval![0]).toBeLessThan(days[0]!.cumulative_confidence_interval![0]);
  });
});
