import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import pg from "pg";

const { ASSAY_TEST_POSTGRES: POSTGRES, ASSAY_TEST_REDIS: REDIS, CI } = process.env;

/** A database of the tests, in which each test has its own places. */
export interface Database {
  kind: "postgres://…" | "redis://…";
  /** The parameter of the address that names a place. */
  parameter: string;
  /** Returns the value of `--storage` for a place. */
  storage(place: string): string;
  /** Removes everything in these places. */
  clear(places: string[]): Promise<void>;
}

/** Whether a test must fail because a database is missing. */
export const LACKS_DATABASES = CI === "true" && (POSTGRES === undefined || REDIS === undefined);

/** The databases that are there. */
export const DATABASES: Database[] = [
  ...(POSTGRES ? [{ ...postgres(POSTGRES), kind: "postgres://…" as const, parameter: "schema" }] : []),
  ...(REDIS ? [{ ...redis(REDIS), kind: "redis://…" as const, parameter: "name" }] : []),
];

/** Returns the name of a new place. */
export const newPlace = (name: string): string => `cli_${name}_${randomUUID().slice(0, 8)}`;

function postgres(address: string) {
  return {
    storage: (place: string) => `${address}?schema=${place}`,
    async clear(places: string[]) {
      const client = new pg.Client({ connectionString: address });
      await client.connect();
      for (const place of places) await client.query(`DROP SCHEMA IF EXISTS ${place} CASCADE`);
      await client.end();
    },
  };
}

function redis(address: string) {
  return {
    // The server of the tests keeps nothing on disk.
    storage: (place: string) => `${address}?name=${place}&durable=false`,
    async clear(places: string[]) {
      const client = new Redis(address);
      for (const place of places) {
        for (const key of await client.keys(`assay:{${place}}*`)) await client.unlink(key);
      }
      await client.quit();
    },
  };
}
