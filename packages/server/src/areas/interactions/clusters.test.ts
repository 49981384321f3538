import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../../testing.fixture.ts";

const COMPANIES = 480;
const ARMS = [{ key: "off" }, { key: "on" }];
const METRICS = [{ name: "Bought", event_type: "purchase", role: "PRIMARY" }];

let server: TestServer;
let key: Awaited<ReturnType<TestServer["withKey"]>>;
beforeEach(async () => {
  server = await createTestServer();
  key = await server.withKey(["read", "write"]);
});
afterEach(() => server.assay.close());

const create = (name: string, body: object) =>
  server.admin.request("POST /experiments/", {
    body: { key: name, name, status: "ACTIVE", variants: ARMS, metrics: METRICS, ...body } as never,
  });

async function createOnFlag(name: string, bucket_by: string | null) {
  const variants = ARMS.map((arm) => ({ ...arm, weight: 50, value: arm.key }));
  const flag = { key: `flag-${name}`, name, value_type: "STRING", default_value: "off", status: "ACTIVE", variants };
  await server.admin.request("POST /feature-flags/", {
    body: { ...flag, bucket_by, rollout_percentage: 100 } as never,
  });
  await create(name, { variants: undefined, feature_flag_key: flag.key });
}

/** Companies in both arms of two experiments by whole-number arithmetic, the same as in R below. */
async function visit(): Promise<void> {
  const events = Array.from({ length: COMPANIES }, (_, company) => {
    const [x, y] = [company % 2, Math.floor(company / 2) % 2];
    const buys = (company * 37) % 100 < 20 + 10 * x + 15 * y + 25 * x * y;
    return Array.from({ length: 1 + ((company * 7) % 5) }, (_, index) => {
      const user_id = `${company}-${index}`;
      const exposures = Object.entries({ x, y }).map(([experiment_id, arm]) => ({
        event_type: "exposure",
        user_id,
        experiment_id,
        variant_id: ARMS[arm]!.key,
        event_metadata: { company: `c${company}` },
      }));
      return buys && index % 4 !== 3 ? [...exposures, { event_type: "purchase", user_id }] : exposures;
    }).flat();
  }).flat();
  await key.request("POST /tracking/events", { body: { events } as never });
}

const pair = () =>
  server.admin.request("GET /interactions/{exp_a_id}/{exp_b_id}", {
    params: { exp_a_id: "x", exp_b_id: "y" },
    query: {},
  });

/**
 * R: per cell S and n of each company, v = sum(S) / sum(n), G = sum(n)^2 / sum(n^2), squared error
 * sum((S - v n)^2) / sum(n)^2 G / (G - 1); the sum of the four, and Satterthwaite's df with G - 1 each. Users taken for
 * independent would have p 0.00014.
 */
function expectByCompany(answer: Awaited<ReturnType<typeof pair>>) {
  expect(answer.warning).toBeNull();
  expect(answer.interaction_effect).toBeCloseTo(0.177777777778, 10);
  expect(answer.standard_error).toBeCloseTo(0.0776817602643, 10);
  expect(answer.df).toBeCloseTo(379.010046545, 6);
  expect(answer.p_value).toBeCloseTo(0.0226557821604, 10);
}

describe("a pair of experiments that draw companies", () => {
  test("is tested by company, in a scan too", async () => {
    await create("x", { bucket_by: "company" });
    await create("y", { bucket_by: "company" });
    await visit();
    expectByCompany(await pair());
    const scan = await server.admin.request("GET /interactions/scan", { query: {} });
    expect(scan.pairs[0]!.p_value).toBeCloseTo(0.0226557821604, 10);
  });

  test("is tested by company where a flag draws them", async () => {
    await createOnFlag("x", "company");
    await create("y", { bucket_by: "company" });
    await visit();
    expectByCompany(await pair());
  });

  test.each([
    ["an experiment that draws users", () => create("x", { bucket_by: null })],
    ["a flag that draws users", () => createOnFlag("x", null)],
    [
      "a switchback",
      () =>
        create("x", {
          bucket_by: "company",
          targeting_rules: { sticky_assignment: false },
          switchback: { period_minutes: 60 },
        }),
    ],
  ])("says that the units differ from those of %s", async (_, createX) => {
    await createX();
    await createOnFlag("y", "company");
    await visit();
    expect(await pair()).toMatchObject({ warning: "DIFFERENT_UNITS", p_value: null, significant: false });
  });
});
