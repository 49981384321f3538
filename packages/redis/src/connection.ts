import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import { StoreRefused, StoreUnavailable } from "@assay/store";
import { type Cluster, Redis, type RedisOptions } from "ioredis";
import { codeOf, unavailable } from "./failure.ts";
import { requireSuitable } from "./requirements.ts";
import { SCRIPTS, type ScriptName } from "./scripts.ts";

/** A client of one server, or of a cluster. */
export type Client = Redis | Cluster;

/** The connection of one store, whose place in Redis exists. */
export interface Connection {
  /** `assay:{NAME}`, with which all keys begin. */
  key: string;
  /**
   * Runs a script. Waits while a backup keeps writes waiting.
   * @throws {StoreUnavailable} if Redis fails, or Redis's error if it has one of the codes `ASSAY…` of this package
   */
  run<Answer>(script: ScriptName, ...words: (string | number | Buffer)[]): Promise<Answer>;
  /** Runs another command on the keys of the store. @throws {StoreUnavailable} */
  command<Answer>(name: string, ...words: (string | number | Buffer)[]): Promise<Answer>;
  /** Creates a connected client for notices, which the caller closes. @throws {StoreUnavailable} */
  subscriber(): Promise<Client>;
  close(): Promise<void>;
}

export interface ConnectionOptions {
  name: string;
  durable: boolean;
  timeoutMs: number;
}

/** The version of the keys and values that this package writes. */
const FORMAT = 1;
const CONNECT_MS = 5_000;
const MAX_DELAY_MS = 1_000;
const PAUSED_MS = 20;

const NO_CLUSTER = "This Redis is in no cluster; pass its url, or remove cluster=true from --storage";

/** Errors that callers expect. */
const EXPECTED = new Set(["ASSAYNOCOUNTER", "ASSAYTOOLARGE"]);

/** Returns the milliseconds to wait before an attempt to connect again. */
function retryStrategy(attempt: number): number {
  return Math.min(50 * 2 ** Math.min(attempt, 10), MAX_DELAY_MS);
}

/**
 * The options of connections for commands. A command that was interrupted is never sent again: it may have been executed. No
 * command waits for a connection, where it could be executed after its caller has given up.
 */
const optionsOf = (timeoutMs: number): RedisOptions => ({
  lazyConnect: true,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: CONNECT_MS,
  commandTimeout: timeoutMs,
  retryStrategy,
});

/** The options of connections that only listen: these subscribe again by themselves. */
const LISTENING: RedisOptions = { lazyConnect: true, connectTimeout: CONNECT_MS, retryStrategy };

const OF_CLUSTERS = {
  lazyConnect: true,
  // It asks any server, also one to which no connection exists yet, and then begins again. A part that is down says so.
  enableReadyCheck: false,
  slotsRefreshTimeout: CONNECT_MS,
  slotsRefreshInterval: MAX_DELAY_MS,
  clusterRetryStrategy: retryStrategy,
};

/** Creates the client of a store, with the address and credentials of another one. */
function createClient(source: Client | string, timeoutMs: number): Client {
  const options = optionsOf(timeoutMs);
  if (typeof source === "string") return new Redis(source, options);
  if (source instanceof Redis) return source.duplicate(options);
  return source.duplicate([], {
    ...OF_CLUSTERS,
    enableOfflineQueue: false,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    redisOptions: { ...source.options.redisOptions, ...options, lazyConnect: false },
  });
}

function createListener(source: Client | string): Client {
  if (typeof source === "string") return new Redis(source, LISTENING);
  return source instanceof Redis ? source.duplicate(LISTENING) : source.duplicate([], OF_CLUSTERS);
}

