import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../../testing.fixture.ts";
import { hasClickHouse, startClickHouse } from "./clickhouse.fixture.ts";
import { ARMS, simulateEvents } from "./simulated-events.fixture.ts";

const params = { experiment_id: "checkout" };
const columns = { assignments: { timestamp: "seen_at" }, events: { timestamp: "happened_at", value: "amount" } };
const CLICKHOUSE = {
  type: "CLICKHOUSE" as const,
  host: "127.0.0.1",
  database: "shop",
  username: "reader",
  password: "hunter2",
  options: { ssl: "DISABLE" as const },
};

const tested = (app: TestServer, body: object) =>
  app.admin.request("POST /warehouse/connections/test", { body: body as never });

/** Answers each request over HTTP with the next of these bodies, and the last one again; notes what it was asked. */
async function startListener(answers: { status?: number; code?: string; body: string }[]) {
  const asked: { url: URL; sql: string; user: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const [, basic = ""] = (request.headers.authorization ?? "").split(" ");
    const user = Buffer.from(basic, "base64").toString();
    asked.push({ url: new URL(request.url ?? "", "http://localhost"), sql: Buffer.concat(chunks).toString(), user });
    const { status = 200, code, body } = answers[Math.min(asked.length, answers.length) - 1]!;
    response.writeHead(status, code ? { "x-clickhouse-exception-code": code } : {});
    response.end(body);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { port: (server.address() as AddressInfo).port, asked, close };
}

const settingsRows = (names: string[]) => ({
  body: names
    .map((name) => JSON.stringify({ name, value: "0" }))
    .map((row) => `${row}\n`)
    .join(""),
});
const STANDARD = ["join_use_nulls", "aggregate_functions_null_for_empty", "prefer_column_name_to_alias", "readonly"];

describe("a connection to ClickHouse", () => {
  let app: TestServer;
  beforeAll(async () => {
    app = await createTestServer({ warehouse: { hosts: ["127.0.0.1", "localhost"] } });
  });
  afterAll(() => app.assay.close());

  test("sends its credentials, a time-out and only settings that the server knows, and may only read", async () => {
    const { port, asked, close } = await startListener([
      settingsRows([...STANDARD, "enable_materialized_cte"]),
      { body: '{"one":1}\n' },
    ]);
    const options = { ssl: "DISABLE", statement_timeout_seconds: 7 };
    expect(await tested(app, { ...CLICKHOUSE, host: "localhost", port, options })).toMatchObject({ success: true });
    expect(asked.map(({ user }) => user)).toEqual(["reader:hunter2", "reader:hunter2"]);
    const [, last] = asked;
    expect(last!.sql).toContain("SELECT 1 AS one");
    const sent = Object.fromEntries(last!.url.searchParams);
    expect(sent).toMatchObject({
      database: "shop",
      max_execution_time: "7",
      readonly: "2",
      join_use_nulls: "1",
      enable_materialized_cte: "1",
    });
    expect(sent).not.toHaveProperty("cast_string_to_date_time_mode");
    await close();
  });

  test.each([
    [settingsRows(["readonly"]), "The ClickHouse server is too old: it cannot read standard SQL"],
    [
      {
        body: [...STANDARD.slice(0, 3), "readonly"]
          .map((name) => JSON.stringify({ name, value: "1" }))
          .map((row) => `${row}\n`)
          .join(""),
      },
      "The user may not change settings; set readonly = 2 in their profile",
    ],
    [
      {
        status: 403,
        code: "516",
        body: "Code: 516. DB::Exception: reader: Authentication failed. (AUTHENTICATION_FAILED)",
      },
      "The username or password is wrong",
    ],
    [
      { status: 500, code: "999", body: "Code: 999. DB::Exception: secret data in here. (KEEPER_EXCEPTION)" },
      "The warehouse refused (KEEPER_EXCEPTION)",
    ],
    [{ status: 302, body: "elsewhere" }, "The connection to the host failed"],
    [{ body: "<html>\n" }, "The connection to the host failed"],
  ])("reports %j as a reason without data", async (answer, error) => {
    const { port, close } = await startListener([answer]);
    expect(await tested(app, { ...CLICKHOUSE, port })).toMatchObject({ success: false, error });
    await close();
  });

  test("reports a host without TLS and a closed port", async () => {
    const { port, close } = await startListener([{ body: "" }]);
    const options = { ssl: "REQUIRE" };
    expect(await tested(app, { ...CLICKHOUSE, port, options })).toMatchObject({
      error: "The connection to the host failed",
    });
    await close();
    expect(await tested(app, { ...CLICKHOUSE, port })).toMatchObject({ error: "The host refused the connection" });
  });
});

describe.runIf(hasClickHouse)("a sync from ClickHouse", () => {
  let app: TestServer;
  let clickhouse: Awaited<ReturnType<typeof startClickHouse>>;
  let connection_id: string;
  const sync = (body: object) =>
    app.admin.request("POST /warehouse/sync/{experiment_id}", {
      params,
      body: { connection_id, assignments_table: "exposures", events_table: "happenings", columns, ...body },
    });
  beforeAll(async () => {
    clickhouse = await startClickHouse();
    await clickhouse.load(simulateEvents(40));
    app = await createTestServer({ warehouse: { hosts: ["127.0.0.1"] } });
    connection_id = (await app.admin.request("POST /warehouse/connections", { body: clickhouse.connection })).id;
    const variants = ARMS.map((key) => ({ key }));
    const metrics = [{ name: "Bought", event_type: "purchase", kind: "CONVERSION" as const }];
    await app.admin.request("POST /experiments/", {
      body: { key: "checkout", name: "Checkout", status: "ACTIVE", variants, metrics },
    });
  }, 60_000);
  afterAll(async () => {
    await app.assay.close();
    await clickhouse.stop();
  });

  test("reads tables of the connection's database and of others, and only the requested period", async () => {
    const all = await sync({});
    expect(all).toMatchObject({ status: "SUCCEEDED", error: null });
    expect(await sync({ events_table: "default.happenings" })).toMatchObject({ rows: all.rows });
    const early = await sync({ end_date: "2026-01-24" });
    expect(early.rows).toBeGreaterThan(0);
    expect(early.rows).toBeLessThan(all.rows);
  });

  const rest = "'purchase' AS event_type, now() AS happened_at, 1 AS amount";
  test.each([
    ["SELECT * FROM nowhere", /^The query cannot be run: .*nowhere/],
    [`SELECT nothing AS user_id, ${rest}`, /^The query cannot be run: .*nothing/],
    [
      "SELECT user_id, event_type, event_type AS happened_at, amount FROM happenings",
      /^A value does not have the type/,
    ],
    [`SELECT toString(sleepEachRow(2)) AS user_id, ${rest} FROM numbers(4)`, /^The query took too long \(1 s\)$/],
  ])("reports the reason of a failure of %j", async (events_sql, error) => {
    const options = { ssl: "DISABLE" as const, statement_timeout_seconds: 1 };
    await app.admin.request("PUT /warehouse/connections/{id}", { params: { id: connection_id }, body: { options } });
    expect(await sync({ events_table: undefined, events_sql })).toMatchObject({
      status: "FAILED",
      error: expect.stringMatching(error),
    });
  });
});
