import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import { toFailure } from "./failure.ts";
import { COLUMNS, type Row } from "./rows.ts";

/** Runs statements. Every method throws EngineRefused or EngineUnavailable. */
export interface Connection {
  /** Returns the rows of a SELECT as objects. */
  select<T>(query: string): Promise<T[]>;
  /** Yields the rows of a SELECT as arrays, some at a time. */
  rows<T = Row>(query: string): AsyncGenerator<T[]>;
  command(query: string, settings?: ClickHouseSettings): Promise<void>;
  insert(table: string, rows: readonly Row[]): Promise<void>;
}

/** @param settings of every SELECT and INSERT */
export function createConnection(client: ClickHouseClient, settings: ClickHouseSettings): Connection {
  // Otherwise an error after the first rows would look like a complete answer.
  const reading = { ...settings, wait_end_of_query: 1 as const };
  return {
    async select<T>(query: string) {
      try {
        const answer = await client.query({ query, format: "JSONEachRow", clickhouse_settings: reading });
        return await answer.json<T>();
      } catch (error) {
        throw toFailure(error);
      }
    },
    async *rows<T>(query: string) {
      try {
        const format = "JSONCompactEachRow";
        const answer = await client.query({ query, format, clickhouse_settings: reading });
        for await (const some of answer.stream<T>()) yield some.map((row) => row.json<T>());
      } catch (error) {
        throw toFailure(error);
      }
    },
    async command(query, own) {
      try {
        await client.command({ query, ...(own && { clickhouse_settings: own }) });
      } catch (error) {
        throw toFailure(error);
      }
    },
    async insert(table, rows) {
      const columns: [string, ...string[]] = [...COLUMNS];
      try {
        // An asynchronous insert would be acknowledged before the rows can be read.
        const clickhouse_settings = { ...settings, async_insert: 0 as const };
        await client.insert({ table, values: rows, columns, format: "JSONCompactEachRow", clickhouse_settings });
      } catch (error) {
        throw toFailure(error);
      }
    },
  };
}
