import { readDescription } from "@assay/design";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
let viewer: Awaited<ReturnType<TestServer["as"]>>;

beforeAll(async () => {
  server = await createTestServer();
  viewer = await server.as("VIEWER");
});
afterAll(() => server.assay.close());

const design = (description: string, more: object = {}) =>
  viewer.request("POST /ai/design", { body: { description, ...more } });
/** Creates the design unchanged and starts it. */
async function create(body: object) {
  const created = await server.admin.request("POST /experiments/", { body: body as { name: string } });
  return server.admin.request("POST /experiments/{experiment_id}/start", { params: { experiment_id: created.id } });
}

describe("GET /ai/sample-size", () => {
  test("accepts a rate, adds days, and splits alpha over the comparisons", async () => {
    const query = { baseline_rate: 0.1, mde: 0.1, daily_users: 1000 };
    const two = await viewer.request("GET /ai/sample-size", { query });
    expect(two).toMatchObject({
      metric_kind: "CONVERSION",
      baseline: 0.1,
      absolute_effect: expect.closeTo(0.01, 12),
      relative_effect: expect.closeTo(0.1, 12),
      alpha_per_comparison: 0.05,
      per_variant: 14_749,
      total: 29_498,
      days: 30,
    });
    const three = await viewer.request("GET /ai/sample-size", { query: { ...query, variants: 3 } });
    expect(three.alpha_per_comparison).toBe(0.025);
    expect(three.per_variant).toBeGreaterThan(two.per_variant);
    expect(three.total).toBe(3 * three.per_variant);
    const absolute = await viewer.request("GET /ai/sample-size", {
      query: { baseline_rate: 0.1, mde: 0.01, relative: false },
    });
    expect(absolute).toMatchObject({ per_variant: two.per_variant, days: null });
  });

  test("accepts a mean and its standard deviation", async () => {
    const query = { mean: 50, standard_deviation: 20, mde: 0.1 };
    const answer = await viewer.request("GET /ai/sample-size", { query });
    // Two samples of 252 each give t with 502 degrees of freedom 80 % power at d = 0.25.
    expect(answer).toMatchObject({
      metric_kind: "MEAN",
      baseline: 50,
      target: 55,
      absolute_effect: 5,
      per_variant: 253,
    });
  });

  test("accepts unequal weights, CUPED and clusters", async () => {
    const rate = { baseline_rate: 0.1, mde: 0.2 };
    const uneven = await viewer.request("GET /ai/sample-size", { query: { ...rate, weights: "90,10" } });
    // By hand: 2.8015852^2 (0.09 / 0.9 + 0.1056 / 0.1) / 0.02^2 = 22,683.3 users.
    expect(uneven).toMatchObject({ variants: 2, arms: [20_415, 2269], total: 22_684, clusters: null });
    const adjusted = await viewer.request("GET /ai/sample-size", { query: { ...rate, cuped_correlation: 0.5 } });
    // By hand: 2.8015852^2 (0.09 + 0.1056) 0.75 / 0.02^2 = 2,878.6 users an arm.
    expect(adjusted).toMatchObject({ per_variant: 2879, variance_factor: 0.75 });
    const clusters = { ...rate, cluster_size: 20, icc: 0.1 };
    expect(await viewer.request("GET /ai/sample-size", { query: clusters })).toMatchObject({
      variance_factor: expect.closeTo(2.9, 12),
      // R: 22,299.4 users by uniroot over pt(..., ncp) with users / 20 - 2 degrees of freedom, so 558 clusters per arm.
      clusters: 1116,
    });
  });

  test.each([
    [{}, "mde"],
    [{ mde: 0.1 }, "baseline_rate"],
    [{ mde: 0.1, baseline_rate: 0.1, mean: 3 }, "baseline_rate"],
    [{ mde: 0.1, standard_deviation: 2 }, "mean"],
    [{ mde: 0.1, standard_deviation: 2, mean: 0 }, "mean"],
    [{ mde: 9.5, baseline_rate: 0.1 }, "mde"],
    [{ mde: 1e-9, baseline_rate: 0.1 }, "mde"],
    [{ mde: 0.1, baseline_rate: 1 }, "baseline_rate"],
    [{ mde: 0.1, baseline_rate: 0.1, power: 1 }, "power"],
    [{ mde: 0.1, baseline_rate: 0.1, variants: 1 }, "variants"],
    [{ mde: 0.1, baseline_rate: 0.1, weights: "90" }, "weights"],
    [{ mde: 0.1, baseline_rate: 0.1, weights: "90,-10" }, "weights"],
    [{ mde: 0.1, baseline_rate: 0.1, weights: "90,10", variants: 3 }, "weights"],
    [{ mde: 0.1, baseline_rate: 0.1, weights: "90,0" }, "weights"],
    [{ mde: 0.1, baseline_rate: 0.1, cluster_size: 20 }, "icc"],
    [{ mde: 0.1, baseline_rate: 0.1, cuped_correlation: 1 }, "cuped_correlation"],
    [{ mde: 0.1, mean: 3, standard_deviation: 2, denominator_mean: 2 }, "denominator_standard_deviation"],
    [{ mde: 0.1, mean: 3, quantile: 0.9 }, "quantile_density"],
  ])("rejects %j and names %s", async (query, field) => {
    const refused = await refusal(viewer.request("GET /ai/sample-size", { query: query as never }));
    expect(refused).toMatchObject({ status: 422, issues: [{ loc: ["query", field] }] });
  });
});

