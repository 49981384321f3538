import type { Environment } from "./environment.ts";

const PAUSE_MS = 10;

/** Removes what no longer counts in the background: short write transactions with pauses, so that writers get by. */
export interface Sweeper {
  /** Calls `step` in write transactions until it answers that nothing is left; once at a time for each name. */
  sweep(name: string, step: () => boolean): void;
  /** Ends before the next step; what is left is found by a later sweep. */
  close(): void;
}

/** How many records a step looks at. */
export const STEP_LENGTH = 2_000;

/** Creates the sweeper of an environment. */
export function createSweeper({ write }: Environment): Sweeper {
  const sweeping = new Set<string>();
  let closed = false;
  const run = async (step: () => boolean) => {
    for (let isDone = false; !isDone; ) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS).unref());
      if (closed) return;
      isDone = await write(step);
    }
  };
  return {
    sweep(name, step) {
      if (sweeping.has(name)) return;
      sweeping.add(name);
      // A sweep that fails is made up for by the next one of its name.
      const done = () => sweeping.delete(name);
      run(step).then(done, done);
    },
    close() {
      closed = true;
    },
  };
}
