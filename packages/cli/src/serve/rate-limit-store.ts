import type { RateLimitStore } from "@assay/server";
import type { Cluster, Redis } from "ioredis";
import { usageFailure } from "../failure.ts";
import type { Flags } from "../flags.ts";
import { checkCredentials, takeBoolean } from "./address.ts";

/** Where several servers count requests together. */
export type RateLimitStoreChoice =
  | { kind: "redis"; url: string; isCluster: boolean }
  | { kind: "postgres"; url: string; schema: string | undefined };

/** An open store of rate limits. */
export interface OpenRateLimitStore {
  store: RateLimitStore;
  close(): Promise<void>;
}

const CONNECTIONS = 4;
const TIMEOUT_MS = 1_000;

/**
 * Reads the address; undefined for none.
 * @throws {CommandFailure} if it is not one of a Redis or PostgreSQL
 */
export function readRateLimitStore(
  flags: Flags,
  { ASSAY_RATE_LIMIT_STORE }: Record<string, string | undefined>,
): RateLimitStoreChoice | undefined {
  const flag = flags.one("rate-limit-store");
  const value = flag ?? (ASSAY_RATE_LIMIT_STORE || undefined);
  if (value === undefined) return undefined;
  const [, kind] = /^(redis|postgres)(?:s|ql)?:\/\//.exec(value) ?? [];
  const name = flag === undefined ? "ASSAY_RATE_LIMIT_STORE" : "--rate-limit-store";
  if (kind === undefined || !URL.canParse(value)) {
    // The value may contain a password.
    throw usageFailure(`${name} must be redis://USER:PASSWORD@HOST:PORT or postgres://USER:PASSWORD@HOST/DATABASE`);
  }
  const url = new URL(value);
  const schema = url.searchParams.get("schema") ?? undefined;
  // The other parameters of --storage mean nothing here, so that the same address can be used for both.
  for (const parameter of ["schema", "name", "durable"]) url.searchParams.delete(parameter);
  if (kind === "postgres") return { kind, url: url.href, schema };
  const isCluster = takeBoolean(url, "cluster", name) ?? false;
  checkCredentials(url, name);
  return { kind: "redis", url: url.href, isCluster };
}

/** Loads the client, and connects to the database now or as soon as it answers: a server starts without it. */
export async function openRateLimitStore(choice: RateLimitStoreChoice): Promise<OpenRateLimitStore> {
  // Without a listener, an error would end the process. The server logs that it counts alone.
  const ignore = () => {};
  if (choice.kind === "redis") {
    const client = (await connectRedis(choice)).on("error", ignore);
    return { store: { kind: "redis", client }, close: async () => client.disconnect() };
  }
  const { default: pg } = await import("pg");
  const { url, schema } = choice;
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    keepAlive: true,
    application_name: "assay rate limits",
  }).on("error", ignore);
  return { store: { kind: "postgres", pool, ...(schema ? { schema } : {}) }, close: () => pool.end() };
}

async function connectRedis({ url, isCluster }: { url: string; isCluster: boolean }): Promise<Redis | Cluster> {
  const [{ Redis }, { createCluster }] = await Promise.all([import("ioredis"), import("./cluster.ts")]);
  const options = { connectTimeout: TIMEOUT_MS, commandTimeout: TIMEOUT_MS };
  const retryStrategy = (attempt: number) => Math.min(attempt * 100, TIMEOUT_MS);
  if (!isCluster) return new Redis(url, { ...options, enableOfflineQueue: false, retryStrategy });
  return createCluster(url, { redisOptions: options, enableOfflineQueue: false, clusterRetryStrategy: retryStrategy });
}
