import type { WarehouseType } from "@assay/contract";
import { importOptional } from "../../../ground/optional-package.ts";
import type { Dialect } from "../sql/dialect.ts";

/** Where to connect, and with which credentials. */
export interface EngineSettings {
  host: string | null;
  port: number | null;
  database: string | null;
  schema: string | null;
  username: string | null;
  password: string | null;
  ssl: "VERIFY" | "REQUIRE" | "DISABLE";
  /** Timeout of a statement in milliseconds. */
  timeoutMs: number;
}

/** A row by column name. */
export type Row = Record<string, unknown>;

/** An open read-only connection, with a consistent snapshot if the warehouse has them. */
export interface WarehouseSession {
  /** The syntax of this server, if it differs from the engine's. */
  dialect?: Dialect;
  /** Runs exactly one SELECT. @throws WarehouseFailure */
  query(sql: string): Promise<Row[]>;
  close(): Promise<void>;
  /** Aborts the statement in progress, which then fails. */
  abandon(): void;
}

/**
 * A kind of warehouse. To add one: implement this interface in a file under `engines`, list it in `createEngines`, and
 * add it to the cases of `warehouse.equality.test.ts`, which checks that it computes the same as the server.
 */
export interface WarehouseEngine {
  type: WarehouseType;
  dialect: Dialect;
  /** Schema of unqualified table names. */
  schemaOf(settings: EngineSettings): string;
  /** Opens a read-only session. @throws WarehouseFailure */
  open(settings: EngineSettings): Promise<WarehouseSession>;
}

/** A failure of the warehouse or the network. The message is public and contains no data. */
export class WarehouseFailure extends Error {
  override readonly name = "WarehouseFailure";
}

/** Imports an optional package. @throws WarehouseFailure with install instructions if it is missing */
export const loadDriver = <Driver>(name: string) =>
  importOptional<Driver>(name, name, (message) => new WarehouseFailure(message));
