import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { memoryStore } from "@assay/store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";
import { createTestFolder, run } from "./duckdb.fixture.ts";
import { createTestSchema, hasPostgres } from "./postgres.fixture.ts";
import { ARMS, simulateEvents } from "./simulated-events.fixture.ts";

const simulated = simulateEvents(40);
const columns = { assignments: { timestamp: "seen_at" }, events: { timestamp: "happened_at", value: "amount" } };
const tables = { assignments_table: "exposures", events_table: "happenings", columns };
const POSTGRES = {
  name: "Shop",
  type: "POSTGRES" as const,
  host: "db.example.org",
  database: "shop",
  username: "reader",
};
const PASSWORD = "hunter2-of-the-warehouse";
/** The columns besides `user_id`. */
const REST = "'purchase' AS event_type, now() AS happened_at, 1 AS amount";
const params = { experiment_id: "checkout" };

let server: TestServer;
let folder: Awaited<ReturnType<typeof createTestFolder>>;
beforeAll(async () => {
  folder = await createTestFolder();
  await folder.load(simulated);
  server = await createTestServer({ warehouse: { directories: [folder.parquet, folder.database] } });
});
afterAll(async () => {
  await server.assay.close();
  await folder.remove();
});

const variants = ARMS.map((key) => ({ key }));
const metrics = [{ name: "Bought", event_type: "purchase", kind: "CONVERSION" as const }];

async function startExperiment(app: TestServer, body: object = {}) {
  return app.admin.request("POST /experiments/", {
    body: { key: "checkout", name: "Checkout", status: "ACTIVE", variants, metrics, ...body },
  });
}

async function connectDuckDb(app: TestServer, database: string) {
  return app.admin.request("POST /warehouse/connections", { body: { name: "D", type: "DUCKDB", database } });
}

test("a connection with results of another user changes only for their owner, its creator and ADMINs", async () => {
  const app = await createTestServer({ warehouse: { directories: [folder.parquet, folder.database] } });
  const [owner, maker, other] = [await app.as("DEVELOPER"), await app.as("DEVELOPER"), await app.as("DEVELOPER")];
  const made = await maker.request("POST /warehouse/connections", {
    body: { name: "D", type: "DUCKDB", database: folder.database },
  });
  const rename = (person: Pick<typeof other, "request">, name: string) =>
    person.request("PUT /warehouse/connections/{id}", { params: { id: made.id }, body: { name } });
  await rename(other, "Without results");
  await owner.request("POST /experiments/", {
    body: { key: "checkout", name: "Checkout", status: "ACTIVE", variants, metrics },
  });
  const body = { connection_id: made.id, ...tables };
  expect(await owner.request("POST /warehouse/sync/{experiment_id}", { params, body })).toMatchObject({
    status: "SUCCEEDED",
  });
  const isRefused = {
    status: 403,
    detail: 'Not enough permissions: owner or ADMIN required for the results of experiment "checkout"',
  };
  expect(await refusal(rename(other, "Elsewhere"))).toMatchObject(isRefused);
  const remove = () => other.request("DELETE /warehouse/connections/{id}", { params: { id: made.id } });
  expect(await refusal(remove())).toMatchObject(isRefused);
  for (const person of [owner, maker, app.admin]) await rename(person, "Moved");
  await app.assay.close();
});

