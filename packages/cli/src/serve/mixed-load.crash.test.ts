import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasClickHouse, startClickHouse } from "../../../server/src/areas/warehouse/clickhouse.fixture.ts";
import { run, type Serving, serve, stopAll } from "../cli.fixture.ts";
import { DATABASE_KINDS } from "../own-database.fixture.ts";
import {
  describeLoads,
  expectOnce,
  newLoad,
  plan,
  prepare,
  repeatDoubts,
  sendUntilGone,
  settleEdits,
  settleStages,
} from "./mixed-load.fixture.ts";

/** In each round, two servers are killed, and in every second one, the database is too. */
const ROUNDS = process.env.TORTURE ? 50 : 2;
/** The time after which a repeat may finish the request of a dead process: a minute, with a margin. */
const ABANDONED_MS = 90_000;

/** What servers keep data in. */
interface Place {
  storage: string;
  /** Further settings of the servers. */
  environment?: Record<string, string>;
  /** Kills the database, if servers do not need the same process for their data. */
  crash?(): Promise<void>;
  start?(): Promise<void>;
  remove(): Promise<void>;
}

let folder: string;
let place: Place | undefined;

const PLACES = [
  { kind: "LMDB", isInstalled: true, create: async (): Promise<Place> => lmdb() },
  ...DATABASE_KINDS,
  { kind: "LMDB and ClickHouse", isInstalled: hasClickHouse, create: withClickHouse },
];

const lmdb = (): Place => ({ storage: `lmdb:${join(folder, "data")}`, remove: async () => {} });

async function withClickHouse(): Promise<Place> {
  const { connection, crash, start, stop } = await startClickHouse();
  const { username, password, port, database } = connection;
  const address = `clickhouse://${username}:${password}@127.0.0.1:${port}/${database}`;
  return { ...lmdb(), environment: { ASSAY_EVENTS: address }, crash, start, remove: stop };
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-mixed-"));
});
afterEach(async () => {
  await stopAll();
  await place?.remove();
  place = undefined;
  await rm(folder, { recursive: true, force: true });
});

/** Starts two servers with a clock that is ahead. */
function serveLater({ storage, environment }: Place, round: number): Promise<Serving[]> {
  const script = `const now = Date.now; Date.now = () => now() + ${round * ABANDONED_MS};`;
  const clock = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(script)}` };
  return Promise.all([1, 2].map(() => serve(["--storage", storage], { ...environment, ...clock })));
}

async function kill({ child, exit }: Serving): Promise<void> {
  child.kill("SIGKILL");
  await exit;
}

describe.each(PLACES)("kill -9 of servers on $kind and of their database", ({ kind, isInstalled, create }) => {
  test.skipIf(!isInstalled)(
    "loses nothing, doubles nothing and leaves nothing half done",
    { timeout: 60_000 + ROUNDS * 60_000 },
    async () => {
      place = await create();
      const loads = [newLoad("one"), newLoad("two")];
      let servers = await serveLater(place, 0);
      const apiKey = await prepare(servers[0]!, loads);
      let crashes = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const plans = await Promise.all(loads.map((load, index) => plan(servers[index]!, `${load.name}-${round}`)));
        const crashDatabase = async () => {
          if (!place?.crash || round % 2 === 1) return;
          crashes++;
          await wait((round * 97) % 500);
          await place.crash();
          await wait((round * 61) % 300);
          await place.start?.();
        };
        const killBoth = async () => {
          await wait(200 + ((round * 173) % 600));
          await crashDatabase();
          await kill(servers[round % 2]!);
          await wait(200 + ((round * 113) % 400));
          await kill(servers[1 - (round % 2)]!);
        };
        await Promise.all([
          ...loads.map((load, index) => sendUntilGone(servers[index]!, apiKey, load, plans[index]!)),
          killBoth(),
        ]);

        servers = await serveLater(place, round + 1);
        // Each server gets what the other one may have done.
        await Promise.all(loads.map((load, index) => repeatDoubts(servers[1 - index]!, apiKey, load)));
        for (const [index, load] of loads.entries()) {
          await expectOnce(servers[index]!, loads);
          await settleEdits(servers[index]!, load);
          await settleStages(servers[index]!, load, plans[index]!);
        }
      }

      for (const { child, exit } of servers) {
        child.kill("SIGTERM");
        expect(await exit).toBe(0);
      }
      const checked = await run(["check", "--storage", place.storage]);
      expect(checked.output).toMatch(/ 0 records are damaged/);
      const verified = await run(["audit", "verify", "--storage", place.storage]);
      expect(verified.output).toContain("The trail is valid");
      console.log(
        `${2 * ROUNDS} kills, ${crashes} of the database, on ${kind}; nothing of ${describeLoads(loads)} was lost or doubled`,
      );
    },
  );
});
