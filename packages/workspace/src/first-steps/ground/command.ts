import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";

/** The working directory and the environment of a command. */
export interface Surroundings {
  cwd: string;
  env?: NodeJS.ProcessEnv;
}

/** The timeout of a command, in milliseconds. */
const MAX_MS = 600_000;
/** The timeout for a server to become ready, and to end, in milliseconds. */
const READY_MS = 300_000;
const END_MS = 60_000;

/**
 * Runs a step and prints its duration.
 * @throws the error of the step
 */
export async function step(title: string, work: () => Promise<unknown>): Promise<void> {
  const started = performance.now();
  await work();
  console.log(`  ${title}: ok, ${Math.round((performance.now() - started) / 1_000)} s`);
}

/**
 * Does several works at the same time. After a failure, the others end before it is thrown, so that none of their servers is
 * left running.
 */
export async function together(...works: Promise<unknown>[]): Promise<void> {
  for (const end of await Promise.allSettled(works)) if (end.status === "rejected") throw end.reason;
}

/**
 * Runs a shell command and returns its output.
 * @throws Error with the output if the command fails
 */
export async function run(command: string, surroundings: Surroundings): Promise<string> {
  const { child, output, end } = start(command, surroundings);
  const timer = setTimeout(() => signal(child, "SIGKILL"), MAX_MS);
  const code = await end;
  clearTimeout(timer);
  if (code !== 0) throw new Error(`${command} ended with ${code} in ${surroundings.cwd}:\n${output()}`);
  return output();
}

/**
 * Starts a server with a shell command, does some work once it is ready, and stops it.
 * @param ready matches the output, with the address as its first group; or the address, if it is known before
 * @throws Error if the server does not become ready, or does not end after a signal
 */
export async function whileServing(
  command: string,
  surroundings: Surroundings,
  ready: RegExp | string,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const { child, output, end } = start(command, surroundings);
  try {
    const find = async () => (typeof ready === "string" ? answering(ready) : ready.exec(output())?.[1]);
    let url: string | undefined;
    for (const last = Date.now() + READY_MS; url === undefined; await pause(100)) {
      if (child.exitCode !== null || Date.now() > last) throw new Error(`${command} did not become ready`);
      url = await find();
    }
    await work(url);
    signal(child, "SIGTERM");
    if ((await Promise.race([end, pause(END_MS, "late")])) === "late") throw new Error(`${command} did not end`);
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\nIt wrote:\n${output()}`, { cause: error });
  } finally {
    signal(child, "SIGKILL");
  }
}

/** Returns an address if a server answers there. */
async function answering(url: string): Promise<string | undefined> {
  const response = await fetch(url, { redirect: "manual" }).catch(() => undefined);
  await response?.body?.cancel();
  return response && url;
}

function start(command: string, { cwd, env }: Surroundings) {
  // Drops the settings of the pnpm that runs this script.
  const own = Object.entries(process.env).filter(([name]) => !/^p?npm_/i.test(name));
  // A separate process group, because npm and npx do not forward every signal.
  const child = spawn("sh", ["-c", command], { cwd, env: { ...Object.fromEntries(own), ...env }, detached: true });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      text += chunk;
    });
  }
  const end = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return { child, output: () => text, end };
}

/** Sends a signal to a command and all its running child processes. */
function signal(child: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (child.pid) process.kill(-child.pid, name);
  } catch {
    // All processes have ended.
  }
}
