import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../../testing.fixture.ts";

const DAY = 86_400_000;
const DAYS = 20;
/** A/A experiments of each design. */
const EXPERIMENTS = 15;
/** At alpha 5 %, and three standard errors above. */
const MAX_WRONG = 0.05 * EXPERIMENTS + 3 * Math.sqrt(0.05 * 0.95 * EXPERIMENTS);

const armOf = (index: number) => (index === 0 ? "control" : `treatment-${index}`);
const metricOf = (index: number) => `outcome-${index}`;

interface Design {
  name: string;
  /** Users a day of each arm, control first. */
  users: number[];
  /** The rate of each metric; all are primary. */
  rates: number[];
  direction: "INCREASE" | "DECREASE";
  body?: object;
}

const DESIGNS: Design[] = [
  // Every day after the planned one, the one-look p-value would have another chance.
  { name: "a plan", users: [10, 10], rates: [0.3], direction: "INCREASE", body: { planned_sample_size: 60 } },
  // The small arm has no refunds at first, so its variance is 0.
  {
    name: "2 % in the treatment",
    users: [98, 2],
    rates: [0.03],
    direction: "DECREASE",
    body: { variants: arms([0.98, 0.02]) },
  },
  // Each of the six comparisons has another chance.
  {
    name: "three treatments and two primary metrics",
    users: [10, 10, 10, 10],
    rates: [0.3, 0.1],
    direction: "INCREASE",
    body: { variants: arms([0.25, 0.25, 0.25, 0.25]), planned_sample_size: 160 },
  },
];

function arms(weights: number[]) {
  return weights.map((weight, index) => ({ key: armOf(index), weight }));
}

let server: TestServer;
let key: Awaited<ReturnType<TestServer["withKey"]>>;
beforeAll(async () => {
  server = await createTestServer();
  key = await server.withKey(["read", "write"]);
});
afterAll(() => server.assay.close());

/** Uniform numbers in [0, 1), the same in every run: mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns the events of a day's users of an arm: their exposures, and the outcomes of some. */
function usersOf(id: string, arm: string, day: number, users: number, outcomes: () => string[]) {
  return Array.from({ length: users }, (_, index) => {
    const user_id = `${id}-${arm}-${day}-${index}`;
    const exposure = { event_type: "exposure", user_id, experiment_id: id, variant_id: arm };
    return [exposure, ...outcomes().map((event_type) => ({ event_type, user_id }))];
  }).flat();
}

test.each(DESIGNS)(
  "of A/A experiments with $name, read every day, no more than alpha are shipped or stopped for a difference",
  async ({ name, users, rates, direction, body = {} }) => {
    const random = createRandom(name.length);
    const outcomes = () => rates.flatMap((rate, index) => (random() < rate ? [metricOf(index)] : []));
    const metrics = rates.map((_, index) => {
      const id = metricOf(index);
      return { name: id, id, event_type: id, role: "PRIMARY", direction };
    });
    const ids = await Promise.all(
      Array.from({ length: EXPERIMENTS }, async (_, index) => {
        const created = await server.admin.request("POST /experiments/", {
          body: { name: `${name} ${index}`, status: "ACTIVE", variants: arms([0.5, 0.5]), metrics, ...body } as never,
        });
        return created.id;
      }),
    );
    const shipped = new Set<string>();
    const stopped = new Set<string>();
    for (let day = 0; day < DAYS; day++) {
      for (const id of ids) {
        const events = users.flatMap((count, arm) => usersOf(id, armOf(arm), day, count, outcomes));
        await key.request("POST /tracking/events", { body: { events } as never });
      }
      for (const id of ids) {
        const params = { experiment_id: id };
        const read = await server.admin.request("POST /ai/interpret/{experiment_id}", { params });
        if (read.recommendation === "SHIP") shipped.add(id);
        const { recommendation } = await server.admin.request("GET /results/{experiment_id}/sequential", { params });
        if (["STOP_FOR_EFFECT", "STOP_FOR_HARM"].includes(recommendation.action)) stopped.add(id);
      }
      server.advance(DAY);
    }
    expect(shipped.size).toBeLessThanOrEqual(MAX_WRONG);
    expect(stopped.size).toBeLessThanOrEqual(MAX_WRONG);
  },
);
