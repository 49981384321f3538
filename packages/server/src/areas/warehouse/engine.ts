import type { WarehouseType } from "@assay/contract";

/** How a kind of warehouse writes the few things in which SQL differs. */
export interface Dialect {
  /** A name, quoted. */
  identifier(name: string): string;
  /** A text, quoted. */
  literal(text: string): string;
  /** An expression as an instant; naive ones are UTC. */
  instant(expression: string): string;
  /** So many microseconds, as a length of time. */
  duration(microseconds: number): string;
  /** The quantile `share` of an expression over all rows, interpolated (Hyndman and Fan's type 7). */
  quantile(share: number, expression: string): string;
}

/** Where and as whom to connect. */
export interface EngineSettings {
  host: string | null;
  port: number | null;
  database: string | null;
  schema: string | null;
  username: string | null;
  password: string | null;
  ssl: "VERIFY" | "REQUIRE" | "DISABLE";
  /** The longest a statement may take. */
  timeoutMs: number;
}

/** A row by column name. */
export type Row = Record<string, unknown>;

/** An open connection that can read and nothing else, all of it at one moment. */
export interface WarehouseSession {
  /** Runs exactly one SELECT. @throws WarehouseFailure */
  query(sql: string): Promise<Row[]>;
  close(): Promise<void>;
  /** Gives up whatever is under way, which then fails. */
  abandon(): void;
}

/**
 * A kind of warehouse. To add one: implement this in a file of its own under `engines`, list it in `createEngines`, and
 * add it to the cases of `warehouse.equality.test.ts`, which says whether it computes what the server computes.
 */
export interface WarehouseEngine {
  type: WarehouseType;
  dialect: Dialect;
  /** Schema of tables that are named without one. */
  defaultSchema: string;
  /** Opens a session that cannot write. @throws WarehouseFailure */
  open(settings: EngineSettings): Promise<WarehouseSession>;
}

/** Something the warehouse, or the way there, did not do; the message may be shown and holds no data. */
export class WarehouseFailure extends Error {
  override readonly name = "WarehouseFailure";
}

/** What PostgreSQL and those who follow it agree on. */
export const standardDialect: Dialect = {
  identifier: (name) => `"${name.replaceAll('"', '""')}"`,
  literal: (text) => `'${text.replaceAll("'", "''")}'`,
  instant: (expression) => `CAST(${expression} AS TIMESTAMP WITH TIME ZONE)`,
  duration: (microseconds) => `INTERVAL '${microseconds} microseconds'`,
  quantile: (share, expression) => `PERCENTILE_CONT(${share}) WITHIN GROUP (ORDER BY ${expression})`,
};

/**
 * Imports an optional package, `Driver`, by its name. The name is not written where it is imported, and bundlers are told
 * to leave the import alone: a bundle must build without the package.
 * @throws WarehouseFailure saying what to install where it is missing
 */
export async function loadDriver<Driver>(name: string): Promise<Driver> {
  try {
    return await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ name);
  } catch {
    throw new WarehouseFailure(`The server lacks the package ${name}; install it beside @assay/server`);
  }
}
