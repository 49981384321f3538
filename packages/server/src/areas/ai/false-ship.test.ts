import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../../testing.fixture.ts";

const DAY = 86_400_000;
const DAYS = 20;
/** A/A experiments of each design. */
const EXPERIMENTS = 15;
/** At alpha 5 %, and three standard errors above. */
const MAX_SHIPPED = 0.05 * EXPERIMENTS + 3 * Math.sqrt(0.05 * 0.95 * EXPERIMENTS);

interface Design {
  name: string;
  /** Users a day. */
  control: number;
  treatment: number;
  rate: number;
  direction: "INCREASE" | "DECREASE";
  body?: object;
}

const DESIGNS: Design[] = [
  // Every day after the planned one, the one-look p-value would have another chance.
  { name: "a plan", control: 10, treatment: 10, rate: 0.3, direction: "INCREASE", body: { planned_sample_size: 60 } },
  // The small arm has no refunds at first, so its variance is 0.
  {
    name: "2 % in the treatment",
    control: 98,
    treatment: 2,
    rate: 0.03,
    direction: "DECREASE",
    body: { variants: arms(0.98, 0.02) },
  },
];

function arms(control: number, treatment: number) {
  return [
    { key: "control", weight: control },
    { key: "treatment", weight: treatment },
  ];
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
function usersOf(id: string, arm: string, day: number, users: number, hasOutcome: () => boolean) {
  return Array.from({ length: users }, (_, index) => {
    const user_id = `${id}-${arm}-${day}-${index}`;
    const exposure = { event_type: "exposure", user_id, experiment_id: id, variant_id: arm };
    return hasOutcome() ? [exposure, { event_type: "outcome", user_id }] : [exposure];
  }).flat();
}

test.each(DESIGNS)(
  "of A/A experiments with $name, interpreted every day, no more than alpha are shipped",
  async ({ name, control, treatment, rate, direction, body = {} }) => {
    const random = createRandom(name.length);
    const ids = await Promise.all(
      Array.from({ length: EXPERIMENTS }, async (_, index) => {
        const created = await server.admin.request("POST /experiments/", {
          body: {
            name: `${name} ${index}`,
            status: "ACTIVE",
            variants: arms(0.5, 0.5),
            metrics: [{ name: "Outcome", id: "outcome", event_type: "outcome", role: "PRIMARY", direction }],
            ...body,
          } as never,
        });
        return created.id;
      }),
    );
    const shipped = new Set<string>();
    for (let day = 0; day < DAYS; day++) {
      for (const id of ids) {
        const hasOutcome = () => random() < rate;
        const events = [
          ...usersOf(id, "control", day, control, hasOutcome),
          ...usersOf(id, "treatment", day, treatment, hasOutcome),
        ];
        await key.request("POST /tracking/events", { body: { events } as never });
      }
      for (const id of ids) {
        const { recommendation } = await server.admin.request("POST /ai/interpret/{experiment_id}", {
          params: { experiment_id: id },
        });
        if (recommendation === "SHIP") shipped.add(id);
      }
      server.advance(DAY);
    }
    expect(shipped.size).toBeLessThanOrEqual(MAX_SHIPPED);
  },
);