describe("connections", () => {
  test("are stored, listed newest first, changed and deleted, and never show their password", async () => {
    const developer = await server.as("DEVELOPER");
    const body = {
      ...POSTGRES,
      password: PASSWORD,
      options: { ssl: "REQUIRE" as const, statement_timeout_seconds: 5 },
    };
    const made = await developer.request("POST /warehouse/connections", { body });
    expect(made).toMatchObject({
      name: "Shop",
      type: "POSTGRES",
      host: "db.example.org",
      port: null,
      schema: null,
      has_password: true,
      options: { ssl: "REQUIRE", statement_timeout_seconds: 5 },
      created_by: developer.user.id,
    });
    const second = await developer.request("POST /warehouse/connections", { body: { ...POSTGRES, name: "Second" } });
    expect(second.has_password).toBe(false);
    const listed = await developer.request("GET /warehouse/connections");
    expect(listed.items.map(({ name }) => name).slice(0, 2)).toEqual(["Second", "Shop"]);

    const byId = { params: { id: made.id } };
    const changed = await developer.request("PUT /warehouse/connections/{id}", {
      ...byId,
      body: { name: "Shop 2", schema: "sales", options: { ssl: "REQUIRE" } },
    });
    expect(changed).toMatchObject({ name: "Shop 2", schema: "sales", options: { ssl: "REQUIRE" }, has_password: true });
    const cleared = await developer.request("PUT /warehouse/connections/{id}", { ...byId, body: { password: null } });
    expect(cleared.has_password).toBe(false);
    const viewer = await server.as("VIEWER");
    expect(await viewer.request("GET /warehouse/connections/{id}", byId)).toEqual(cleared);

    await developer.request("DELETE /warehouse/connections/{id}", byId);
    expect(await refusal(viewer.request("GET /warehouse/connections/{id}", byId))).toMatchObject({ status: 404 });
    const trail = await server.send("GET", "/audit-logs/?resource_type=warehouse_connection&limit=100", {
      headers: await bearer(server),
    });
    expect(trail.json.total).toBe(5);
    expect(trail.text).not.toContain(PASSWORD);
  });

  test("keep their password encrypted in the store, and decrypt it after a restart", async () => {
    const store = memoryStore();
    const first = await createTestServer({ storage: { ...store, close: async () => {} } });
    const body = { ...POSTGRES, host: "127.0.0.1", password: PASSWORD };
    const { id } = await first.admin.request("POST /warehouse/connections", { body });
    await first.assay.close();
    const stored = (await store.list("")).map(({ value }) => Buffer.from(value).toString("utf8")).join("\n");
    expect(stored).toContain('"name":"Shop"');
    expect(stored).not.toContain(PASSWORD);
    const second = await createTestServer({ storage: store });
    const tested = await second.admin.request("POST /warehouse/connections/test", { body: { connection_id: id } });
    expect(tested.success).toBe(false);
    expect(tested.error).not.toMatch(/secret|key/);
    await second.assay.close();
  });

  test.each([
    [{ ...POSTGRES, host: undefined }, ["body", "host"], "POSTGRES needs a host"],
    [{ ...POSTGRES, database: null }, ["body", "database"], "POSTGRES needs a database"],
    [{ ...POSTGRES, username: undefined }, ["body", "username"], "POSTGRES needs a username"],
    [{ ...POSTGRES, type: "CLICKHOUSE", host: null }, ["body", "host"], "CLICKHOUSE needs a host"],
    [
      { ...POSTGRES, type: "CLICKHOUSE", schema: "shop" },
      ["body", "schema"],
      "CLICKHOUSE has databases and no schema; give the database",
    ],
    [{ name: "D", type: "DUCKDB" }, ["body", "database"], "DUCKDB needs a database"],
    [{ name: "D", type: "DUCKDB", database: "shop.duckdb" }, ["body", "database"], "Expected an absolute path"],
    [
      { name: "D", type: "DUCKDB", database: "/x", password: "p" },
      ["body", "password"],
      "DUCKDB is a file and has no password",
    ],
    [{ ...POSTGRES, name: "Shop\u0007" }, ["body", "name"], "Control characters are not allowed"],
    [
      { ...POSTGRES, options: { sll: "REQUIRE" } },
      ["body", "options", "sll"],
      'Unknown key "sll"; did you mean "ssl"?',
    ],
  ])("rejects %o", async (body, loc, msg) => {
    const { status, issues, detail } = await refusal(
      server.admin.request("POST /warehouse/connections", { body: body as never }),
    );
    expect(status).toBe(422);
    expect(issues ?? detail).toMatchObject([{ loc, msg }]);
  });

  test.each(["/var/run/postgresql", "host name", "a;b", "-x", "http://a"])("rejects the host %j", async (host) => {
    const { status } = await refusal(
      server.admin.request("POST /warehouse/connections", { body: { ...POSTGRES, host } }),
    );
    expect(status).toBe(422);
  });

  test("never send a stored password to another host, or with less protection", async () => {
    const body = { ...POSTGRES, password: PASSWORD };
    const { id } = await server.admin.request("POST /warehouse/connections", { body });
    const change = (body: object) => server.admin.request("PUT /warehouse/connections/{id}", { params: { id }, body });
    for (const elsewhere of [{ host: "evil.example.org" }, { port: 1234 }, { options: { ssl: "DISABLE" } }]) {
      expect(await refusal(change(elsewhere))).toMatchObject({ status: 422 });
      expect(await change({ ...elsewhere, host: "db.example.org", port: 5432, options: {} })).toMatchObject({ id });
    }
    const clickhouse = await server.admin.request("POST /warehouse/connections", {
      body: { ...body, type: "CLICKHOUSE" },
    });
    const at = { params: { id: clickhouse.id } };
    for (const port of [5432, 8123]) {
      expect(
        await refusal(server.admin.request("PUT /warehouse/connections/{id}", { ...at, body: { port } })),
      ).toMatchObject({ status: 422 });
    }
    await server.admin.request("PUT /warehouse/connections/{id}", { ...at, body: { port: 8443 } });
    expect(await refusal(change({ type: "DUCKDB" }))).toMatchObject({ status: 422 });
    expect(await change({ host: "new.example.org", password: "new" })).toMatchObject({ host: "new.example.org" });
  });
});

