import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { RESULTS } from "../http/cases.ts";
import { ROOT } from "../http/server-process.ts";
import { type Memory, watchMemory } from "../measure/memory.ts";
import { type StoredEvents, storeEvents } from "../results/stored.ts";
import { addPoints, type Curve, type Growth, powersOfTen } from "./growth.ts";

const EXPERIMENTS = 50;
const MEGABYTE = 1_000_000;

/** Starts `assay serve` as it is built, asks for the results of one experiment, and returns the most memory until then. */
async function memoryOfResults({ storage, apiKey }: StoredEvents): Promise<Memory> {
  const words = [`${ROOT}packages/cli/bin/assay.mjs`, "serve", "--port", "0", "--storage", `lmdb:${storage}`];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  const stop = watchMemory(child.pid!);
  try {
    const url = await addressOf(createInterface(child.stdout));
    const response = await fetch(`${url}${RESULTS.path}`, { headers: { "x-api-key": apiKey } });
    if (!response.ok) throw new Error(`The results were answered with ${response.status}`);
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

export const memory: Growth = {
  name: "memory",
  title: "Memory",
  setting: `\`assay serve\` starts on LMDB with more and more events of ${EXPERIMENTS} experiments, a tenth of them the exposures of a user
each, and answers the results of one experiment: the most memory that the process had. Resident memory includes the pages of the
database file, which the system takes back when it needs them.`,
  x: "events",
  y: "megabytes",
  async run({ isQuick, say }): Promise<Curve[]> {
    const curves: Curve[] = [];
    for (const size of powersOfTen(10_000, isQuick ? 1_000_000 : 10_000_000)) {
      say(`${size} events`);
      const stored = await storeEvents(size, EXPERIMENTS);
      const { resident, own } = await memoryOfResults(stored);
      const costs: [string, number][] = [
        ["Resident", resident / MEGABYTE],
        ["Private", own / MEGABYTE],
      ];
      addPoints(curves, size, new Map(costs));
      await stored.remove();
    }
    return curves;
  },
};
