import type { WarehouseType } from "@assay/contract";
import { createClickHouseEngine } from "./engines/clickhouse.ts";
import { createDuckDbEngine } from "./engines/duckdb.ts";
import type { WarehouseEngine } from "./engines/engine.ts";
import { createPostgresEngine } from "./engines/postgres.ts";

/** Warehouses that connections may reach. Everything not listed is denied. */
export interface WarehouseOptions {
  /** Folders whose files and folders DUCKDB connections may use. @default none */
  directories?: string[];
  /** Private host names and addresses that connections may use. @default none */
  hosts?: string[];
}

/** Engines by kind of warehouse. */
export type WarehouseEngines = ReadonlyMap<WarehouseType, WarehouseEngine>;

/**
 * Lists the engines.
 * @param isAllowed whether connections may go to addresses that are not in `hosts`
 */
export function createEngines(
  { directories = [], hosts = [] }: WarehouseOptions = {},
  isAllowed: (address: string) => boolean,
): WarehouseEngines {
  const named = new Set(hosts.map((host) => host.toLowerCase()));
  const isReachable = (host: string, address: string) => named.has(host.toLowerCase()) || isAllowed(address);
  const engines = [
    createPostgresEngine(isReachable),
    createClickHouseEngine(isReachable),
    createDuckDbEngine(directories),
  ];
  return new Map(engines.map((engine) => [engine.type, engine]));
}
