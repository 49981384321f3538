import { Cluster, type ClusterOptions } from "ioredis";

/** Creates a client of a cluster of Redis from the address of one of its servers; the others have the same credentials. */
export function createCluster(address: string, { redisOptions, ...options }: ClusterOptions): Cluster {
  const { protocol, hostname, port, username, password } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, "");
  return new Cluster([{ host, port: Number(port || 6379) }], {
    ...options,
    redisOptions: {
      ...redisOptions,
      ...(username ? { username: decodeURIComponent(username) } : {}),
      ...(password ? { password: decodeURIComponent(password) } : {}),
      ...(protocol === "rediss:" ? { tls: {} } : {}),
    },
  });
}
