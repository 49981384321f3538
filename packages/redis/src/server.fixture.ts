import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";

/** Whether `redis-server` is installed. */
export const IS_INSTALLED = spawnSync("redis-server", ["--version"]).status === 0;

/** A Redis of one test, which it may stop, kill and freeze. */
export interface Server {
  port: number;
  url: string;
  start(): Promise<void>;
  /** Ends the process at once, as a crash does. */
  crash(): Promise<void>;
  freeze(): void;
  thaw(): void;
  remove(): Promise<void>;
  /** Runs a command, outside any store. */
  execute(...words: string[]): Promise<unknown>;
}

const DURABLE = ["--appendonly", "yes", "--appendfsync", "always", "--save", ""];

/** The port of the bus of a cluster, by which its servers talk to each other. */
const busOf = (port: number) => port + 10_000;

/** Returns a port that is free, as is its bus, below those that systems give to connections. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 16_000 + Math.floor(Math.random() * 6_000);
    if ((await isFree(port)) && (await isFree(busOf(port)))) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  const [isListening] = await Promise.race([
    once(server, "listening").then(() => [true]),
    once(server, "error").then(() => [false]),
  ]).catch(() => [false]);
  await new Promise((resolve) => server.close(resolve));
  return isListening!;
}

/** Starts a server on loopback, with settings that keep what it acknowledges unless others are given. */
export async function startServer(settings = DURABLE): Promise<Server> {
  const directory = mkdtempSync(join(tmpdir(), "assay-redis-"));
  const port = await freePort();
  const words = ["--port", String(port), "--bind", "127.0.0.1", "--dir", directory, ...settings];
  const url = `redis://127.0.0.1:${port}`;
  let child: ChildProcess;

  async function execute(...words: string[]): Promise<unknown> {
    const client = new Redis(url, { maxRetriesPerRequest: 100, retryStrategy: () => 20 });
    client.on("error", () => {});
    try {
      return await client.call(words[0]!, ...words.slice(1));
    } finally {
      client.disconnect();
    }
  }

  const server: Server = {
    port,
    url,
    async start() {
      child = spawn("redis-server", words, { stdio: "ignore" });
      await execute("PING");
    },
    async crash() {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
    freeze: () => child.kill("SIGSTOP"),
    thaw: () => child.kill("SIGCONT"),
    async remove() {
      if (child.exitCode === null && child.signalCode === null) await server.crash();
      // A child of a killed server may still write a snapshot for its replica.
      await rm(directory, { recursive: true, force: true, maxRetries: 10 });
    },
    execute,
  };
  await server.start();
  return server;
}
