import { readFile } from "node:fs/promises";

/** How often the memory of the process is read, in milliseconds. */
const INTERVAL_MS = 100;

/** The most memory of a process, in bytes. */
export interface Memory {
  /** With the pages of mapped files. */
  resident: number;
  /** Without the pages of mapped files, which the system can drop at any time. */
  private: number;
}

/**
 * Watches the memory of a process.
 *
 * @returns a function that ends this and returns the most memory; undefined on other systems than Linux
 */
export function watchMemory(pid: number): () => Memory | undefined {
  const most: Memory = { resident: 0, private: 0 };
  const timer = setInterval(async () => {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    most.resident = Math.max(most.resident, bytesOf("VmHWM", status));
    most.private = Math.max(most.private, bytesOf("RssAnon", status));
  }, INTERVAL_MS);
  return () => {
    clearInterval(timer);
    return most.private > 0 ? most : undefined;
  };
}

function bytesOf(name: string, status: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1] ?? 0) * 1_024;
}
