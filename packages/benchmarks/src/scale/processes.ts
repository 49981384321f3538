import { readdirSync, readFileSync } from "node:fs";

/** The clock ticks of `/proc` last 10 ms on every Linux. */
const TICK_US = 10_000;

/** Returns the microseconds of CPU that a process has used so far; Linux only. @param withEnded also by its ended children */
export function cpuOfProcess(pid: number | string, withEnded = false): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name in parentheses may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number) as [number, number, number, number];
  return TICK_US * (user + system + (withEnded ? endedUser + endedSystem : 0));
}

/** Returns the microseconds of CPU of all processes whose name begins like this, such as those of a database. */
export function cpuOfProgram(name: string): number {
  let sum = 0;
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      if (readFileSync(`/proc/${pid}/comm`, "utf8").startsWith(name)) sum += cpuOfProcess(pid, true);
    } catch {
      // It has ended in between; its parent counts it.
    }
  }
  return sum;
}

/** Returns the memory that only this process has, in bytes. */
export function ownMemoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return 1_024 * Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
}
