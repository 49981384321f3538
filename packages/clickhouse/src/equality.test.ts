import {
  type Analyst,
  createInlineAnalyst,
  createInlineReader,
  type EngineLog,
  type EventEngine,
  encodeRecord,
  type PlacedRecord,
  type Question,
  type Subject,
} from "@assay/analysis";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { METRICS, START, SUBJECT, simulateLog } from "../../analysis/src/simulated-log.fixture.ts";
import { hasClickHouse, startClickHouse } from "../../server/src/areas/warehouse/clickhouse.fixture.ts";
import { clickhouseEvents } from "./clickhouse-events.ts";
import { expectSame } from "./same.fixture.ts";

const EVENTS = Number(process.env.CLICKHOUSE_EVENTS ?? 20_000);
const LONG = Math.max(120_000, EVENTS * 10);
const DAY = 86_400_000;

const plain: Question[] = [
  { about: "statistics", options: null },
  { about: "looks", options: { metric: null, cohorts: true } },
  { about: "looks", options: { metric: "Bought", cohorts: false, withinHours: 5 } },
  { about: "arrivals", options: null },
  { about: "counts", options: { after: 0 } },
  { about: "counts", options: { after: 300 } },
  { about: "covariates", options: { lookbackMs: 14 * DAY, winsorize: null } },
  { about: "covariates", options: { lookbackMs: 3 * DAY, winsorize: [0.05, 0.9] } },
  { about: "breakdown", options: { dimension: "country", metric: null } },
  { about: "breakdown", options: { dimension: "pro", metric: "Revenue" } },
  { about: "periods", options: { changes: [START + 4 * DAY, START + 9 * DAY], metric: null } },
];
const { metrics: _, ...unnamed } = SUBJECT;
const withoutMetrics: Subject = { ...unnamed, metrics: null };
const clustered: Subject = { ...SUBJECT, experimentId: "e-clusters", clusters: "REQUIRED" };
const baseline = {
  method: "REGRESSION",
  lookbackMs: 14 * DAY,
  covariates: ["Bought"],
  attributes: ["country"],
} as const;
const adjusted = { ...SUBJECT, baseline } as unknown as Subject;
const switchback: Subject = {
  ...{ ...SUBJECT, experimentId: "e-switch", clusters: "REQUIRED" },
  switchback: { periodMs: DAY, washoutMs: 3_600_000 },
};
const holdout: Subject = {
  ...withoutMetrics,
  experimentId: "h-1",
  variants: ["held_out", "not_held_out"],
  everyOutcome: true,
};
const strata = [
  { percentage: 20, from: START, to: START + 5 * DAY },
  { percentage: 60, from: START + 5 * DAY, to: START + 9 * DAY },
];
const rates = (["RATE", "COUNT", "MEAN"] as const).map((aggregation) => ({ eventType: "purchase", aggregation }));

const CASES: [name: string, subject: Subject, questions: Question[]][] = [
  ["an experiment", SUBJECT, plain],
  ["an experiment without metrics", withoutMetrics, plain],
  ["an experiment whose users stay in their first arm", { ...SUBJECT, keepsFirstArm: true }, plain.slice(0, 2)],
  ["an experiment that adjusts its metrics", adjusted, plain.slice(0, 2)],
  ["an experiment on clusters", clustered, plain],
  ["an experiment that may have clusters", { ...SUBJECT, clusters: "IF_KNOWN" }, plain.slice(0, 3)],
  ["a switchback", switchback, [...plain.slice(0, 2), { about: "carryOver", options: null }]],
  [
    "a holdout",
    holdout,
    [
      { about: "holdout", options: { percentage: 30, from: START, eventType: null } },
      { about: "holdout", options: { percentage: 30, from: START + 2 * DAY, eventType: "visit" } },
    ],
  ],
  [
    "a rollout",
    { ...withoutMetrics, experimentId: "flag" },
    [{ about: "rollout", options: { flagKey: "button", weights: [1], strata, named: ["user-3"], metrics: rates } }],
  ],
  [
    "pairs of experiments",
    SUBJECT,
    [
      { about: "overlaps", options: { others: [{ ...SUBJECT, experimentId: "e-2" }, clustered], metric: null } },
      { about: "overlaps", options: { others: [clustered], metric: "Bought" } },
    ],
  ],
];

