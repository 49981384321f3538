/**
 * Sends batches of 100 events through the tracking service: `pnpm --filter @assay/server bench:ingest [batches]`.
 * Prints events a second over the memory store, and what parsing the same bodies as JSON costs.
 */
import { uuidv7 } from "uuidv7";
import { createTracking } from "../src/areas/tracking/tracking.fixture.ts";

const BATCHES = Number(process.argv[2] ?? 2000);
const SIZE = 100;
const WRITERS = 64;

const bodies = Array.from({ length: BATCHES }, (_, batch) =>
  JSON.stringify({
    events: Array.from({ length: SIZE }, (_, index) => ({
      event_id: uuidv7(),
      event_type: index % 3 ? "visit" : "purchase",
      user_id: `user-${(batch * SIZE + index) % 50_000}`,
      experiment_id: "checkout",
      variant_id: index % 2 ? "treatment" : "control",
      value: index,
      timestamp: "2026-01-09T11:59:59.000Z",
    })),
  }),
);

function report(name: string, start: NodeJS.CpuUsage): void {
  const { user, system } = process.cpuUsage(start);
  console.log(`${name.padEnd(40)} ${Math.round((BATCHES * SIZE * 1e6) / (user + system))} events per second of CPU`);
}

for (let round = 1; round <= 3; round++) {
  const floor = process.cpuUsage();
  for (const body of bodies) JSON.parse(body);
  report("JSON.parse alone", floor);

  const app = await createTracking();
  await app.addExperiment();
  const start = process.cpuUsage();
  let next = 0;
  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      while (next < bodies.length) await app.tracking.events(JSON.parse(bodies[next++]!));
    }),
  );
  report("parsed, checked, claimed, stored", start);
  await app.close();
}
