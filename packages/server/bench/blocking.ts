/**
 * For how long the worst requests keep everything else waiting: `pnpm --filter @assay/server bench:blocking`. Sends what
 * `src/hostile` sends, a few times over, to a server in a separate process, and lists the longest time that its event
 * loop was blocked, in milliseconds. No request should block it for more than 100.
 */
import { ADDRESSES } from "../src/hostile/addresses.fixture.ts";
import { ANALYSES, addExperiments } from "../src/hostile/analyses.fixture.ts";
import { addSegments, BATCHES } from "../src/hostile/batches.fixture.ts";
import { BODIES } from "../src/hostile/bodies.fixture.ts";
import { addFlags, EVALUATIONS } from "../src/hostile/evaluations.fixture.ts";
import { type HostileServer, startServer } from "../src/hostile/server.fixture.ts";
import { createWorld, type HostileCase, type World } from "../src/hostile/world.fixture.ts";

const ROUNDS = 5;
const SHOWN = 25;

interface Row {
  name: string;
  status: number;
  /** Milliseconds of the first request, whose code is not compiled yet. */
  first: number;
  /** Of all rounds. */
  worst: number;
  median: number;
}

async function measure(
  cases: HostileCase[],
  prepare: (server: HostileServer, world: World) => Promise<void>,
): Promise<Row[]> {
  const server = await startServer();
  const world = await createWorld(server);
  await prepare(server, world);
  const rows: Row[] = [];
  for (const { name, sent } of cases) {
    const times: number[] = [];
    let status = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const answer = await server.measure(sent(world));
      times.push(answer.blocked);
      status = answer.status;
    }
    const sorted = times.toSorted((a, b) => a - b);
    rows.push({ name, status, first: times[0]!, worst: sorted.at(-1)!, median: sorted[ROUNDS >> 1]! });
  }
  await server.close();
  return rows;
}

const rows = [
  ...(await measure([...BODIES, ...ADDRESSES], async () => {})),
  ...(await measure([...EVALUATIONS, ...BATCHES], async (server, world) => {
    await addFlags(server, world);
    await addSegments(server, world);
  })),
  ...(await measure(ANALYSES, addExperiments)),
].sort((a, b) => b.worst - a.worst);

const line = (cells: string[], name: string) =>
  console.log(`${cells.map((cell) => cell.padStart(8)).join("")}  ${name}`);
console.log(`Node ${process.version}, milliseconds that a request blocked the event loop, ${ROUNDS} rounds`);
line(["worst", "first", "median", "status"], "request");
for (const { name, status, first, worst, median } of rows.slice(0, SHOWN)) {
  line([worst.toFixed(0), first.toFixed(0), median.toFixed(0), String(status)], name);
}
const over = rows.filter(({ worst }) => worst > 100).length;
console.log(`${over} of ${rows.length} requests blocked for more than 100 ms`);
