import { readFile } from "node:fs/promises";

/** How often the memory of the process is read, in milliseconds. */
const INTERVAL_MS = 100;
const PRIVATE = /^RssAnon:\s+(\d+) kB$/m;

/**
 * Watches the private memory of a process: its pages without those of mapped files, which the system can drop at any time.
 *
 * @returns a function that ends this and returns the most memory in bytes; undefined on other systems than Linux
 */
export function watchPrivateMemory(pid: number): () => number | undefined {
  let most: number | undefined;
  const timer = setInterval(async () => {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    const bytes = Number(PRIVATE.exec(status)?.[1]) * 1_024;
    if (bytes > (most ?? 0)) most = bytes;
  }, INTERVAL_MS);
  return () => {
    clearInterval(timer);
    return most;
  };
}