/** Analysts by what they have read, because most cases ask about the same records. */
const analysts = new WeakMap<readonly PlacedRecord[], Promise<Analyst>>();

function analystOf(records: readonly PlacedRecord[]): Promise<Analyst> {
  const known = analysts.get(records) ?? loadAnalyst(records);
  analysts.set(records, known);
  return known;
}

async function loadAnalyst(records: readonly PlacedRecord[]): Promise<Analyst> {
  const analyst = createInlineAnalyst();
  const encoded = records.map(({ position, record }) => ({ position, record: encodeRecord(record) }));
  await analyst.ask("load", [], encoded);
  return analyst;
}

/** Copies records in batches of this many. */
async function copy(log: EngineLog, records: readonly PlacedRecord[], size: number): Promise<void> {
  for (let from = 0; from < records.length; from += size) {
    const some = records.slice(from, from + size);
    const { position, record } = some.at(-1)!;
    await log.append({ records: some, reached: { position, receivedAt: record.at, gaps: [] } });
  }
}

async function expectEqualAnswers(
  log: EngineLog,
  records: readonly PlacedRecord[],
  subject: Subject,
  questions: Question[],
) {
  const analyst = await analystOf(records);
  const moment = { position: records.at(-1)!.position, epoch: 0 };
  let sizes = 0;
  for (const question of questions) {
    const expected = await analyst.ask("answer", subject, question);
    expectSame(await log.answer(subject, question, moment), expected, JSON.stringify(question));
    sizes += JSON.stringify(expected).length;
  }
  return sizes;
}

