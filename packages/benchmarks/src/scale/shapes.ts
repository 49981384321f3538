import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@assay/client";
import { ADMIN, COUNTRIES, EXPERIMENT, FLAGS } from "../http/cases.ts";
import type { Address } from "../http/load.ts";
import { addressOf, spawnCli } from "../ingestion/serve.ts";

/** A running server or relay. */
export interface Node extends Address {
  pid: number;
  url: string;
}

/** Servers on one store, and the database of the store. */
export interface Shape {
  name: string;
  /** How many servers answer. */
  nodes: number;
  /** How the names of the processes of its databases begin; none for a store inside of the servers. */
  databases: string[];
  /** Whether relays answer, with one server behind them. */
  isRelayed?: true;
  /** The value of `--events`, if ClickHouse answers results. */
  events?: string;
  /** Returns the value of `--storage`. @param folder an empty folder */
  storage(folder: string): string;
}

/** The shapes that are measured with ClickHouse, too. */
const WITH_CLICKHOUSE = ["1 server, LMDB", "2 servers, PostgreSQL"];

/** Returns every shape. @param addresses of databases that keep what they acknowledge */
export function shapesOf(addresses: { postgres: string; redis: string; clickhouse: string }): Shape[] {
  const lmdb = (folder: string) => `lmdb:${join(folder, "data")}`;
  const places = [
    { title: "PostgreSQL", database: "postgres", place: `${addresses.postgres}?schema=` },
    { title: "Redis", database: "redis-server", place: `${addresses.redis}?name=` },
  ] as const;
  const onDatabases = [1, 2, 4].flatMap((nodes) =>
    places.map(
      ({ title, database, place }): Shape => ({
        name: `${nodes === 1 ? "1 server" : `${nodes} servers`}, ${title}`,
        nodes,
        databases: [database],
        storage: () => `${place}bench_${Date.now().toString(36)}`,
      }),
    ),
  );
  const shapes: Shape[] = [
    { name: "1 server, memory", nodes: 1, databases: [], storage: () => "memory" },
    { name: "1 server, LMDB", nodes: 1, databases: [], storage: lmdb },
    { name: "2 servers, LMDB", nodes: 2, databases: [], storage: lmdb },
    { name: "1 relay of a server on LMDB", nodes: 1, databases: [], isRelayed: true, storage: lmdb },
    ...onDatabases,
  ];
  const answeredElsewhere = shapes.filter(({ name }) => WITH_CLICKHOUSE.includes(name));
  return [
    ...shapes,
    ...answeredElsewhere.map((shape) => ({
      ...shape,
      name: `${shape.name} and ClickHouse`,
      databases: [...shape.databases, "clickhouse"],
      events: addresses.clickhouse,
    })),
  ];
}

/** Starts a shape with 100 flags and an ACTIVE experiment, does some work and stops it. */
export async function whileRunning<T>(shape: Shape, work: (nodes: Node[]) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "assay-scale-"));
  const children: ReturnType<typeof spawnCli>[] = [];
  const start = async (words: string[], environment: Record<string, string> = {}) => {
    const child = spawnCli([...words, "--port", "0"], { ASSAY_RATE_LIMIT: "off", ...environment });
    children.push(child);
    return { pid: child.pid!, url: await addressOf(child) };
  };
  try {
    const serve = ["serve", "--data", folder, "--storage", shape.storage(folder)];
    const administrator = {
      ASSAY_ADMIN_USERNAME: ADMIN.username,
      ASSAY_ADMIN_PASSWORD: ADMIN.password,
      ...(shape.events === undefined ? {} : { ASSAY_EVENTS: shape.events }),
    };
    const servers = [await start(serve, administrator)];
    while (!shape.isRelayed && servers.length < shape.nodes) servers.push(await start(serve, administrator));
    const apiKey = await fill(servers[0]!.url);
    const relay = ["relay", "--upstream", servers[0]!.url, "--data", join(folder, "relay")];
    const answering = shape.isRelayed ? [await start(relay, { ASSAY_API_KEY: apiKey })] : servers;
    return await work(
      answering.map((node) => ({ ...node, port: Number(new URL(node.url).port), headers: { "x-api-key": apiKey } })),
    );
  } finally {
    for (const child of children.reverse()) {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
    }
    await rm(folder, { recursive: true, force: true });
  }
}

/** Creates flags, an experiment and an API key. Returns the key. */
async function fill(baseUrl: string): Promise<string> {
  const admin = createClient({ baseUrl, ...ADMIN });
  for (let number = 1; number <= FLAGS; number++) {
    await admin.request("POST /feature-flags/", {
      body: {
        key: `flag-${number}`,
        name: `Flag ${number}`,
        status: "ACTIVE",
        rollout_percentage: 50,
        targeting_rules: { countries: COUNTRIES },
      },
    });
  }
  const variants = [{ key: "control" }, { key: "treatment" }];
  await admin.request("POST /experiments/", {
    body: { key: EXPERIMENT, name: "Checkout", status: "ACTIVE", variants },
  });
  const { key } = await admin.request("POST /api-keys", { body: { name: "bench", scopes: ["read", "write"] } });
  return key!;
}
