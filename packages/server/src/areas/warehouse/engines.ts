import type { WarehouseType } from "@assay/contract";
import type { WarehouseEngine } from "./engine.ts";
import { createDuckDbEngine } from "./engines/duckdb.ts";
import { createPostgresEngine } from "./engines/postgres.ts";

/** What warehouses may be reached; nothing that is not said here can be. */
export interface WarehouseOptions {
  /** Folders in which DUCKDB connections may name a file or folder. @default none */
  directories?: string[];
  /** Host names and addresses that connections may name although they are private. @default none */
  hosts?: string[];
}

/** Every kind of warehouse there is an engine for. */
export type WarehouseEngines = ReadonlyMap<WarehouseType, WarehouseEngine>;

/**
 * Lists the engines.
 * @param isAllowed whether an address that is not in `hosts` may be connected to
 */
export function createEngines(
  { directories = [], hosts = [] }: WarehouseOptions = {},
  isAllowed: (address: string) => boolean,
): WarehouseEngines {
  const named = new Set(hosts.map((host) => host.toLowerCase()));
  const engines = [
    createPostgresEngine((host, address) => named.has(host.toLowerCase()) || isAllowed(address)),
    createDuckDbEngine(directories),
  ];
  return new Map(engines.map((engine) => [engine.type, engine]));
}
