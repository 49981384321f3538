import { setTimeout as wait } from "node:timers/promises";
import { uuidv7 } from "uuidv7";
import { type Ask, BATCH, EXPERIMENT, OFREP } from "../http/cases.ts";
import { load } from "../http/load.ts";
import { quantileOf } from "../measure/statistics.ts";
import { cpuOfProcess, cpuOfProgram, ownMemoryOf } from "./processes.ts";
import { type Node, type Shape, whileRunning } from "./shapes.ts";

/** What applications ask of servers. */
export type Work = "evaluation" | "assignment" | "events";

/** What one kind of work costs in a shape. */
export interface Cost {
  shape: string;
  work: Work;
  /** Requests a second of all servers together. */
  throughput: number;
  /** The median and the 99th percentile of the time of a request, in milliseconds. */
  median: number;
  slow: number;
  /** Microseconds of CPU a request, of the servers that answer and of the databases, with the copy to ClickHouse. */
  serverCpu: number;
  databaseCpu: number;
  /** The memory that a server alone has after it, in bytes. */
  memory: number;
}

const ASSIGN: Ask = {
  method: "POST",
  path: "/api/v1/tracking/assign",
  // A new user with each request, so that each is a first assignment, which the store keeps.
  body: () => ({ experiment_key: EXPERIMENT, user_id: uuidv7() }),
};

/** The requests of a measurement. A batch has 100 events. */
const WORKS: [Work, Ask, requests: number][] = [
  ["evaluation", OFREP, 12_000],
  ["assignment", ASSIGN, 6_000],
  ["events", BATCH, 600],
];
/** Requests under way at each server. */
const CONNECTIONS = 16;

/** Measures a shape. @param share of the requests of a whole measurement */
export function measureShape(shape: Shape, share: number): Promise<Cost[]> {
  return whileRunning(shape, async (nodes) => {
    const costs: Cost[] = [];
    for (const [work, ask, requests] of WORKS) {
      // A relay has no assignments.
      if (shape.isRelayed && work === "assignment") continue;
      const each = Math.ceil((requests * share) / nodes.length);
      // Every server has compiled its code before, however many there are.
      await askAll(nodes, ask, Math.ceil((requests * share) / 3));
      costs.push(await costOf(shape, nodes, work, ask, each));
    }
    return costs;
  });
}

async function costOf(shape: Shape, nodes: Node[], work: Work, ask: Ask, each: number): Promise<Cost> {
  const cpu = () => ({
    server: nodes.reduce((sum, { pid }) => sum + cpuOfProcess(pid), 0),
    database: shape.databases.reduce((sum, name) => sum + cpuOfProgram(name), 0),
  });
  await copied(shape, nodes);
  const before = cpu();
  const start = performance.now();
  const times = await askAll(nodes, ask, each);
  const seconds = (performance.now() - start) / 1_000;
  await copied(shape, nodes);
  const after = cpu();
  return {
    shape: shape.name,
    work,
    throughput: times.length / seconds,
    median: quantileOf(times, 0.5),
    slow: quantileOf(times, 0.99),
    serverCpu: (after.server - before.server) / times.length,
    databaseCpu: (after.database - before.database) / times.length,
    memory: Math.max(...nodes.map(({ pid }) => ownMemoryOf(pid))),
  };
}

/** Waits until ClickHouse has every event, if there is one. */
async function copied({ events }: Shape, [node]: Node[]): Promise<void> {
  if (events === undefined) return;
  for (;;) {
    const { events } = (await fetch(`${node!.url}/readyz`).then((response) => response.json())) as Readiness;
    if (events.behind === 0) return;
    await wait(20);
  }
}

interface Readiness {
  events: { behind: number | null };
}

async function askAll(nodes: Node[], ask: Ask, each: number): Promise<number[]> {
  return (await Promise.all(nodes.map((node) => load(node, ask, each, CONNECTIONS)))).flat();
}