/** Connects with the first call, and creates the place of the store then. */
export function createConnection(source: Client | string, { name, durable, timeoutMs }: ConnectionOptions): Connection {
  const key = `assay:{${name}}`;
  const client = prepare(createClient(source, timeoutMs));
  let opened: Promise<void> | null = null;
  let isClosed = false;

  const assertOpen = () => {
    if (isClosed) throw new StoreUnavailable("This Redis store is closed");
  };

  async function open(): Promise<void> {
    await connect(client);
    await requireSuitable(client, durable);
    const format = Number(await evaluate<Buffer>(client, "open", key, [FORMAT]));
    if (format === FORMAT) return;
    throw new StoreRefused(
      `A later version of Assay made the data in ${key}: they have version ${format}, and this version of ` +
        `@assay/redis reads ${FORMAT}; update it`,
    );
  }

  async function ready(): Promise<void> {
    assertOpen();
    opened ??= open().catch((error: unknown) => {
      opened = null;
      throw error instanceof StoreRefused ? error : unavailable(error);
    });
    await opened;
    if (client.status !== "ready") await connect(client);
  }

  /** Repeats while a backup keeps writes waiting. */
  async function attempt<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      try {
        await ready();
        return await work();
      } catch (error) {
        if (error instanceof StoreRefused || EXPECTED.has(codeOf(error) ?? "")) throw error;
        // ioredis rejects at once after a connection broke, before it handles the end of its socket. A caller that tries again
        // at once would never let it do so.
        await nextTurn();
        if (codeOf(error) !== "ASSAYPAUSED" || performance.now() > deadline) throw unavailable(error);
      }
      await wait(PAUSED_MS);
    }
  }

  return {
    key,
    run: (script, ...words) => attempt(() => evaluate(client, script, key, words)),
    command: (command, ...words) => attempt(() => client.callBuffer(command, ...words) as Promise<never>),
    async subscriber() {
      await attempt(async () => {});
      const subscriber = createListener(source).on("error", ignore);
      await connect(subscriber).catch((error: unknown) => {
        subscriber.disconnect();
        throw unavailable(error);
      });
      return subscriber;
    },
    async close() {
      isClosed = true;
      await opened?.catch(() => {});
      client.disconnect();
    },
  };
}

const ignore = () => {};

function prepare(client: Client): Client {
  // Calls reject as well. Without a listener, ioredis writes to the console.
  client.on("error", ignore);
  for (const [name, lua] of Object.entries(SCRIPTS)) client.defineCommand(name, { numberOfKeys: 1, lua });
  return client;
}

type Scripts = Record<`${ScriptName}Buffer`, (...words: (string | number | Buffer)[]) => Promise<unknown>>;

function evaluate<Answer>(
  client: Client,
  script: ScriptName,
  key: string,
  words: (string | number | Buffer)[],
): Promise<Answer> {
  return (client as unknown as Scripts)[`${script}Buffer`](key, ...words) as Promise<Answer>;
}

/**
 * Waits until a client is connected: to one server until the end of the current or next attempt, to a cluster longer,
 * because other servers of it may answer.
 */
async function connect(client: Client): Promise<void> {
  if (client.status === "ready") return;
  const end = new AbortController();
  const outcome = new Promise<void>((resolve, reject) => {
    const settle = (error?: Error) => {
      client.off("ready", onReady).off("close", onClose).off("error", onError).off("end", onClose);
      end.abort();
      if (error) reject(error);
      else resolve();
    };
    let reason: Error | undefined;
    const onReady = () => settle();
    const onClose = () => settle(reason ?? new Error("The connection was closed"));
    const onError = (error: Error & { lastNodeError?: Error }) => {
      reason = error;
      if (/cluster support disabled/.test(error.lastNodeError?.message ?? "")) settle(new StoreRefused(NO_CLUSTER));
    };
    client.on("ready", onReady).on("error", onError).on("end", onClose);
    if (client instanceof Redis) client.on("close", onClose);
    wait(CONNECT_MS, undefined, { signal: end.signal, ref: false }).then(
      () => settle(reason ?? new Error("The connection took too long")),
      () => {},
    );
  });
  if (client.status === "wait" || client.status === "end") client.connect().catch(ignore);
  await outcome;
  // A cluster is ready when it knows its servers, before it is connected to them.
  if ("nodes" in client) await Promise.all(client.nodes("master").map(connected));
}

/** Waits until a server of a cluster is connected, cannot be, or is not to be before it is used. */
function connected(server: Redis): Promise<void> {
  return new Promise((resolve) => {
    if (["ready", "end", "wait"].includes(server.status)) return resolve();
    server.once("ready", () => resolve()).once("end", () => resolve());
  });
}
