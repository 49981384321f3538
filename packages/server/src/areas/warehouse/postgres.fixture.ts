import { randomBytes } from "node:crypto";
import pg from "pg";
import { expect } from "vitest";
import type { SimulatedEvents } from "./simulated-events.fixture.ts";

const { ASSAY_TEST_POSTGRES: URL_OF_SERVER, CI } = process.env;

/** Whether PostgreSQL is available for tests. Required in CI. */
export const hasPostgres = URL_OF_SERVER !== undefined || CI === "true";
if (!hasPostgres) {
  console.log(
    "Skipped: tests with PostgreSQL (set ASSAY_TEST_POSTGRES, such as postgres://assay:assay@127.0.0.1:5432/assay)",
  );
}

/** Creates a separate schema in the test database, and its connection. */
export async function createTestSchema() {
  expect(URL_OF_SERVER, "CI needs ASSAY_TEST_POSTGRES").toBeDefined();
  const url = new URL(URL_OF_SERVER!);
  const schema = `assay_test_${randomBytes(6).toString("hex")}`;
  const client = new pg.Client({ connectionString: URL_OF_SERVER! });
  await client.connect();
  await client.query(`CREATE SCHEMA ${schema}`);
  await client.query(`SET search_path = ${schema}`);
  return {
    client,
    connection: {
      name: "Test",
      type: "POSTGRES" as const,
      host: url.hostname,
      port: Number(url.port || 5432),
      database: url.pathname.slice(1),
      username: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password) || "trusted",
      schema,
      options: { ssl: "DISABLE" as const },
    },
    async load({ exposures, events }: SimulatedEvents) {
      await client.query(
        "CREATE TABLE exposures (user_id text, variant text, seen_at timestamptz, experiment text, forced boolean, received_at timestamptz, country text, city text, visits int, is_new boolean)",
      );
      await client.query(
        "CREATE TABLE happenings (user_id text, event_type text, happened_at timestamptz, amount float8, experiment text, event_id text, received_at timestamptz)",
      );
      await client.query("INSERT INTO exposures SELECT * FROM json_populate_recordset(NULL::exposures, $1)", [
        JSON.stringify(exposures),
      ]);
      await client.query("INSERT INTO happenings SELECT * FROM json_populate_recordset(NULL::happenings, $1)", [
        JSON.stringify(events),
      ]);
    },
    async remove() {
      await client.query(`DROP SCHEMA ${schema} CASCADE`);
      await client.end();
    },
  };
}