test("a design takes CUPED and clusters into its sample size", async () => {
  const description = "Raise the checkout conversion from 10 % to 12 %";
  const design = (more: object) => viewer.request("POST /ai/design", { body: { description, ...more } });
  const adjusted = await design({ cuped_correlation: 0.5 });
  // By hand: 2.8015852^2 (0.09 + 0.1056) 0.75 / 0.02^2 = 2,878.6 users an arm.
  expect(adjusted.sample_size).toMatchObject({ per_variant: 2879, variance_factor: 0.75 });
  expect(adjusted.planned_sample_size).toBe(5758);
  expect(adjusted.rationale).toContain(
    "That is 0.75 times as many as without the correlation and the clusters that you gave.",
  );
  expect(await refusal(design({ icc: 0.1 }))).toMatchObject({
    status: 422,
    issues: [{ loc: ["body", "cluster_size"] }],
  });
});

describe("templates", () => {
  test("each of the templates can be created and started unchanged", async () => {
    const { items, total } = await viewer.request("GET /ai/templates");
    expect(total).toBeGreaterThanOrEqual(12);
    expect(new Set(items.map(({ id }) => id)).size).toBe(total);
    for (const { experiment } of items) {
      expect(experiment.metrics.filter(({ role }) => role === "PRIMARY")).toHaveLength(1);
      expect(await create(experiment)).toMatchObject({ status: "ACTIVE", experiment_type: experiment.experiment_type });
    }
  });

  test("are read by id, by category and in pages", async () => {
    expect(await viewer.request("GET /ai/templates/{id}", { params: { id: "checkout" } })).toMatchObject({
      id: "checkout",
    });
    expect(await refusal(viewer.request("GET /ai/templates/{id}", { params: { id: "nothing" } }))).toMatchObject({
      status: 404,
    });
    const messaging = await viewer.request("GET /ai/templates", { query: { category: "messaging", limit: 1 } });
    expect(messaging).toMatchObject({ items: [{ category: "messaging" }], total: 2, limit: 1 });
  });
});

