import { expect } from "vitest";
import type { Node } from "./nodes.fixture.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/**
 * Sets the clock of servers so that jobs of each minute, hour and day become due together, at four o'clock, after some
 * time.
 * @returns the environment of the servers, and their time in milliseconds since 1970
 */
export function clockBeforeFour(leadMs: number) {
  const now = Date.now();
  const four = (Math.floor(now / DAY_MS) + 1) * DAY_MS + 4 * 60 * MINUTE_MS;
  const ahead = four - leadMs - now;
  const script = `const now = Date.now; Date.now = () => now() + ${ahead};`;
  return {
    environment: { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(script)}` },
    ahead,
    four,
    now: () => Date.now() + ahead,
  };
}

/** Whether a schedule with minutes and hours is due at a whole minute. */
function isDue(schedule: string, time: number): boolean {
  const [minute = "", hour = ""] = schedule.split(" ");
  const date = new Date(time);
  const fits = (field: string, value: number) => field === "*" || Number(field) === value;
  return fits(minute, date.getUTCMinutes()) && fits(hour, date.getUTCHours());
}

/** Returns how often a schedule was due after one moment and until another. */
function periodsOf(schedule: string, after: number, until: number): number {
  let count = 0;
  for (let time = (Math.floor(after / MINUTE_MS) + 1) * MINUTE_MS; time <= until; time += MINUTE_MS) {
    if (isDue(schedule, time)) count++;
  }
  return count;
}

/** Returns how often all servers together have run each job. */
async function runsOf(nodes: readonly Node[]): Promise<Map<string, number>> {
  const runs = new Map<string, number>();
  for (const { metrics } of nodes) {
    const text = await (await fetch(metrics)).text();
    for (const [, job = "", count] of text.matchAll(/^assay_job_duration_seconds_count\{job="([^"]+)"\} (\d+)/gm)) {
      runs.set(job, (runs.get(job) ?? 0) + Number(count));
    }
  }
  return runs;
}

/**
 * Expects that the servers together have run each job once in each period since their start. Waits for the runs that are
 * due.
 * @returns the number of runs
 */
export async function expectOneRunAPeriod(nodes: readonly Node[], started: number, now: () => number): Promise<number> {
  const { items } = await nodes[0]!.client.request("GET /scheduler/jobs");
  const counted = async () => {
    const until = now();
    const runs = await runsOf(nodes);
    return items.map(({ name, schedule }) => ({
      name,
      runs: runs.get(name) ?? 0,
      periods: periodsOf(schedule, started, until),
    }));
  };
  // A job that ran twice never has the right number again: the next period is a minute away.
  await expect
    .poll(async () => (await counted()).filter(({ runs, periods }) => runs !== periods), { interval: 200 })
    .toEqual([]);
  const found = await counted();
  expect(found.filter(({ runs }) => runs > 0).length).toBeGreaterThan(5);
  return found.reduce((sum, { runs }) => sum + runs, 0);
}
