import type { Results } from "@assay/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../../testing.fixture.ts";
import { hasClickHouse, startClickHouse } from "./clickhouse.fixture.ts";
import { createTestFolder } from "./duckdb.fixture.ts";
import { createTestSchema, hasPostgres } from "./postgres.fixture.ts";
import { playEvents, simulateEvents } from "./simulated-events.fixture.ts";

/** With 14,000 users there are about 200,000 events. */
const USERS = Number(process.env.WAREHOUSE_USERS ?? 400);
const simulated = simulateEvents(USERS, 7, true);
/** Metrics whose time series are compared: one for each way to sum up a user. */
const CHARTED = [
  "Bought soon",
  "Purchases",
  "Revenue of buyers trimmed",
  "Basket",
  "Least",
  "Most",
  "Per visit trimmed",
  "Median",
];
const attributes = ["country", "city", "visits", "is_new"];
const columns = {
  assignments: {
    timestamp: "seen_at",
    experiment: "experiment",
    forced: "forced",
    received: "received_at",
    attributes,
  },
  events: {
    timestamp: "happened_at",
    value: "amount",
    experiment: "experiment",
    id: "event_id",
    received: "received_at",
  },
};
const LONG = Math.max(120_000, USERS * 40);
const tables = { assignments_table: "exposures", events_table: "happenings", columns };

/** Expects equal values. Numbers may differ by 1e-9, relative to their size if they are large. */
function expectSame(actual: unknown, expected: unknown, path = ""): void {
  if (typeof expected === "number" && typeof actual === "number") {
    expect(Math.abs(actual - expected), path).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(expected)));
  } else if (expected !== null && typeof expected === "object") {
    expect(Object.keys(actual ?? {}).sort(), path).toEqual(Object.keys(expected).sort());
    for (const [key, value] of Object.entries(expected)) {
      expectSame((actual as Record<string, unknown>)[key], value, `${path}.${key}`);
    }
  } else expect(actual, path).toBe(expected);
}

const withoutOrigin = ({ source: _, computed_at: __, ...results }: Results) => results;

/** Syncs from a connection, and compares the results with those of our own events. */
async function expectEqualResults(server: TestServer, connection: object, source: object = tables) {
  const { admin } = server;
  const { id } = await admin.request("POST /warehouse/connections", { body: connection as never });
  const tested = await admin.request("POST /warehouse/connections/test", { body: { connection_id: id } });
  expect(tested).toMatchObject({ success: true, error: null });
  const params = { experiment_id: "checkout" };
  const sync = await admin.request("POST /warehouse/sync/{experiment_id}", {
    params,
    body: { connection_id: id, ...source },
  });
  expect(sync).toMatchObject({ status: "SUCCEEDED", error: null });
  const own = await admin.request("GET /results/{experiment_id}", { params, query: { source: "EMBEDDED" } });
  const theirs = await admin.request("GET /results/{experiment_id}", { params });
  expect([own.source, theirs.source]).toEqual(["EMBEDDED", "WAREHOUSE"]);
  expectSame(withoutOrigin(theirs), withoutOrigin(own));
  return { own, sync };
}

/** Requests every kind of detail of the results. */
async function detailsOf({ admin }: TestServer) {
  const params = { experiment_id: "checkout" };
  const { metrics } = await admin.request("GET /experiments/{experiment_id}", { params });
  const charted = metrics.filter(({ name }) => CHARTED.includes(name));
  const cuped = [{}, { lookback_days: 3 }, { winsorize: true, lower_pct: 0.05, upper_pct: 0.9 }];
  const breakdowns = attributes.map((dimension) => ({ dimension }));
  const details: Record<string, unknown> = {};
  for (const query of cuped) {
    details[`cuped ${JSON.stringify(query)}`] = await admin.request("GET /results/{experiment_id}/cuped", {
      params,
      query,
    });
  }
  for (const query of breakdowns) {
    details[`by ${query.dimension}`] = await admin.request("GET /results/{experiment_id}/breakdown", { params, query });
  }
  for (const { id: metric_id, name } of charted) {
    const query = { variant: "green", metric_id };
    details[`days of ${name}`] = await admin.request("GET /results/{experiment_id}/timeseries", { params, query });
  }
  return details;
}

let server: TestServer;
/** The details from events, before any sync. */
let ownDetails: Awaited<ReturnType<typeof detailsOf>>;
let folder: Awaited<ReturnType<typeof createTestFolder>>;
beforeAll(async () => {
  folder = await createTestFolder();
  await folder.load(simulated);
  server = await createTestServer({
    warehouse: { directories: [folder.directory] },
    outbound: { allowPrivateNetworks: true },
  });
  await playEvents(server, simulated, { experiment_type: "AB_TEST", bayesian_enabled: true });
  ownDetails = await detailsOf(server);
}, LONG);
afterAll(async () => {
  await server.assay.close();
  await folder.remove();
});

