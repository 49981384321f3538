import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { ROOT } from "../http/server-process.ts";
import { type Memory, watchMemory } from "../measure/memory.ts";
import type { StoredEvents } from "../results/stored.ts";

/**
 * Starts `assay serve` as it is built on stored events, does some work with its address, and returns the most memory that
 * the process had until then.
 */
export async function memoryOfServer(
  { storage }: StoredEvents,
  options: readonly string[],
  work: (url: string) => Promise<void>,
): Promise<Memory> {
  const words = [`${ROOT}packages/cli/bin/assay.mjs`, "serve", "--port", "0", "--storage", `lmdb:${storage}`];
  const child = spawn(process.execPath, [...words, ...options], { stdio: ["ignore", "pipe", "inherit"] });
  const stop = watchMemory(child.pid!);
  try {
    await work(await addressOf(createInterface(child.stdout)));
    return await stop();
  } finally {
    const ended = once(child, "exit");
    child.kill();
    await ended;
  }
}

async function addressOf(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const [, url] = /ready at (http:\S+)/.exec(line) ?? [];
    if (url) return url;
  }
  throw new Error("The server has not started; is it built?");
}