describe("a test of a connection", () => {
  const tested = (app: TestServer, body: object) =>
    app.admin.request("POST /warehouse/connections/test", { body: body as never });

  test("reports the reason of a failure, and is never a server error", async () => {
    expect(await tested(server, { type: "POSTGRES", host: "127.0.0.1", database: "d", username: "u" })).toMatchObject({
      success: false,
      error: "The server does not connect to this private address; see warehouse.hosts (ASSAY_WAREHOUSE_HOSTS)",
    });
    expect(await tested(server, { ...POSTGRES, type: "CLICKHOUSE", host: "127.0.0.1" })).toMatchObject({
      success: false,
      error: "The server does not connect to this private address; see warehouse.hosts (ASSAY_WAREHOUSE_HOSTS)",
    });
    expect(
      await tested(server, { type: "POSTGRES", host: "no-such-host.invalid", database: "d", username: "u" }),
    ).toMatchObject({ success: false, error: "The host name cannot be resolved" });
    const open = await createTestServer({ warehouse: { hosts: ["127.0.0.1"] } });
    expect(
      await tested(open, { type: "POSTGRES", host: "127.0.0.1", port: 1, database: "d", username: "u" }),
    ).toMatchObject({ success: false, error: "The host refused the connection" });
    await open.assay.close();
    expect(await refusal(tested(server, {}))).toMatchObject({ status: 422 });
    expect(await refusal(tested(server, { connection_id: "018f0000-0000-7000-8000-000000000000" }))).toMatchObject({
      status: 404,
    });
  });

  test("uses a stored connection with the changes in the request, and stores nothing", async () => {
    const { port, logins, close } = await startPasswordListener();
    const open = await createTestServer({ warehouse: { hosts: ["127.0.0.1"] } });
    const stored = { ...POSTGRES, host: "127.0.0.1", port, password: PASSWORD, options: { ssl: "DISABLE" as const } };
    const { id } = await open.admin.request("POST /warehouse/connections", { body: stored });
    const attempt = (body: object) => tested(open, { connection_id: id, ...body });
    expect(await attempt({})).toMatchObject({ success: false, error: expect.stringMatching(/password/i) });
    await attempt({ password: "another" });
    await attempt({ password: null });
    await attempt({ username: "writer", database: "other" });
    expect(logins).toEqual([
      { user: "reader", database: "shop", password: PASSWORD },
      { user: "reader", database: "shop", password: "another" },
      { user: "reader", database: "shop", password: "" },
      { user: "writer", database: "other", password: PASSWORD },
    ]);
    // If the stored password would be sent to another host, it must be given again.
    for (const moved of [{ host: "db.example.org" }, { port: 1 }, { options: { ssl: "REQUIRE" } }]) {
      expect(await refusal(attempt(moved))).toMatchObject({ status: 422, issues: [{ loc: ["body", "password"] }] });
    }
    expect(await refusal(attempt({ type: "DUCKDB" }))).toMatchObject({
      status: 422,
      issues: [{ loc: ["body", "type"] }],
    });
    await attempt({});
    expect(logins.at(-1)).toEqual({ user: "reader", database: "shop", password: PASSWORD });
    await open.assay.close();
    await close();
  });

  test("opens files only in the allowed directories, and reveals nothing outside", async () => {
    await writeFile(join(folder.directory, "secret.parquet"), "");
    const refused = "The file or folder does not exist in a directory that the server allows";
    for (const database of [
      folder.directory,
      join(folder.directory, "secret.parquet"),
      "/etc/passwd",
      "/no/such/file",
      join(folder.parquet, "..", "secret.parquet"),
    ]) {
      expect(await tested(server, { type: "DUCKDB", database })).toMatchObject({ success: false, error: refused });
    }
    expect(await tested(server, { type: "DUCKDB", database: folder.parquet })).toMatchObject({
      success: true,
      error: null,
    });
    expect(await tested(server, { type: "DUCKDB", database: folder.database })).toMatchObject({ success: true });
    const closed = await createTestServer();
    expect(await tested(closed, { type: "DUCKDB", database: folder.parquet })).toMatchObject({
      error: "The server allows no directory; set warehouse.directories",
    });
    await closed.assay.close();
  });
});

