import { DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { hasClickHouse, startClickHouse } from "../clickhouse.fixture.ts";
import { createClickHouseEngine } from "../engines/clickhouse.ts";
import { createDuckDbEngine } from "../engines/duckdb.ts";
import { createPostgresEngine } from "../engines/postgres.ts";
import { hasPostgres } from "../postgres.fixture.ts";
import type { Dialect } from "./dialect.ts";

/** Texts with what ends a quote, starts a comment or escapes. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "'",
        '"',
        "\\",
        "`",
        "--",
        "/*",
        "*/",
        ";",
        "$$",
        "$1",
        "{x:String}",
        "\n",
        "%",
        "?",
        "\\'",
        "E'",
      ),
      fc.string({ unit: "grapheme", maxLength: 5 }),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join(""))
  .filter((text) => text !== "" && !text.includes("\0"));

/** The contract refuses a column without a name, as SQL does. */
const hostileName = hostile.map((text) => Array.from(text).slice(0, 12).join("")).filter((name) => name !== "");

/** Selects a text under a name, both hostile, and expects both back unchanged. */
async function expectUnchanged({ literal, identifier }: Dialect, query: (sql: string) => Promise<object[]>) {
  await fc.assert(
    fc.asyncProperty(hostile, hostileName, async (text, name) => {
      expect(await query(`SELECT ${literal(text)} AS ${identifier(name)}`)).toEqual([{ [name]: text }]);
    }),
  );
}

describe("a quoted text and a quoted name come back unchanged, for any characters", () => {
  test("from DuckDB", async () => {
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    await expectUnchanged(createDuckDbEngine([]).dialect, async (sql) =>
      (await connection.runAndReadAll(sql)).getRowObjectsJS(),
    );
    connection.closeSync();
    instance.closeSync();
  });

  test.runIf(hasPostgres)("from PostgreSQL", async () => {
    const client = new pg.Client({ connectionString: process.env.ASSAY_TEST_POSTGRES! });
    await client.connect();
    await expectUnchanged(createPostgresEngine(() => true).dialect, async (sql) => (await client.query(sql)).rows);
    await client.end();
  });
});

test.runIf(hasClickHouse)("a quoted text and a quoted name come back unchanged from ClickHouse", async () => {
  const clickhouse = await startClickHouse();
  try {
    await expectUnchanged(createClickHouseEngine(() => true).dialect, async (query) =>
      (await clickhouse.client.query({ query, format: "JSONEachRow" })).json<object>(),
    );
  } finally {
    await clickhouse.stop();
  }
});

test("the character U+0000 cannot be quoted", () => {
  const { literal, identifier } = createPostgresEngine(() => true).dialect;
  expect(() => literal("a\0b")).toThrow(RangeError);
  expect(() => identifier("a\0b")).toThrow(RangeError);
});
