import type { RateLimitStore } from "@assay/server";
import { Redis } from "ioredis";
import pg from "pg";
import { usageFailure } from "../failure.ts";
import type { Flags } from "../flags.ts";

/** Where several servers count requests together. */
export type RateLimitStoreChoice =
  | { kind: "redis"; url: string }
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
  if (kind === undefined || !URL.canParse(value)) {
    // The value may contain a password.
    const name = flag === undefined ? "ASSAY_RATE_LIMIT_STORE" : "--rate-limit-store";
    throw usageFailure(`${name} must be redis://USER:PASSWORD@HOST:PORT or postgres://USER:PASSWORD@HOST/DATABASE`);
  }
  const url = new URL(value);
  const schema = url.searchParams.get("schema") ?? undefined;
  // The parameters of --storage mean nothing here, so that the same address can be used for both.
  for (const parameter of ["schema", "name", "durable"]) url.searchParams.delete(parameter);
  return kind === "redis" ? { kind, url: url.href } : { kind: "postgres", url: url.href, schema };
}

/** Connects to the database, now or as soon as it answers: a server starts without it. */
export function openRateLimitStore(choice: RateLimitStoreChoice): OpenRateLimitStore {
  // Without a listener, an error would end the process. The server logs that it counts alone.
  const ignore = () => {};
  if (choice.kind === "redis") {
    const client = new Redis(choice.url, {
      enableOfflineQueue: false,
      connectTimeout: TIMEOUT_MS,
      commandTimeout: TIMEOUT_MS,
      retryStrategy: (attempt) => Math.min(attempt * 100, TIMEOUT_MS),
    }).on("error", ignore);
    return { store: { kind: "redis", client }, close: async () => client.disconnect() };
  }
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