describe("a sync", () => {
  let app: TestServer;
  let connection_id: string;
  const sync = (body: object) =>
    app.admin.request("POST /warehouse/sync/{experiment_id}", { params, body: { connection_id, ...tables, ...body } });

  beforeAll(async () => {
    app = await createTestServer({ warehouse: { directories: [folder.directory] } });
    connection_id = (await connectDuckDb(app, folder.parquet)).id;
    await startExperiment(app);
  });
  afterAll(() => app.assay.close());

  test("is rejected if its settings contradict each other", async () => {
    const refused: [object, string][] = [
      [{ assignments_table: 'a"; DROP TABLE x' }, "assignments_table"],
      [{ assignments_table: "a.b.c.d" }, "assignments_table"],
      [{ columns: { events: { value: "amount) FROM x" } } }, "columns"],
      [{ columns: { events: { valeu: "amount" } } }, "columns"],
      [{ events_sql: "SELECT 1" }, "events_table"],
      [{ events_table: undefined }, "events_table"],
      [{ connection_id: "018f0000-0000-7000-8000-000000000000" }, "connection_id"],
      [{ start_date: "2026-02-01", end_date: "2026-01-01" }, "end_date"],
    ];
    for (const [body, field] of refused) {
      const { status, issues, detail } = await refusal(sync(body));
      expect([status, ((issues ?? detail) as { loc: string[] }[])[0]!.loc[1]]).toEqual([422, field]);
    }
  });

  test.each([
    "DELETE FROM happenings",
    "SELECT 1; SELECT 2",
    "SELECT 1) AS x, (SELECT 2",
    "SELECT 1 -- )",
    "SELECT /* ( */ 1",
    "SELECT 'it",
    "SELECT E'\\') , ('",
    "SELECT $$x$$",
    "SELECT (1",
    "COPY happenings TO 'x'",
  ])("rejects %j, which is not a SELECT", async (events_sql) => {
    const { status, issues, detail } = await refusal(sync({ events_table: undefined, events_sql }));
    expect(status).toBe(422);
    expect(issues ?? detail).toMatchObject([{ loc: ["body", "events_sql"], type: "select" }]);
  });

  test.each([
    ["SELECT * FROM read_csv('/etc/passwd')", "The query may not read that"],
    ["SELECT * FROM read_text('/proc/self/environ')", "The query may not read that"],
    ["SELECT * FROM 'http://127.0.0.1:1/x.parquet'", "The query may not read that"],
    ["SELECT * FROM glob('/*')", "The query may not read that"],
    ["SELECT * FROM nowhere", "The query cannot be run: Catalog Error: Table with name nowhere does not exist!"],
    [
      "SELECT user_id, event_type, event_type AS happened_at, amount FROM happenings",
      "A value does not have the type of its column",
    ],
  ])("of %j fails with a reason that contains no data", async (events_sql, error) => {
    expect(await sync({ events_table: undefined, events_sql })).toMatchObject({ status: "FAILED", error, rows: 0 });
  });

  test("that fails keeps the results; one that succeeds replaces them", async () => {
    const get = (source?: "EMBEDDED" | "WAREHOUSE") =>
      app.admin.request("GET /results/{experiment_id}", { params, query: source ? { source } : {} });
    await sync({ assignments_table: "nowhere" });
    expect(await get()).toMatchObject({ source: "EMBEDDED", sample_size: { control: 0 } });
    expect(await refusal(get("WAREHOUSE"))).toMatchObject({ status: 422 });
    expect(await sync({})).toMatchObject({ status: "SUCCEEDED" });
    const first = await get();
    expect(first).toMatchObject({ source: "WAREHOUSE" });
    expect(first.sample_size.control).toBeGreaterThan(0);
    await sync({ events_table: "nowhere" });
    expect(await get()).toEqual(first);
    const viewer = await app.as("VIEWER");
    expect(await viewer.request("GET /results/{experiment_id}", { params })).toEqual(first);
    expect(await get("EMBEDDED")).toMatchObject({ source: "EMBEDDED", sample_size: { control: 0, treatment: 0 } });
  });

  test("uses only the requested period", async () => {
    const all = await sync({});
    const early = await sync({ end_date: "2026-01-24" });
    const late = await sync({ start_date: "2026-01-24" });
    expect(early.rows).toBeGreaterThan(0);
    expect(late.rows).toBeGreaterThan(0);
    expect(early.rows).toBeLessThan(all.rows);
    expect(late.generated_sql).toContain("2026-01-24T00:00:00.000Z");
  });

  test("of a DRAFT or an unknown experiment is rejected, and so is a VIEWER", async () => {
    await startExperiment(app, { key: "draft", status: "DRAFT" });
    const body = { connection_id, ...tables };
    const of = (experiment_id: string) =>
      refusal(app.admin.request("POST /warehouse/sync/{experiment_id}", { params: { experiment_id }, body }));
    expect(await of("draft")).toMatchObject({ status: 400 });
    expect(await of("nothing")).toMatchObject({ status: 404 });
    const analyst = await app.as("ANALYST");
    expect(await refusal(analyst.request("POST /warehouse/sync/{experiment_id}", { params, body }))).toMatchObject({
      status: 403,
    });
  });

  test("says of rows that only events could adjust that they are not adjusted", async () => {
    await startExperiment(app, { key: "adjusted", variance_reduction: { method: "CUPED", lookback_days: 14 } });
    const at = { params: { experiment_id: "adjusted" } };
    await app.admin.request("POST /warehouse/sync/{experiment_id}", { ...at, body: { connection_id, ...tables } });
    const [row] = (await app.admin.request("GET /results/{experiment_id}", at)).metrics;
    expect(row).toMatchObject({
      test: "TWO_PROPORTION_SCORE",
      adjustment: { status: "NOT_AVAILABLE", covariates: [] },
    });
    const [looked] = (await app.admin.request("GET /results/{experiment_id}/sequential", at)).metrics;
    expect(looked!.adjustment).toEqual(row!.adjustment);
  });

  test("answers details from the warehouse, and keeps them until the next sync", async () => {
    const own = await createTestFolder();
    await own.load(simulated);
    const server = await createTestServer({ warehouse: { directories: [own.directory] } });
    await startExperiment(server, { key: "detailed" });
    const at = { params: { experiment_id: "detailed" } };
    const { id } = await connectDuckDb(server, own.database);
    const resync = () =>
      server.admin.request("POST /warehouse/sync/{experiment_id}", { ...at, body: { connection_id: id, ...tables } });
    expect(await resync()).toMatchObject({ status: "SUCCEEDED" });
    const cuped = () => server.admin.request("GET /results/{experiment_id}/cuped", at);
    const first = await cuped();
    expect(first.metrics[0]).toMatchObject({ metric: "Bought", variant: "blue" });
    expect(first.metrics[0]!.covered_users).toBeGreaterThan(0);
    const viewer = await server.as("VIEWER");
    const days = await viewer.request("GET /results/{experiment_id}/timeseries", at);
    expect(days.days.length).toBeGreaterThan(1);
    await run(own.database, ["DELETE FROM happenings"]);
    expect(await cuped()).toEqual(first);
    await resync();
    expect((await cuped()).metrics[0]).toMatchObject({ covered_users: 0 });
    await own.remove();
    const query = { lookback_days: 3 };
    expect(await refusal(server.admin.request("GET /results/{experiment_id}/cuped", { ...at, query }))).toMatchObject({
      status: 409,
      detail: "The warehouse cannot answer: The file or folder does not exist in a directory that the server allows",
    });
    await server.admin.request("DELETE /warehouse/connections/{id}", { params: { id } });
    expect(
      await refusal(
        server.admin.request("GET /results/{experiment_id}/timeseries", {
          ...at,
          query: { variant: "green" },
        }),
      ),
    ).toMatchObject({ status: 409, detail: "The connection of the last sync does not exist; sync from another one" });
    // What is already known stays.
    expect((await cuped()).metrics).toHaveLength(2);
    await server.assay.close();
  });

  test("shows only segments of columns that it names", async () => {
    await startExperiment(app, { key: "segmented" });
    const at = { params: { experiment_id: "segmented" } };
    const by = (dimension: string) =>
      app.admin.request("GET /results/{experiment_id}/breakdown", { ...at, query: { dimension } });
    const resync = (attributes?: string[]) =>
      app.admin.request("POST /warehouse/sync/{experiment_id}", {
        ...at,
        body: { connection_id, ...tables, columns: { ...columns, assignments: { timestamp: "seen_at", attributes } } },
      });
    await resync();
    for (const dimension of ["country", "user_id", 'country" FROM x; --']) {
      expect(await refusal(by(dimension))).toMatchObject({
        status: 422,
        issues: [{ loc: ["query", "dimension"], type: "unknown_dimension" }],
      });
    }
    await resync(["country"]);
    expect(new Set((await by("country")).segments.map(({ segment }) => segment))).toContain("(unknown)");
    expect(await refusal(by("user_id"))).toMatchObject({ status: 422 });
    expect(await refusal(resync(['country" FROM x']))).toMatchObject({ status: 422 });
  });

  test("warns that users who were drawn by company are compared as if each were drawn alone", async () => {
    await startExperiment(app, { key: "companies", metrics, bucket_by: "company" });
    const at = { params: { experiment_id: "companies" } };
    await app.admin.request("POST /warehouse/sync/{experiment_id}", { ...at, body: { connection_id, ...tables } });
    const results = await app.admin.request("GET /results/{experiment_id}", at);
    const sequential = await app.admin.request("GET /results/{experiment_id}/sequential", at);
    for (const { analysis_warnings } of [results, sequential]) {
      expect(analysis_warnings).toContain("UNITS_NOT_INDEPENDENT");
    }
  });

  test("adds a daily look to the sequential test, as long as its source is the same", async () => {
    const looks = async () => {
      const { metrics } = await app.admin.request("GET /results/{experiment_id}/sequential", { params });
      return metrics[0]!.looks.map(({ date }) => date);
    };
    await sync({});
    await sync({});
    expect(await looks()).toEqual(["2026-03-01"]);
    app.advance(24 * 3_600_000);
    await sync({});
    expect(await looks()).toEqual(["2026-03-01", "2026-03-02"]);
    await app.admin.request("PUT /experiments/{experiment_id}", {
      params,
      body: { metrics: [{ ...metrics[0]!, name: "Paid" }] },
    });
    const stale = await app.admin.request("GET /results/{experiment_id}", { params });
    expect(stale.analysis_warnings).toEqual(["METRICS_CHANGED_SINCE_SYNC"]);
    await sync({});
    expect(await looks()).toEqual(["2026-03-02"]);
  });

  test("keeps its results when its connection is deleted", async () => {
    const before = await sync({});
    await app.admin.request("DELETE /warehouse/connections/{id}", { params: { id: connection_id } });
    expect(await refusal(sync({}))).toMatchObject({ status: 422 });
    const results = await app.admin.request("GET /results/{experiment_id}", { params });
    expect(results.sample_size.control + results.sample_size.treatment).toBe(before.rows);
  });
});

