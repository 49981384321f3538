import { randomUUID } from "node:crypto";
import pg from "pg";
import { postgresStore } from "./postgres-store.ts";

/** The database of the tests. */
export const ADDRESS = process.env.ASSAY_TEST_POSTGRES;

/** Returns the name of a new schema. */
export function newSchema(): string {
  return `test_${randomUUID().replaceAll("-", "").slice(0, 20)}`;
}

/** Opens a store in a schema of the database of the tests. */
export function openFixture(schema: string) {
  return postgresStore({ connectionString: ADDRESS!, schema, maxConnections: 4 });
}

/** Runs a statement, outside any store. */
export async function execute(statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: ADDRESS });
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}

export const dropSchema = async (schema: string): Promise<void> => {
  await execute(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
};
