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
  // Code is compiled by the time of the first round.
  for (const { server, ask, requests } of entrants) await load(server, ask, (isQuick ? 3 : 10) * requests);
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