describe.runIf(hasClickHouse)("ClickHouse answers as the memory of the server does", { timeout: LONG }, () => {
  const records = simulateLog(EVENTS);
  let clickhouse: Awaited<ReturnType<typeof startClickHouse>>;
  let engine: EventEngine;
  let log: EngineLog;
  beforeAll(async () => {
    clickhouse = await startClickHouse();
    engine = clickhouseEvents({ client: clickhouse.client });
    await engine.open();
    log = engine.log("one");
    await copy(log, records, 700);
    // Another server's events in the same tables.
    await copy(engine.log("two"), simulateLog(500, 3), 100);
    // Batches again, cut differently, as after a lost answer.
    await copy(log, records.slice(100, 400), 60);
    await copy(log, records.slice(-1), 1);
  }, LONG);
  afterAll(async () => {
    await log.close();
    await clickhouse.stop();
  });

  test.each(CASES)(
    "about %s",
    async (_name, subject, questions) => {
      expect(await expectEqualAnswers(log, records, subject, questions)).toBeGreaterThan(200);
    },
    LONG,
  );

  describe("without joined ids, about", () => {
    const alone = simulateLog(EVENTS, 11, false);
    let own: EngineLog;
    beforeAll(async () => {
      own = engine.log("alone");
      await copy(own, alone, 700);
      await copy(own, alone.slice(50, 250), 60);
    }, LONG);

    test.each(CASES)(
      "%s",
      async (_name, subject, questions) => {
        await expectEqualAnswers(own, alone, subject, questions);
      },
      LONG,
    );

    test("the sums of users, which ClickHouse computes", async () => {
      const queries = vi.spyOn(clickhouse.client, "query");
      const statistics: Question = { about: "statistics", options: null };
      for (const subject of [SUBJECT, withoutMetrics, { ...SUBJECT, keepsFirstArm: true as const }]) {
        await expectEqualAnswers(own, alone, subject, [statistics, plain.at(-1)!]);
      }
      expect(queries.mock.calls.filter(([{ query }]) => query.includes("RIGHT JOIN"))).toHaveLength(6);
      expect(queries.mock.calls.filter(([{ query }]) => query.includes("ORDER BY position"))).toHaveLength(0);
      queries.mockRestore();
    });
  });

  test("about what the simulation must contain", async () => {
    const analyst = await analystOf(records);
    const statistics = await analyst.ask("answer", SUBJECT, { about: "statistics", options: null });
    expect(statistics).toMatchObject({ crossover: expect.any(Number), forced: expect.any(Number) });
    const { users, crossover, forced, inferred } = statistics as Extract<typeof statistics, { forced: number }>;
    expect(Math.min(...users, crossover, forced, inferred)).toBeGreaterThan(3);
    expect(METRICS).toHaveLength(10);
  });

  test("about the records up to any position", async () => {
    const some = records.slice(0, Math.floor(records.length / 2));
    await expectEqualAnswers(log, some, SUBJECT, plain.slice(0, 6));
  });

  test("after people were erased, and after a stopped batch was left behind", async () => {
    const own = engine.log("erased");
    const kept = records.slice(0, 300);
    const end = kept.at(-1)!;
    await copy(own, kept, 50);
    const ids = [...new Set(kept.flatMap(({ record }) => record.events.map(({ userId }) => userId)))].slice(0, 40);
    const withoutIds = ({ position, record: { at, events, joins } }: PlacedRecord): PlacedRecord => ({
      position,
      record: {
        at,
        events: events.filter(({ userId }) => !ids.includes(userId)),
        joins: joins.filter(({ userId, unitId }) => !ids.includes(userId) && !ids.includes(unitId)),
      },
    });
    const without = kept.map(withoutIds);
    // The rows of the next batch arrived, and the process ended before it noted so.
    const next = records.slice(300, 330);
    await clickhouse.run(`INSERT INTO assay_events SELECT * REPLACE ('erased' AS log) FROM assay_events
WHERE log = 'one' AND kind IN ('event', 'join') AND position > ${end.position} AND position <= ${next.at(-1)!.position}`);
    await own.erase(ids);
    expect((await own.progress()).position).toBe(end.position);
    await expectEqualAnswers(own, without, SUBJECT, plain);
    await expectEqualAnswers(own, without, clustered, plain.slice(0, 2));
    // Erased from the journal too, the other events of the batch have other places.
    await copy(own, next.map(withoutIds), 10);
    await expectEqualAnswers(own, [...without, ...next.map(withoutIds)], SUBJECT, plain);
    const left = await clickhouse.client.query({
      query: `SELECT count() AS n FROM assay_events WHERE log = 'erased' AND user_id = '${ids[1]}'`,
      format: "JSONEachRow",
    });
    expect(await left.json()).toEqual([{ n: 0 }]);
    await own.close();
  });

  test("after old events were removed", async () => {
    const own = engine.log("purged");
    const kept = records.slice(0, 300);
    await copy(own, kept, 50);
    const before = kept[150]!.record.at;
    const reader = createInlineReader();
    const encoded = kept.map(({ position, record }) => ({ position, record: encodeRecord(record) }));
    await reader.ask("load", [], encoded);
    await reader.ask("beginPurge", before);
    await own.purge(before, (ids) => reader.ask("kept", ids));
    const without = kept.map(({ position, record }) =>
      record.at < before ? { position, record: { ...record, events: [] } } : { position, record },
    );
    await expectEqualAnswers(own, without, SUBJECT, plain);
    await own.close();
  });

  test("and forgets a log that is dropped", async () => {
    const own = engine.log("dropped");
    await copy(own, records.slice(0, 10), 5);
    expect((await own.progress()).position).toBe(records[9]!.position);
    await own.drop();
    expect(await own.progress()).toEqual({ position: 0, receivedAt: null, gaps: [] });
  });
});
