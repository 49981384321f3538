/** The longest delay of a timer in milliseconds: one beyond 32 bits would fire at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** One timer at a time, which never keeps a process alive. */
export interface Timer {
  /** Replaces any timer that is set. */
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
      if (typeof handle === "object") handle.unref();
    },
  };
}