describe.runIf(hasPostgres)("PostgreSQL", () => {
  let app: TestServer;
  let schema: Awaited<ReturnType<typeof createTestSchema>>;
  let connection_id: string;
  beforeAll(async () => {
    schema = await createTestSchema();
    await schema.load(simulated);
    app = await createTestServer({ outbound: { allowPrivateNetworks: true } });
    const body = { ...schema.connection, options: { ssl: "DISABLE" as const, statement_timeout_seconds: 1 } };
    connection_id = (await app.admin.request("POST /warehouse/connections", { body })).id;
    await startExperiment(app);
  });
  afterAll(async () => {
    await app.assay.close();
    await schema.remove();
  });

  test.each([
    ["WITH gone AS (DELETE FROM happenings RETURNING *) SELECT * FROM gone", /refused \(0A000\)/],
    [`SELECT nextval('numbers')::text AS user_id, ${REST}`, /read-only/],
    [`SELECT set_config('transaction_read_only', 'off', true) AS user_id, ${REST}`, /refused \(25001\)/],
    [`SELECT pg_sleep(5)::text AS user_id, ${REST}`, /took too long \(1 s\)/],
    [
      "SELECT user_id, event_type, event_type AS happened_at, amount FROM happenings",
      /^A value does not have the type of its column/,
    ],
    ["SELECT * FROM nowhere", /relation "nowhere" does not exist/],
  ])("runs %j safely", async (events_sql, error) => {
    await schema.client.query("CREATE SEQUENCE IF NOT EXISTS numbers");
    const count = async () => (await schema.client.query("SELECT count(*)::int AS n FROM happenings")).rows[0].n;
    const before = await count();
    const { events_table: _, ...assignments } = tables;
    const answer = await app.admin.request("POST /warehouse/sync/{experiment_id}", {
      params,
      body: { connection_id, ...assignments, events_sql },
    });
    expect(answer.status).toBe("FAILED");
    expect(answer.error).toMatch(error);
    expect(await count()).toBe(before);
  });

  test("reports wrong credentials, a wrong database and wrong TLS", async () => {
    const { host, port, database, username } = schema.connection;
    const attempt = (body: object) =>
      app.admin.request("POST /warehouse/connections/test", {
        body: { type: "POSTGRES", host, port, database, username, options: { ssl: "DISABLE" }, ...body },
      });
    expect(await attempt({ database: "no_such_database" })).toMatchObject({ success: false });
    expect(await attempt({ username: "no_such_user" })).toMatchObject({ success: false });
    const secured = await attempt({ options: {} });
    expect(secured).toMatchObject({ success: false });
    expect(secured.error).toMatch(/TLS|certificate/);
  });
});

