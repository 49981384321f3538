import { readFile } from "node:fs/promises";

/** Memory of a process, in bytes. */
export interface Memory {
  /** All pages in memory, those of mapped files included, which the system can take back. */
  resident: number;
  /** The pages that only this process has. */
  own: number;
}

const EVERY_MS = 25;

/** Watches the memory of a process; Linux only. Returns a function that stops it and returns the most that there was. */
export function watchMemory(pid: number): () => Promise<Memory> {
  const most: Memory = { resident: 0, own: 0 };
  let failure: unknown;
  async function look(): Promise<void> {
    const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
    const sizeOf = (name: string) => 1024 * Number(new RegExp(`^${name}: *(\\d+) kB`, "m").exec(text)?.[1]);
    most.resident = Math.max(most.resident, sizeOf("Rss"));
    most.own = Math.max(most.own, sizeOf("Private_Clean") + sizeOf("Private_Dirty"));
  }
  const timer = setInterval(() => {
    look().catch((error: unknown) => {
      failure = error;
    });
  }, EVERY_MS);
  return async () => {
    clearInterval(timer);
    if (failure) throw failure;
    return most;
  };
}
