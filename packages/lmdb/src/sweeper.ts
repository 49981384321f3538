import type { Environment } from "./environment.ts";

const PAUSE_MS = 10;

/**
 * Removes obsolete records in the background, in short write transactions with pauses, so that other writers proceed.
 */
export interface Sweeper {
  /**
   * Runs the step that `begin` creates, in write transactions, until it reports that nothing is left. Only one run for
   * each name is active. A request during a run starts one more from the beginning.
   */
  sweep(name: string, begin: () => () => boolean): void;
  /** Stops before the next step. A later sweep finds the rest. */
  close(): void;
}

/** The number of records per step. */
export const STEP_LENGTH = 2_000;

/** Creates the sweeper of an environment. */
export function createSweeper({ write }: Environment): Sweeper {
  /** Whether another sweep of this name was requested since the current one began. */
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
        // The next sweep of this name finds what is left.
      } finally {
        sweeping.delete(name);
      }
    },
    close() {
      closed = true;
    },
  };
}
