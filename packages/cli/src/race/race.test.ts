import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { run, stopAll } from "../cli.fixture.ts";
import { DATABASES, LACKS_DATABASES, newPlace } from "../database.fixture.ts";
import { DATABASE_KINDS } from "../own-database.fixture.ts";
import { CHANGE_CHECKS } from "./changes.fixture.ts";
import { deliveryCheck, serveTracker, type Tracker } from "./delivery.fixture.ts";
import { EVENT_CHECKS } from "./events.fixture.ts";
import { IDENTITY_CHECKS, LATENCIES } from "./identity.fixture.ts";
import { type Check, NODES, type Node, type Race, startNodes, stopNodes } from "./nodes.fixture.ts";
import { createRandom } from "./random.fixture.ts";
import { clockBeforeFour, expectOneRunAPeriod } from "./schedule.fixture.ts";

const ROUNDS = Number(process.env.ASSAY_RACE_ROUNDS ?? (process.env.TORTURE ? 20 : 1));
/** How long the servers have to start before jobs are due. Built ones start four times as fast. */
const LEAD_MS = process.env.ASSAY_TEST_BUILT ? 20_000 : 40_000;

/** Where the servers keep their data, and how it is removed. */
interface Place {
  storage: string;
  clear(): Promise<void>;
}

const BACKENDS = [
  {
    kind: "lmdb:DIR",
    create: async (directory: string): Promise<Place> => ({
      storage: `lmdb:${join(directory, "data")}`,
      clear: async () => {},
    }),
  },
  ...DATABASES.map(({ kind, storage, clear }) => ({
    kind,
    async create(): Promise<Place> {
      const place = newPlace("race");
      return { storage: storage(place), clear: () => clear([place]) };
    },
  })),
  ...DATABASE_KINDS.filter(({ kind, isInstalled }) => kind === "a Redis cluster" && isInstalled).map(
    ({ kind, create }) => ({
      kind,
      async create(): Promise<Place> {
        const { storage, remove } = await create();
        return { storage, clear: remove };
      },
    }),
  ),
];

test("CI has databases for these tests", () => {
  expect(LACKS_DATABASES).toBe(false);
});

describe.each(BACKENDS)(`${NODES} servers on $kind, ${ROUNDS} rounds`, { timeout: 60_000 * ROUNDS }, (backend) => {
  let directory: string;
  let place: Place | undefined;
  let storage: string;
  let tracker: Tracker;
  let nodes: Node[];
  let administrators: string[][];
  let startedAt: number;
  let clock: ReturnType<typeof clockBeforeFour>;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "assay-race-"));
    place = await backend.create(directory);
    storage = place.storage;
    tracker = await serveTracker();
    clock = clockBeforeFour(LEAD_MS);
    ({ nodes, administrators } = await startNodes(["--storage", storage], clock.environment));
    startedAt = Math.min(...nodes.map(({ server }) => server.readyAt)) + clock.ahead;
    await tracker.connect(raceOf(0));
  });
  afterAll(async () => {
    await stopAll();
    await tracker?.close();
    await rm(directory, { recursive: true, force: true });
    await place?.clear();
  });

  const raceOf = (round: number): Race => {
    const seed = (inject("seed") + round) >>> 0;
    return { nodes, random: createRandom(seed), round: `${round}` };
  };
  const runAll = async ({ run }: Check) => {
    for (let round = 1; round <= ROUNDS; round++) await run(raceOf(round));
  };

  test("servers that start at once on an empty store create one administrator, whom all of them know", async () => {
    const expectOne = (found: string[][]) => {
      expect(found[0]).toHaveLength(1);
      expect(found).toEqual(found.map(() => found[0]));
    };
    expectOne(administrators);
    for (let round = 2; round <= ROUNDS; round++) {
      const others = await startNodes(["--storage", storage, "--namespace", `round-${round}`]);
      expectOne(others.administrators);
      await stopNodes(others.nodes);
    }
  });

  for (const check of [...CHANGE_CHECKS, ...IDENTITY_CHECKS, ...EVENT_CHECKS]) {
    test(check.name, () => runAll(check));
  }

  test("a change that all servers make at once is delivered to an integration once", async () => {
    await runAll(deliveryCheck(tracker));
  });

  test("each scheduled job runs once a period, on one of the servers", async () => {
    await wait(Math.max(0, clock.four - clock.now()));
    await expectOneRunAPeriod(nodes, startedAt, clock.now);
  });

  test("after all of it, nothing was delivered twice, and the audit trail is valid", async () => {
    expect(tracker.comments.toSorted()).toEqual([...new Set(tracker.comments)].sort());
    expect(tracker.comments).toHaveLength(ROUNDS);
    await stopNodes(nodes);
    const verified = await run(["audit", "verify", "--storage", storage]);
    expect(verified.output).toContain("The trail is valid");
    const figures = Object.entries(LATENCIES).map(([what, times]) => {
      const sorted = times.splice(0).sort((a, b) => a - b);
      const [median, worst] = [sorted[sorted.length >> 1], sorted.at(-1)].map((time = 0) => Math.round(time));
      return `${what} reached every server after ${median} ms (median), ${worst} ms (worst)`;
    });
    console.log(`${ROUNDS} rounds, ${NODES} servers on ${backend.kind}: ${figures.join("; ")}`);
  });
});
