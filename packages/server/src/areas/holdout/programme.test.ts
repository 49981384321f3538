import { bucket } from "@assay/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BOUGHT, createPastExperiments, SMALL } from "../results/past-experiments.fixture.ts";

let server: Awaited<ReturnType<typeof createPastExperiments>>;
beforeEach(async () => {
  server = await createPastExperiments();
});
afterEach(() => server.assay.close());

const start = (body: object = {}) =>
  server.admin.request("POST /holdout", { body: { name: "Year", percentage: 20, ...body } });
const programmeOf = async (id: string, client: Pick<(typeof server)["admin"], "request"> = server.admin) =>
  (await client.request("GET /holdout/{id}", { params: { id }, query: { event_type: "visit" } })).programme;

/** Completes an experiment of 500 users an arm, 100 of whom bought in control. */
async function ship(name: string, treatment: number, winner?: string, body: object = {}) {
  await server.play(name, { control: 100, treatment, body });
  await server.complete(name, winner);
}

/** Visitors of whom every fourth buys if held out, and every second otherwise. */
async function visit(holdout: string) {
  const visitors = Array.from({ length: 400 }, (_, index) => `visitor-${index}`);
  const isHeld = (user: string) => bucket(user, `holdout:${holdout}`) < 0.2;
  const held = visitors.filter(isHeld);
  const others = visitors.filter((user) => !isHeld(user));
  const buyers = [...held.filter((_, index) => index % 4 === 0), ...others.filter((_, index) => index % 2 === 0)];
  const body = [
    ...visitors.map((user_id) => ({ event_type: "visit", user_id })),
    ...buyers.map((user_id) => ({ event_type: "purchase", user_id, value: 10 })),
  ];
  await server.key.request("POST /tracking/events", { body });
  const rate = (users: string[], every: number) => Math.ceil(users.length / every) / users.length;
  return { lift: rate(others, 2) / rate(held, 4) - 1 };
}

test("adds up what was shipped since the holdout began, beside what the holdout measures", async () => {
  await server.playSmall(SMALL.slice(0, 14));
  await ship("early", 130, "treatment");
  const { id } = await start();
  expect(await programmeOf(id)).toEqual({
    shipped: 0,
    assessed: 0,
    expected_false: null,
    false_discovery_rate: null,
    effects: [],
  });
  await ship("a", 140, "treatment");
  await ship("b", 131, "treatment");
  await ship("c", 104);
  await ship("d", 95, "control");
  const { lift } = await visit(id);
  const few = await programmeOf(id);
  expect(few).toMatchObject({ shipped: 2, assessed: 0, expected_false: null, false_discovery_rate: null });
  expect(few!.effects).toMatchObject([{ shipped: 2, corrected_lift: null, corrected_interval: null }]);
  await ship("e", 112, "treatment");
  await ship("f", 99);
  await ship("g", 160, "treatment", { metrics: [{ ...BOUGHT, kind: "MEAN" }] });
  await server.play("running", { control: 100, treatment: 140 });
  const programme = {
    shipped: 4,
    assessed: 3,
    // scipy, from the counts alone: score intervals of the lifts, half their width over 1.96 as the standard error, and the
    // spread between the 21 lifts integrated by Simpson's rule on 40,002 points; the interval by mpmath, with tails of 1.75 %.
    expected_false: expect.closeTo(0.17214531413867348, 6),
    false_discovery_rate: expect.closeTo(0.17214531413867348 / 3, 6),
    effects: [
      {
        event_type: "purchase",
        kind: "CONVERSION",
        shipped: 3,
        observed_lift: expect.closeTo(0.4 + 0.31 + 0.12, 12),
        corrected_lift: expect.closeTo(0.3604629921304031, 6),
        corrected_interval: [expect.closeTo(-0.004033208465513, 6), expect.closeTo(0.8185480787354, 6)],
        expected_false: expect.closeTo(0.17214531413867348, 6),
        holdout_lift: expect.closeTo(lift, 12),
        holdout_interval: [expect.any(Number), expect.any(Number)],
      },
      {
        event_type: "purchase",
        kind: "MEAN",
        shipped: 1,
        observed_lift: expect.closeTo(0.6, 12),
        corrected_lift: null,
        corrected_interval: null,
        expected_false: null,
        holdout_lift: expect.closeTo(lift, 12),
        holdout_interval: [expect.any(Number), expect.any(Number)],
      },
    ],
  };
  const sorted = async (client?: Parameters<typeof programmeOf>[1]) => {
    const found = (await programmeOf(id, client))!;
    return { ...found, effects: found.effects.toSorted((one, other) => (one.kind < other.kind ? -1 : 1)) };
  };
  expect(await sorted()).toEqual(programme);
  expect(await sorted(await server.as("VIEWER"))).toEqual(programme);

  // What is shipped after its end belongs to it no more.
  await server.admin.request("PUT /holdout/{id}", { params: { id }, body: { status: "ENDED" } });
  server.advance(1000);
  await ship("late", 150, "treatment");
  expect(await programmeOf(id)).toMatchObject({ shipped: 4, assessed: 3 });
});

test("an experiment counts once, by its first PRIMARY metric whose kind is known", async () => {
  const { id } = await start();
  await server.playSmall(SMALL.slice(0, 15));
  const spent = { ...BOUGHT, id: "spent", name: "Spent", kind: "MEAN" };
  for (const [index, treatment] of [140, 95, 104, 99, 102, 97].entries()) {
    const metrics = index === 0 ? [spent, BOUGHT] : [BOUGHT];
    await ship(`y${index}`, treatment, index === 0 ? "treatment" : undefined, { metrics });
  }
  const { effects, ...counts } = (await programmeOf(id))!;
  const bought = effects.find(({ kind }) => kind === "CONVERSION")!;
  expect(effects.map(({ kind }) => kind).sort()).toEqual(["CONVERSION", "MEAN"]);
  expect(counts).toEqual({
    shipped: 1,
    assessed: 1,
    expected_false: bought.expected_false,
    false_discovery_rate: bought.expected_false,
  });
});

test("a holdout that has not begun has no programme", async () => {
  const { id } = await start({ status: "DRAFT" });
  expect(await programmeOf(id)).toBeUndefined();
});

test("the lift of a metric that is to fall is added up with its sign", async () => {
  const { id } = await start();
  await server.playSmall(SMALL.slice(0, 15));
  const metrics = [{ ...BOUGHT, direction: "DECREASE" }];
  for (const [index, treatment] of [60, 95, 104, 99, 102, 97].entries()) {
    await ship(`x${index}`, treatment, index === 0 ? "treatment" : "control", { metrics });
  }
  const { effects, expected_false } = (await programmeOf(id))!;
  expect(effects).toMatchObject([{ shipped: 1, observed_lift: expect.closeTo(-0.4, 12) }]);
  const { corrected_lift, corrected_interval } = effects[0]!;
  expect(corrected_lift).toBeGreaterThan(-0.4);
  expect(corrected_lift).toBeLessThan(0);
  expect(corrected_interval![0]).toBeLessThan(corrected_lift!);
  expect(corrected_interval![1]).toBeGreaterThan(corrected_lift!);
  expect(expected_false).toBeLessThan(0.5);
});
