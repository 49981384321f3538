import { BATCH } from "../http/cases.ts";
import { load } from "../http/load.ts";
import type { ServerProcess } from "../http/server-process.ts";
import type { Subject } from "../measure/interleave.ts";

/** Batches of one round. */
export const BATCHES = 300;
/** Events in a batch. */
export const SIZE = 100;

/** Writes batches over HTTP; `measure` returns events a second. */
export function openHttpWriter(server: ServerProcess): Subject {
  return {
    name: server.name,
    async measure() {
      const start = performance.now();
      await load(server, BATCH, BATCHES);
      return (BATCHES * SIZE * 1_000) / (performance.now() - start);
    },
  };
}
