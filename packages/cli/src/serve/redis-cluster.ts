import { Cluster, type ClusterOptions } from "ioredis";
import { usageFailure } from "../failure.ts";

/** Takes the parameter `cluster` out of the address of a Redis. @throws {CommandFailure} if it is not true or false */
export function takeCluster(url: URL, setting: string): boolean {
  return takeBoolean(url, "cluster", setting) ?? false;
}

/** Takes a parameter that is true or false out of an address. @throws {CommandFailure} if it is anything else */
export function takeBoolean(url: URL, parameter: string, setting: string): boolean | undefined {
  const value = url.searchParams.get(parameter) ?? undefined;
  url.searchParams.delete(parameter);
  if (value === undefined) return undefined;
  if (value === "true" || value === "false") return value === "true";
  throw usageFailure(`${parameter} in ${setting} must be true or false, not "${value}"`);
}

/** Creates a client of a cluster from the address of one of its servers; the others have the same credentials. */
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
