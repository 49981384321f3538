import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { genericStore, memoryStore, requireFormat } from "@assay/server";
import { describeWideModes, namespaced, requireRestored, type Store } from "@assay/store";
import type { ArgsDef } from "citty";
import { CommandFailure, failure, reasonOf, usageFailure } from "../failure.ts";
import type { Flags } from "../flags.ts";
import { parseStorage, readServeSettings, type StorageChoice } from "./settings.ts";

/**
 * Opens the configured store and checks that it answers.
 * @throws {CommandFailure} if the location is not writable or another live process holds it
 */
export async function openStore(choice: StorageChoice): Promise<Store> {
  try {
    const store = await createStore(choice);
    await store.get("probe");
    return store;
  } catch (error) {
    throw failure(`Cannot open ${describeStorage(choice)}: ${reasonOf(error)}`, error);
  }
}

/** The options that select the data of a command. */
export const DATA_ARGS: ArgsDef = {
  data: { type: "string", valueHint: "dir", description: "Directory of the data (ASSAY_DATA, default ./data)" },
  storage: { type: "string", description: "lmdb:DIR, fs:DIR, postgres://… or redis://… (ASSAY_STORAGE)" },
  namespace: { type: "string", description: "Namespace of the server, if it has one (ASSAY_NAMESPACE)" },
};

/**
 * Reads the location of the data; `missing` names what a memory store lacks.
 * @throws {CommandFailure} if it is memory
 */
export function readDataChoice(
  flags: Flags,
  { ASSAY_DATA, ASSAY_STORAGE }: Record<string, string | undefined>,
  missing: string,
): StorageChoice {
  const { storage } = readServeSettings(flags, { ASSAY_DATA, ASSAY_STORAGE });
  if (storage.kind === "memory")
    throw usageFailure(`Storage in memory ${missing}; use lmdb:DIR, fs:DIR, postgres://… or redis://…`);
  return storage;
}

/**
 * Parses the location of data that a command names.
 * @throws {CommandFailure} if it is none, or memory
 */
export function parseData(value: string, name: string): StorageChoice {
  const choice = parseStorage(value, name);
  if (choice.kind !== "memory") return choice;
  throw usageFailure(`${name} cannot be memory; use lmdb:DIR, fs:DIR, postgres://… or redis://…`);
}

/**
 * Runs an action on a server's data, and always closes the data.
 * @throws {CommandFailure} with the reason
 */
export function withData(
  choice: StorageChoice,
  namespace: string | undefined,
  work: (store: Store) => Promise<void>,
): Promise<void> {
  return withStore(choice, async (store) => {
    await requireRestored(store);
    const inside = namespaced(store, namespace ?? "");
    await requireFormat(inside);
    await work(inside);
  });
}

/** The same on the whole store, with all namespaces. @throws {CommandFailure} with the reason */
export async function withStore(choice: StorageChoice, work: (store: Store) => Promise<void>): Promise<void> {
  const store = await openStore(choice);
  try {
    await work(store);
  } catch (error) {
    throw error instanceof CommandFailure ? error : failure(reasonOf(error), error);
  } finally {
    await store.close();
  }
}

/** Loads only the client of the chosen database: each would make every start slower. */
async function createStore(choice: StorageChoice): Promise<Store> {
  if (choice.kind === "memory") return memoryStore();
  if (choice.kind === "postgres") {
    const { postgresStore } = await import("@assay/postgres");
    return postgresStore({ connectionString: choice.url, ...(choice.schema ? { schema: choice.schema } : {}) });
  }
  if (choice.kind === "redis") {
    const [{ redisStore }, { createCluster }] = await Promise.all([import("@assay/redis"), import("./cluster.ts")]);
    const { url, name, durable, isCluster } = choice;
    // The store opens its own connections, so that this client never connects.
    const source = isCluster ? { client: createCluster(url, { lazyConnect: true }) } : { url };
    return redisStore({ ...source, durable, ...(name ? { name } : {}) });
  }
  // From here on, this process creates files for its owner only: directories 0700, files 0600.
  process.umask(0o077);
  const path = resolve(choice.path);
  if (choice.kind === "lmdb") {
    const { lmdbStore } = await import("@assay/lmdb");
    return lmdbStore({ path, onWarning: warn });
  }
  const warning = describeWideModes([path]);
  if (warning) warn(warning);
  const [{ createStorage }, { default: fsDriver }] = await Promise.all([
    import("unstorage"),
    import("unstorage/drivers/fs"),
  ]);
  return genericStore(createStorage({ driver: fsDriver({ base: path }) }));
}

function warn(message: string): void {
  console.warn(`Warning: ${message}`);
}

/** Describes the location of the storage, without a password. */
export function describeStorage(choice: StorageChoice): string {
  if (choice.kind === "memory") return "memory";
  if ("path" in choice) return `${choice.kind}:${choice.path}`;
  const { protocol, host, pathname } = new URL(choice.url);
  if (choice.kind === "redis") return `${protocol}//${host}${pathname}${choice.name ? `?name=${choice.name}` : ""}`;
  return `postgres://${host}${pathname}${choice.schema ? `?schema=${choice.schema}` : ""}`;
}

/** Checks that there is data to work on. @throws {CommandFailure} if its directory is missing */
export function requireData(choice: StorageChoice): void {
  if (choice.kind !== "memory" && (!("path" in choice) || existsSync(choice.path))) return;
  throw failure(`There is no data in ${describeStorage(choice)}`);
}
