import { afterAll, beforeAll, expect, test } from "vitest";
import { ANALYSES, addExperiments } from "./analyses.fixture.ts";
import { expectAnswer } from "./expectation.fixture.ts";
import { type HostileServer, startServer } from "./server.fixture.ts";
import { createWorld, type World } from "./world.fixture.ts";

let server: HostileServer;
let world: World;

beforeAll(async () => {
  server = await startServer();
  world = await createWorld(server);
  await addExperiments(server, world);
}, 60_000);
afterAll(() => server.close());

test.each(ANALYSES)(
  "an analysis of $name answers $status, and blocks no other request",
  async (one) => {
    await expectAnswer(server, world, one);
  },
  30_000,
);

test("an experiment without metrics gets at most 100 event types as metrics", async () => {
  const { text } = await server.send({ method: "GET", path: "/results/unnamed", headers: world.key });
  const { metrics } = JSON.parse(text) as { metrics: { metric_id: string }[] };
  const known = new Set(metrics.map(({ metric_id }) => metric_id));
  // Each event type is two metrics: whether it happened, and how much. The types that the log has known longest stay.
  expect(known.size).toBe(200);
  for (const type of ["e0", "e1", "e2", "e3"]) expect(known).toContain(type);
});
