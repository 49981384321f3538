import { groupSequentialInflation, spendingSchedule } from "@assay/core/stats/planning";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
let viewer: Awaited<ReturnType<TestServer["as"]>>;
beforeAll(async () => {
  server = await createTestServer();
  viewer = await server.as("VIEWER");
});
afterAll(() => server.assay.close());

const RATE = { baseline_rate: 0.05, mde: 0.2, daily_users: 1000 };
const sizeOf = (query: object) => viewer.request("GET /ai/sample-size", { query: { ...RATE, ...query } });

describe("a sample size with planned looks", () => {
  test.each([
    [5, "obrien_fleming", 0.05, 0.8],
    [3, "pocock", 0.01, 0.9],
    [2, "hsd", 0.05, 0.8],
  ] as const)("of %i looks by %s at alpha %f has the power of one look", async (looks, spending, alpha, power) => {
    const one = await sizeOf({ alpha, power });
    const size = await sizeOf({ alpha, power, looks, spending_function: spending });
    const fractions = Array.from({ length: looks }, (_, index) => (index + 1) / looks);
    const inflation = groupSequentialInflation(spendingSchedule(spending, fractions, { alpha }), { alpha, power });
    expect(size.arms).toEqual(one.arms.map((users) => Math.ceil(users * inflation)));
    expect(size.total).toBe(size.arms[0]! + size.arms[1]!);
    expect(size.days).toBe(Math.ceil(size.total / 1000));
    expect(size.looks!.map(({ users }) => users)).toEqual(fractions.map((share) => Math.ceil(share * size.total)));
    expect(size.looks!.at(-1)).toEqual({ users: size.total, day: size.days });
    expect(size.mean_users!).toBeLessThan(one.total);
  });

  test("spends alpha as O'Brien and Fleming by default, and has no days without daily users", async () => {
    const { looks, mean_users, total } = await sizeOf({ looks: 4, daily_users: undefined });
    expect(await sizeOf({ looks: 4, spending_function: "obrien_fleming" })).toMatchObject({ mean_users, total });
    expect(looks!.map(({ day }) => day)).toEqual([null, null, null, null]);
  });
});

test("a sample size for any day is at most about twice that of one look, and one look has no looks", async () => {
  const one = await sizeOf({});
  expect(one).toMatchObject({ looks: null, mean_users: null });
  const any = await sizeOf({ any_time: true });
  expect(any).toMatchObject({ looks: null, mean_users: null, alpha: one.alpha, variants: 2 });
  expect(any.total / one.total).toBeGreaterThan(1.8);
  expect(any.total / one.total).toBeLessThan(2.2);
  expect(await sizeOf({ any_time: false })).toEqual(one);
});

test.each([
  [{ looks: 1 }, "looks"],
  [{ looks: 21 }, "looks"],
  [{ looks: 3, spending_function: "bonferroni" }, "spending_function"],
  [{ spending_function: "pocock" }, "spending_function"],
  [{ looks: 3, any_time: true }, "any_time"],
  [{ looks: 3, hypothesis: "EQUIVALENCE", margin: 0.1, mde: 0 }, "looks"],
  [{ any_time: true, hypothesis: "NON_INFERIORITY", margin: 0.1, mde: 0 }, "any_time"],
])("refuses %j", async (query, field) => {
  const { status, issues } = await refusal(sizeOf(query));
  expect(status).toBe(422);
  expect(issues).toMatchObject([{ loc: ["query", field] }]);
});