/** Starts a server that speaks PostgreSQL up to the clear-text password, and then rejects it. */
async function startPasswordListener() {
  const logins: { user: string | undefined; database: string | undefined; password: string }[] = [];
  const listener = createServer((socket) => {
    let startup: string[] | null = null;
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      if (startup === null) {
        startup = bytes.subarray(8).toString("utf8").split("\0");
        return void socket.write(Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 3]));
      }
      if (bytes[0] !== 112) return void socket.end();
      const after = (name: string) => startup?.[startup.indexOf(name) + 1];
      const password = bytes.subarray(5, -1).toString("utf8");
      logins.push({ user: after("user"), database: after("database"), password });
      const text = Buffer.from("SFATAL\0C28P01\0Mpassword authentication failed\0\0");
      const head = Buffer.alloc(5, "E");
      head.writeUInt32BE(text.length + 4, 1);
      socket.end(Buffer.concat([head, text]));
    });
  }).listen(0, "127.0.0.1");
  await once(listener, "listening");
  const close = () => new Promise<void>((resolve) => listener.close(() => resolve()));
  return { port: (listener.address() as AddressInfo).port, logins, close };
}

async function bearer(app: TestServer) {
  const { json } = await app.send("POST", "/auth/login", {
    body: { username: "admin", password: "correct horse battery" },
  });
  return { authorization: `Bearer ${json.access_token}` };
}