describe("results from a warehouse equal those of the same events in the server", () => {
  test(
    "from tables in a DuckDB file",
    async () => {
      const { own, sync } = await expectEqualResults(server, { name: "D", type: "DUCKDB", database: folder.database });
      expectSame(await detailsOf(server), ownDetails);
      // The simulation contains the required cases.
      expect(own.crossover).toBeGreaterThan(3);
      expect(own.forced).toBeGreaterThan(3);
      expect(own.metrics).toHaveLength(42);
      expect(own.metrics.filter(({ status }) => status === "OK").length).toBeGreaterThan(20);
      expect(own.metrics.find(({ name }) => name === "Never")).toMatchObject({ control_value: 0, treatment_value: 0 });
      expect(sync.variants.map(({ users }) => users)).toEqual(own.variants.map(({ sample_size }) => sample_size));
      expect(sync.rows).toBe(own.sample_size.control + own.sample_size.treatment);
      const [days, cities, cuped] = ["days of Median", "by city", "cuped {}"].map((name) =>
        JSON.stringify(ownDetails[name]),
      );
      expect(days!.match(/"date"/g)!.length).toBeGreaterThan(20);
      expect(cities).toContain("(other)");
      expect(cuped!.match(/"status":"OK"/g)!.length).toBeGreaterThan(10);
    },
    LONG,
  );

  test("from Parquet files", async () => {
    await expectEqualResults(server, { name: "P", type: "DUCKDB", database: folder.parquet });
  });

  test("from SELECTs in place of tables", async () => {
    await expectEqualResults(
      server,
      { name: "S", type: "DUCKDB", database: folder.parquet },
      {
        assignments_sql: `SELECT user_id, variant AS arm, seen_at, experiment, forced FROM exposures WHERE variant <> ')'`,
        events_sql:
          "WITH e AS (SELECT * FROM happenings) SELECT e.* FROM e WHERE user_id IN (SELECT user_id FROM exposures)",
        columns: { ...columns, assignments: { ...columns.assignments, variant: "arm" } },
      },
    );
  });

  test("where the experiment names no metrics", async () => {
    const plain = await createTestServer({ warehouse: { directories: [folder.directory] } });
    await playEvents(plain, simulated, { metrics: [] });
    const { own } = await expectEqualResults(plain, { name: "D", type: "DUCKDB", database: folder.database });
    expect([...new Set(own.metrics.map(({ name }) => name))]).toContain("purchase_value");
    await plain.assay.close();
  });

  test.runIf(hasPostgres)(
    "from tables in PostgreSQL",
    async () => {
      const schema = await createTestSchema();
      try {
        await schema.load(simulated);
        const { sync } = await expectEqualResults(server, schema.connection);
        expectSame(await detailsOf(server), ownDetails);
        expect(sync.generated_sql).toContain(`FROM "${schema.connection.schema}"."exposures"`);
      } finally {
        await schema.remove();
      }
    },
    LONG,
  );

  test.runIf(hasClickHouse)(
    "from tables in ClickHouse",
    async () => {
      const clickhouse = await startClickHouse();
      try {
        await clickhouse.load(simulated);
        const { sync } = await expectEqualResults(server, clickhouse.connection);
        expect(sync.generated_sql).toContain("AS MATERIALIZED");
        expectSame(await detailsOf(server), ownDetails);
      } finally {
        await clickhouse.stop();
      }
    },
    LONG,
  );

  test(
    "of users in two arms of a bandit, who stay in the first",
    async () => {
      const bandit = await createTestServer({ warehouse: { directories: [folder.directory] } });
      await playEvents(bandit, simulated, { allocation: "THOMPSON" });
      const own = await detailsOf(bandit);
      const { sync } = await expectEqualResults(bandit, { name: "D", type: "DUCKDB", database: folder.database });
      expect(sync.crossover).toBeGreaterThan(3);
      expectSame(await detailsOf(bandit), own);
      await bandit.assay.close();
    },
    LONG,
  );

  describe("with values so small that some count as 0", () => {
    const tiny = simulateEvents(200, 3);
    for (const event of tiny.events) if (event.amount !== null) event.amount *= event.amount > 30 ? 1e-99 : 1e-200;

    async function withTiny(check: (own: TestServer) => Promise<void>) {
      const own = await createTestServer({
        warehouse: { directories: [tinyFolder.directory] },
        outbound: { allowPrivateNetworks: true },
      });
      await playEvents(own, tiny);
      await check(own);
      await own.assay.close();
    }
    let tinyFolder: typeof folder;
    beforeAll(async () => {
      tinyFolder = await createTestFolder();
      await tinyFolder.load(tiny);
    });
    afterAll(() => tinyFolder.remove());

    test("in DuckDB", () =>
      withTiny(async (own) => {
        await expectEqualResults(own, { name: "D", type: "DUCKDB", database: tinyFolder.database });
      }));

    test.runIf(hasPostgres)("in PostgreSQL", () =>
      withTiny(async (own) => {
        const schema = await createTestSchema();
        try {
          await schema.load(tiny);
          await expectEqualResults(own, schema.connection);
        } finally {
          await schema.remove();
        }
      }),
    );
  });
});
