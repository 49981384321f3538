import type { Environment } from "./environment.ts";

const PAUSE_MS = 10;

/** Removes what no longer counts in the background: short write transactions with pauses, so that writers get by. */
export interface Sweeper {
  /**
   * Calls the step that `begin` makes in write transactions until it answers that nothing is left; once at a time for
   * each name, and once more from the beginning where it is asked for meanwhile.
   */
  sweep(name: string, begin: () => () => boolean): void;
  /** Ends before the next step; what is left is found by a later sweep. */
  close(): void;
}

/** How many records a step looks at. */
export const STEP_LENGTH = 2_000;

/** Creates the sweeper of an environment. */
export function createSweeper({ write }: Environment): Sweeper {
  /** By name, whether another sweep was asked for since this one began. */
  const sweeping = new Map<string, boolean>();
  let closed = false;
  const run = async (step: () => boolean) => {
    for (let isDone = false; !isDone; ) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS).unref());
      if (closed) return;
      isDone = await write(step);
    }
  };
  return {
    async sweep(name, begin) {
      const isRunning = sweeping.has(name);
      sweeping.set(name, isRunning);
      if (isRunning) return;
      try {
        do {
          sweeping.set(name, false);
          await run(begin());
        } while (sweeping.get(name) && !closed);
      } catch {
        // Made up for by the next sweep of this name.
      } finally {
        sweeping.delete(name);
      }
    },
    close() {
      closed = true;
    },
  };
}
