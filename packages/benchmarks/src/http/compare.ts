import type { RunOptions } from "../measure/group.ts";
import { interleave } from "../measure/interleave.ts";
import { type Measurement, toMeasurements } from "../measure/measurement.ts";
import { quantileOf } from "../measure/statistics.ts";
import type { Ask } from "./cases.ts";
import { load } from "./load.ts";
import type { ServerProcess } from "./server-process.ts";

/** A server with what it is asked, and how often in a round. */
export interface Entrant {
  server: ServerProcess;
  ask: Ask;
  requests: number;
}

/**
 * How long a server is asked before it is measured, in milliseconds. It answers tens of thousands of requests, or some
 * thousands with 100 events each, until all code on the way is compiled.
 */
const WARM_UP_MS = 10_000;
/** Enough for all users of the cases to be assigned to the experiment, which happens once. */
const QUICK_WARM_UP_MS = 4_000;

/** Returns the name under which the 99th percentile of a case's times is measured. */
export function slowestOf(caseName: string): string {
  return `${caseName}: 99th percentile`;
}

/** Measures the CPU of one request in microseconds, and the 99th percentile of times in milliseconds, in turns. */
export async function compareServers(
  caseName: string,
  entrants: readonly Entrant[],
  { isQuick }: RunOptions,
): Promise<Measurement[]> {
  const slowest = new Map(entrants.map(({ server }): [string, number[]] => [server.name, []]));
  for (const entrant of entrants) await warmUp(entrant, isQuick ? QUICK_WARM_UP_MS : WARM_UP_MS);
  const subjects = entrants.map(({ server, ask, requests }) => ({
    name: server.name,
    async measure() {
      const before = await server.cpu();
      const times = await load(server, ask, requests);
      slowest.get(server.name)!.push(quantileOf(times, 0.99));
      return ((await server.cpu()) - before) / requests;
    },
  }));
  const figures = await interleave(subjects, isQuick ? 5 : 15);
  return [...toMeasurements(caseName, "us", figures), ...toMeasurements(slowestOf(caseName), "ms", slowest)];
}

async function warmUp({ server, ask, requests }: Entrant, ms: number): Promise<void> {
  const end = performance.now() + ms;
  do await load(server, ask, requests);
  while (performance.now() < end);
}
