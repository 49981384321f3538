import { createHash } from "node:crypto";
import { RateLimiterPostgres, RateLimiterRedis, type RateLimiterRes, RLWrapperTimeouts } from "rate-limiter-flexible";
import type { Runtime } from "../ground/runtime.ts";
import type { Counter } from "./limits.ts";

/** A client of ioredis, for one Redis or a cluster. */
export interface RedisClient {
  status: string;
  defineCommand(name: string, definition: { numberOfKeys?: number; lua: string }): void;
}

/** A pool of `pg`. */
export interface PostgresPool {
  query(text: string): Promise<unknown>;
}

/** A database in which several servers count requests together. The server leaves the client open. */
export type RateLimitStore =
  | { kind: "redis"; client: RedisClient }
  | {
      kind: "postgres";
      pool: PostgresPool;
      /** The schema of the table `rate_limits`. The server creates both if they are missing. @default "assay" */
      schema?: string;
    };

type Limiter = Pick<RLWrapperTimeouts, "consume">;

/** A request never waits longer for the database, in milliseconds. */
const TIMEOUT_MS = 500;
/** How long a server counts alone before it tries the database again, in milliseconds. */
const PAUSE_MS = 2_000;
const POINTS = { points: Number.MAX_SAFE_INTEGER };
/**
 * Codes of PostgreSQL: another server has created the schema, the table or its type at the same time, which
 * `IF NOT EXISTS` does not prevent.
 */
const ALREADY_THERE = ["23505", "42P06", "42P07", "42710"];

/**
 * Counts in a database that several servers share. Without the database, the server counts alone until it returns, and
 * logs both moments once.
 * @param alone counts meanwhile
 * @throws TypeError for an invalid schema
 */
export function createSharedCounter(
  store: RateLimitStore,
  { runtime, namespace, seconds }: { runtime: Runtime; namespace: string; seconds: number },
  alone: Counter,
): Counter {
  if (store.kind === "postgres") requireSchema(schemaOf(store));
  let limiter: Promise<Limiter> | undefined;
  let pausedUntil = 0;
  let isLost = false;

  async function connect(): Promise<Limiter> {
    const options = { ...POINTS, duration: seconds, keyPrefix: `assay-limits:${namespace}` };
    const inner =
      store.kind === "redis"
        ? new RateLimiterRedis({ ...options, storeClient: store.client, rejectIfRedisNotReady: true })
        : await createTable(store, options);
    return new RLWrapperTimeouts({ limiter: inner, timeoutMs: TIMEOUT_MS });
  }

  function lose(error: unknown): void {
    pausedUntil = performance.now() + PAUSE_MS;
    if (isLost) return;
    isLost = true;
    const reason = { store: store.kind, error: error instanceof Error ? error.name : "Error" };
    runtime.logger.warn("Rate limits cannot be shared; this server counts alone", reason);
  }

  return {
    async consume(name) {
      if (performance.now() < pausedUntil) return alone.consume(name);
      try {
        limiter ??= connect();
        const taken: RateLimiterRes = await (await limiter).consume(keyOf(name));
        if (isLost) runtime.logger.info("Rate limits are shared again", { store: store.kind });
        isLost = false;
        return taken;
      } catch (error) {
        limiter = undefined;
        lose(error);
        return alone.consume(name);
      }
    },
  };
}

/** Names contain addresses and usernames, and may be longer than a key of the table. */
function keyOf(name: string): string {
  return createHash("sha256").update(name).digest("base64url");
}

const schemaOf = ({ schema = "assay" }: { schema?: string }) => schema;

function requireSchema(schema: string): void {
  if (!/^[a-z_][a-z0-9_]{0,39}$/.test(schema)) {
    throw new TypeError(`rateLimitStore.schema must have 1 to 40 characters of a-z, 0-9 and _, not "${schema}"`);
  }
}

async function createTable(
  store: RateLimitStore & { kind: "postgres" },
  options: { points: number; duration: number; keyPrefix: string },
): Promise<RateLimiterPostgres> {
  const schemaName = schemaOf(store);
  await store.pool.query(`CREATE SCHEMA IF NOT EXISTS "${schemaName}"`).catch(unlessThere);
  const create = () =>
    new Promise<RateLimiterPostgres>((resolve, reject) => {
      const limiter = new RateLimiterPostgres(
        { ...options, storeClient: store.pool, storeType: "pool", schemaName, tableName: "rate_limits" },
        (error?: Error) => (error ? reject(error) : resolve(limiter)),
      );
    });
  return create().catch((error: unknown) => {
    unlessThere(error);
    return create();
  });
}

/** @throws the error, unless it says that another server has just created the same. */
function unlessThere(error: unknown): void {
  if (!(error instanceof Error && "code" in error && ALREADY_THERE.includes(String(error.code)))) throw error;
}