describe("POST /ai/design", () => {
  test("designs an experiment with the numbers of the description", async () => {
    const designed = await design(
      "Ask for fewer fields in checkout. Currently 20% of carts become orders; we want to detect a lift of 5%. " +
        "We have 12,000 users a day in Germany and France, on mobile.",
    );
    expect(designed).toMatchObject({
      name: "Ask for fewer fields in checkout",
      experiment_type: "AB_TEST",
      template_id: "checkout",
      source: "BUILT_IN",
      targeting_rules: { countries: ["DE", "FR"], user_attributes: { device_type: ["mobile"] } },
      sample_size: { baseline: 0.2, relative_effect: expect.closeTo(0.05, 12), daily_users: 12_000 },
    });
    const planned = await viewer.request("GET /ai/sample-size", {
      query: { baseline_rate: 0.2, mde: 0.05, daily_users: 12_000 },
    });
    expect(designed.sample_size).toEqual(planned);
    expect(designed.planned_sample_size).toBe(planned.total);
    expect(designed.rationale.join(" ")).toContain("read in your description");
    expect(await create(designed)).toMatchObject({ planned_sample_size: planned.total, metrics: { length: 5 } });
  });

  test("prefers given values over those in the description, and reports its assumptions", async () => {
    const text = "A new headline for the home page, conversion rate is 8%";
    const given = await design(text, { baseline_rate: 0.3, mde: 0.02, daily_users: 500 });
    expect(given.sample_size).toMatchObject({
      baseline: 0.3,
      relative_effect: expect.closeTo(0.02, 9),
      daily_users: 500,
    });
    const assumed = await design("A new headline for the home page");
    expect(assumed.sample_size?.days).toBeNull();
    expect(assumed.rationale.filter((line) => line.includes("assumed"))).toHaveLength(2);
  });

  test("uses quoted names as arms, addresses for a redirect, and combinations for a factorial design", async () => {
    const headlines = await design('Which headline: "Save time", "Save money" or "Save the planet"?');
    expect(headlines.variants?.map(({ name, is_control }) => [name, is_control])).toEqual([
      ["Save time", true],
      ["Save money", false],
      ["Save the planet", false],
    ]);
    expect(headlines.sample_size?.variants).toBe(3);
    expect(await create(headlines)).toMatchObject({ status: "ACTIVE" });
    const pages = await design("Send visitors of the advert to https://shop.example/a, /b or /c");
    expect(pages.experiment_type).toBe("SPLIT_URL");
    expect(pages.split_url_config?.variants.map(({ url, weight }) => [url, weight])).toEqual([
      ["https://shop.example/a", 34],
      ["/b", 33],
      ["/c", 33],
    ]);
    expect(await create(pages)).toMatchObject({ experiment_type: "SPLIT_URL" });
    const factors = await design("All combinations of image and layout in a multivariate test");
    expect(factors).toMatchObject({ experiment_type: "MULTIVARIATE", sample_size: { variants: 4 } });
  });

  test("needs ten characters, counted by code points", async () => {
    await expect(design("😀".repeat(9))).rejects.toMatchObject({ status: 422 });
    expect(await design("😀".repeat(10))).toHaveProperty("name");
  });

  test("makes the same body for the same text, which the API accepts", async () => {
    const words = fc.constantFrom(
      ..."checkout button from 5% to 6% by 2 points 1,000 users a day 3 million monthly visitors three variants in Spain /a /b \"x\" “y” 'z' $% 100% to 0% 0.0%".split(
        " ",
      ),
    );
    const text = fc.oneof(
      fc.string({ unit: "grapheme", minLength: 10, maxLength: 200 }),
      fc.array(words, { minLength: 5, maxLength: 30 }).map((parts) => parts.join(" ")),
    );
    await fc.assert(
      fc.asyncProperty(text, async (description) => {
        if ([...description.trim()].length < 10) return;
        const designed = await design(description);
        expect(await design(description)).toEqual(designed);
        await server.admin.request("POST /experiments/", { body: designed as never });
      }),
      { numRuns: 150 },
    );
  });

  test.each([
    [
      'New\ttitle \u0007 "Buy\u0000now" or "Buy\tlater"',
      'New title   "Buy now" or "Buy later"',
      ["Buy now", "Buy later"],
    ],
    ["\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\u0008\u000e", "Feature launch", null],
    ["!!!!!!!!!!!!", "Feature launch", null],
  ])("never uses empty names or names with control characters: %j", async (description, name, arms) => {
    const designed = await design(description);
    expect(designed.name).toBe(name);
    if (arms) expect(designed.variants?.map((variant) => variant.name)).toEqual(arms);
    await server.admin.request("POST /experiments/", { body: designed as never });
  });

  test("reads a long text that targets its patterns at once", () => {
    const traps = [
      "1 ".repeat(2500),
      " ".repeat(5000),
      "1".repeat(5000),
      '"'.repeat(5000),
      "/a".repeat(2500),
      "now ".repeat(1250),
    ];
    for (const trap of traps) expect(() => readDescription(trap)).not.toThrow();
  });

  test.each([
    [{}, "description"],
    [{ description: "short" }, "description"],
    [{ description: "A new headline", baseline_rate: 0 }, "baseline_rate"],
    [{ description: "A new headline", baseline_rate: 0.5, mde: 1 }, "mde"],
    [{ description: "A new headline", daily_users: 0.5 }, "daily_users"],
  ])("rejects %j and names %s", async (body, field) => {
    const refused = await refusal(viewer.request("POST /ai/design", { body: body as never }));
    expect(refused).toMatchObject({ status: 422, issues: [{ loc: ["body", field] }] });
  });
});
