import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createAssay } from "@assay/server";
import { ClickHouseLogLevel, createClient } from "@clickhouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasClickHouse, startClickHouse } from "../../server/src/areas/warehouse/clickhouse.fixture.ts";
import { clickhouseEvents } from "./clickhouse-events.ts";
import { createStatements } from "./layout.ts";

const silent = { info() {}, warn() {}, error() {} };

/** Opens a server with an engine, and returns why it does not start. */
async function refusalOf(url: string, password = "hunter2"): Promise<string> {
  const client = createClient({ url, username: "reader", password, log: { level: ClickHouseLogLevel.OFF } });
  const assay = createAssay({ events: clickhouseEvents({ client }), logger: silent });
  try {
    await assay.ready;
    return "started";
  } catch (error) {
    return (error as Error).message;
  } finally {
    await assay.close();
  }
}

describe("a server does not start", () => {
  async function refusalOfAnswers(answers: Record<string, object[]>): Promise<string> {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const sql = Buffer.concat(chunks).toString();
      const [, rows = []] = Object.entries(answers).find(([part]) => sql.includes(part)) ?? [];
      response.end(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    });
    server.listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    try {
      return await refusalOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  test("on a ClickHouse that is too old", async () => {
    expect(await refusalOfAnswers({ "version()": [{ version: "18.16.1" }] })).toBe(
      "ClickHouse 18.16.1 is too old; update it to 24.3 or later",
    );
    expect(await refusalOfAnswers({ "version()": [{ version: "24.2.3.4" }] })).toContain("is too old");
  });

  test("with a ClickHouse user who may only read", async () => {
    const answers = { "version()": [{ version: "25.3.1" }], readonly: [{ value: "1" }] };
    expect(await refusalOfAnswers(answers)).toBe(
      "The ClickHouse user may only read; set readonly = 0 in their profile",
    );
  });
});

test("the tables of a cluster are replicated and distributed by user", () => {
  const [schema, local, distributed] = createStatements({ database: "assay", cluster: "main", isReplicated: true });
  expect(schema).toContain("CREATE TABLE IF NOT EXISTS `assay`.`assay_schema` ON CLUSTER `main`");
  expect(local).toContain("`assay`.`assay_events_local` ON CLUSTER `main`");
  expect(local).toContain(
    "ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/assay_events_local', '{replica}')",
  );
  expect(distributed).toContain("ENGINE = Distributed(`main`, 'assay', 'assay_events_local', cityHash64(user_id))");
});

describe.runIf(hasClickHouse)("a server with events in ClickHouse does not start", () => {
  let clickhouse: Awaited<ReturnType<typeof startClickHouse>>;
  const url = () => `http://127.0.0.1:${clickhouse.connection.port}`;
  beforeAll(async () => {
    clickhouse = await startClickHouse();
  });
  afterAll(() => clickhouse.stop());

  test("with a wrong password", async () => {
    expect(await refusalOf(url(), "wrong")).toBe(
      "ClickHouse refuses the username or password; check the credentials of the client",
    );
  });

  test("on tables of a later version, which it leaves alone", async () => {
    expect(await refusalOf(url())).toBe("started");
    expect(await refusalOf(url())).toBe("started");
    await clickhouse.run("INSERT INTO assay_schema (version) VALUES (2)");
    expect(await refusalOf(url())).toBe(
      "The tables in ClickHouse are of version 2, and this version of Assay knows version 1; update Assay",
    );
    await clickhouse.run("ALTER TABLE assay_schema DELETE WHERE version = 2 SETTINGS mutations_sync = 2");
  });

  test("on a table of another layout", async () => {
    await clickhouse.run(
      "ALTER TABLE assay_events MODIFY COLUMN metadata Nullable(String) SETTINGS mutations_sync = 2",
    );
    expect(await refusalOf(url())).toBe(
      "The ClickHouse table assay_events has another layout: its column metadata has the type Nullable(String), not String; " +
        "use another database, or drop the table; the server then copies the events again",
    );
    await clickhouse.run("DROP TABLE assay_events");
    await clickhouse.run("CREATE TABLE assay_events (log String) ENGINE = MergeTree ORDER BY log");
    expect(await refusalOf(url())).toContain("its column log has the type String, not LowCardinality(String)");
    await clickhouse.run("DROP TABLE assay_events");
    expect(await refusalOf(url())).toBe("started");
  });
});
