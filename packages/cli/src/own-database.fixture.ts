import { setTimeout as wait } from "node:timers/promises";
import { BINARIES, startCluster as startPostgres } from "../../postgres/src/cluster.fixture.ts";
import { startCluster as startRedisCluster } from "../../redis/src/cluster.fixture.ts";
import { IS_INSTALLED, startServer as startRedis } from "../../redis/src/server.fixture.ts";

/** A database of one test, which it may kill, start again and freeze. */
export interface OwnDatabase {
  /** The value of `--storage`. */
  storage: string;
  /** Ends all of its processes at once. */
  crash(): Promise<void>;
  start(): Promise<void>;
  /** Stops all of its processes with SIGSTOP, or lets them continue. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  remove(): Promise<void>;
}

/** A kind of database of which a test can have its own. */
export interface DatabaseKind {
  kind: "PostgreSQL" | "Redis" | "a Redis cluster";
  isInstalled: boolean;
  create(): Promise<OwnDatabase>;
}

/** The name of a store that `redis://…` without a name opens. */
const STORE = "assay";
/** Longer than a server of a cluster is away, so that no replica takes over: a replica may lack the last writes. */
const FAILOVER_MS = 30_000;

async function postgres(): Promise<OwnDatabase> {
  const cluster = await startPostgres();
  return {
    storage: cluster.url,
    crash: async () => cluster.crash(),
    start: async () => cluster.start(),
    freeze: async () => cluster.freeze(),
    thaw: async () => cluster.thaw(),
    remove: async () => cluster.remove(),
  };
}

async function redis(): Promise<OwnDatabase> {
  const server = await startRedis();
  return {
    storage: server.url,
    crash: () => server.crash(),
    start: () => server.start(),
    freeze: async () => server.freeze(),
    thaw: async () => server.thaw(),
    remove: () => server.remove(),
  };
}

async function redisCluster(): Promise<OwnDatabase> {
  const cluster = await startRedisCluster(FAILOVER_MS);
  const primary = await cluster.primaryOf(STORE);
  const [, other] = cluster.servers.filter((server) => server !== primary);
  return {
    // The address of a server that does not have the store.
    storage: `${other!.url}?cluster=true`,
    crash: () => primary.crash(),
    async start() {
      await primary.start();
      // A server waits for some seconds before it serves its part of a cluster again.
      while (!String(await primary.execute("CLUSTER", "INFO")).includes("cluster_state:ok")) await wait(100);
    },
    freeze: async () => primary.freeze(),
    thaw: async () => primary.thaw(),
    remove: () => cluster.remove(),
  };
}

export const DATABASE_KINDS: DatabaseKind[] = [
  { kind: "PostgreSQL", isInstalled: BINARIES !== "", create: postgres },
  { kind: "Redis", isInstalled: IS_INSTALLED, create: redis },
  { kind: "a Redis cluster", isInstalled: IS_INSTALLED, create: redisCluster },
];
