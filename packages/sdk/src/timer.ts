/** The longest delay of a timer in milliseconds: one beyond 32 bits would fire at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** A timer that holds one task and never keeps a process alive. */
export interface Timer {
  /** Sets the task, replacing any other. */
  set(milliseconds: number, task: () => void): void;
  clear(): void;
}

export function createTimer(): Timer {
  let handle: ReturnType<typeof setTimeout> | undefined;
  const clear = () => clearTimeout(handle);
  return {
    clear,
    set(milliseconds, task) {
      clear();
      handle = setTimeout(task, Math.min(milliseconds, MAX_DELAY_MS));
      // Timers are numbers in browsers.
      (handle as Partial<typeof handle>).unref?.();
    },
  };
}
