import { StoreRefused } from "@assay/store";
import type { Cluster, Redis } from "ioredis";

const MIN_VERSION = 7;

/**
 * Checks that servers keep what they acknowledge. A server that does not show its settings, as some hosts do, is taken
 * at its word.
 * @throws {StoreRefused} for an old version, a replica, settings that lose data, or a cluster to which one connects as to a server
 */
export async function requireSuitable(client: Redis | Cluster, durable: boolean): Promise<void> {
  const servers = "nodes" in client ? client.nodes("master") : [client];
  for (const server of servers) await requireServer(server, { durable, isInCluster: "nodes" in client });
}

interface Requirements {
  durable: boolean;
  isInCluster: boolean;
}

async function requireServer(server: Redis, { durable, isInCluster }: Requirements): Promise<void> {
  const info = await server.info();
  const fieldOf = (name: string) => new RegExp(`^${name}:(.*?)\r?$`, "m").exec(info)?.[1];
  const version = fieldOf("redis_version") ?? "";
  if (!(Number.parseInt(version, 10) >= MIN_VERSION)) {
    throw new StoreRefused(`Redis ${version} is too old; @assay/redis needs version ${MIN_VERSION} or later`);
  }
  if (fieldOf("redis_mode") === "cluster" && !isInCluster) {
    throw new StoreRefused(
      "This Redis is part of a cluster; pass a Cluster of ioredis, or add ?cluster=true to --storage",
    );
  }
  if (fieldOf("role") === "slave") throw new StoreRefused("This Redis is a replica; connect to the primary server");
  const settings = await settingsOf(server);
  const policy = settings.get("maxmemory-policy") ?? "noeviction";
  if (Number(settings.get("maxmemory") ?? 0) > 0 && policy !== "noeviction") {
    throw new StoreRefused(`Redis removes data when its memory is full (${policy}); set maxmemory-policy noeviction`);
  }
  if (!durable) return;
  if (settings.get("appendonly") === "no" || fieldOf("aof_enabled") === "0") {
    throw new StoreRefused(
      "Redis keeps its data in memory only (appendonly no); set appendonly yes and appendfsync always, or open the " +
        "store with durable: false",
    );
  }
  const policyOfDisk = settings.get("appendfsync") ?? "always";
  if (policyOfDisk !== "always") {
    throw new StoreRefused(
      `Redis acknowledges writes before they are on its disk (appendfsync ${policyOfDisk}); set appendfsync always, ` +
        "or open the store with durable: false",
    );
  }
}

/** Returns the settings that the server shows. */
async function settingsOf(server: Redis): Promise<Map<string, string>> {
  const settings = new Map<string, string>();
  for (const name of ["maxmemory", "maxmemory-policy", "appendonly", "appendfsync"]) {
    // Hosts may forbid the command.
    const [, value] = ((await server.config("GET", name).catch(() => [])) as string[]) ?? [];
    if (value !== undefined) settings.set(name, value);
  }
  return settings;
}
