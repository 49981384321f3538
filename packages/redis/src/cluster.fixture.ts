import { execFileSync } from "node:child_process";
import { Cluster } from "ioredis";
import { expect, vi } from "vitest";
import { type Server, startServer } from "./server.fixture.ts";

/** Three primaries with a replica each. */
export interface RedisCluster {
  servers: Server[];
  /** Creates a client, which the caller closes. */
  client(): Cluster;
  /** Returns the server that serves the keys of a store. */
  primaryOf(name: string): Promise<Server>;
  remove(): Promise<void>;
}

const SETTINGS = [
  ...["--appendonly", "yes", "--appendfsync", "always", "--save", ""],
  // By default, a primary server waits 5 s before it sends its data to a new replica.
  ...["--repl-diskless-sync-delay", "0"],
  ...["--cluster-enabled", "yes", "--cluster-require-full-coverage", "no", "--cluster-node-timeout"],
];

/** @param failoverMs how long a primary server is away before its replica takes over */
export async function startCluster(failoverMs = 1_000): Promise<RedisCluster> {
  const servers: Server[] = [];
  while (servers.length < 6) servers.push(await startServer([...SETTINGS, String(failoverMs)]));
  const nodes = servers.map(({ port }) => ({ host: "127.0.0.1", port }));
  const client = () => new Cluster(nodes, { lazyConnect: true });
  const create = ["--cluster", "create", ...nodes.map(({ host, port }) => `${host}:${port}`)];
  execFileSync("redis-cli", [...create, "--cluster-replicas", "1", "--cluster-yes"], { timeout: 30_000 });
  for (const server of servers) {
    await vi.waitFor(
      async () => {
        expect(String(await server.execute("CLUSTER", "NODES")).match(/slave .*connected/g)).toHaveLength(3);
        expect(await server.execute("CLUSTER", "INFO")).toContain("cluster_state:ok");
        expect(await server.execute("INFO", "replication")).toMatch(/master_link_status:up|state=online/);
      },
      { timeout: 30_000 },
    );
  }
  return {
    servers,
    client,
    async primaryOf(name) {
      const slot = Number(await servers[0]!.execute("CLUSTER", "KEYSLOT", `assay:{${name}}`));
      for (const line of String(await servers[0]!.execute("CLUSTER", "NODES")).split("\n")) {
        const [, address = "", flags = "", , , , , , ...ranges] = line.split(" ");
        const isOwner = ranges.some((range) => {
          const [from, to = from] = range.split("-").map(Number);
          return slot >= from! && slot <= to!;
        });
        const port = Number(/:(\d+)@/.exec(address)?.[1]);
        if (flags.includes("master") && isOwner) return servers.find((server) => server.port === port)!;
      }
      throw new Error(`No primary serves slot ${slot}`);
    },
    remove: async () => void (await Promise.all(servers.map((server) => server.remove()))),
  };
}
