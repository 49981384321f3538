import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";

/** Where and with what a command runs. */
export interface Surroundings {
  cwd: string;
  env?: NodeJS.ProcessEnv;
}

/** A command that hangs must not hold up the whole run for longer. */
const LONGEST_MS = 600_000;
/** What a server may take to become ready, and then to end. */
const READY_MS = 300_000;
const END_MS = 60_000;

/** Does a piece of work and prints how long it took. @throws what the work throws */
export async function step(title: string, work: () => Promise<unknown>): Promise<void> {
  const started = performance.now();
  await work();
  console.log(`  ${title}: ok, ${Math.round((performance.now() - started) / 1_000)} s`);
}

/** Runs a shell command to its end, and answers what it wrote. @throws Error with all of that where it fails */
export async function run(command: string, surroundings: Surroundings): Promise<string> {
  const { child, output, end } = start(command, surroundings);
  const timer = setTimeout(() => signal(child, "SIGKILL"), LONGEST_MS);
  const code = await end;
  clearTimeout(timer);
  if (code !== 0) throw new Error(`${command} ended with ${code} in ${surroundings.cwd}:\n${output()}`);
  return output();
}

/**
 * Starts a shell command that serves, does a piece of work once it has said where, and stops it.
 * @param ready matches what it says, with the address as its first group
 * @throws Error where it does not become ready, or does not end when it is told to
 */
export async function whileServing(
  command: string,
  surroundings: Surroundings,
  ready: RegExp,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const { child, output, end } = start(command, surroundings);
  try {
    const url = () => ready.exec(output())?.[1];
    for (const last = Date.now() + READY_MS; url() === undefined; await pause(100)) {
      if (child.exitCode !== null || Date.now() > last) throw new Error(`${command} did not become ready`);
    }
    await work(url() ?? "");
    signal(child, "SIGTERM");
    if ((await Promise.race([end, pause(END_MS, "late")])) === "late") throw new Error(`${command} did not end`);
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\nIt wrote:\n${output()}`, { cause: error });
  } finally {
    signal(child, "SIGKILL");
  }
}

function start(command: string, { cwd, env }: Surroundings) {
  // Settings of the pnpm that runs this script are not those of the machine.
  const own = Object.entries(process.env).filter(([name]) => !/^p?npm_/i.test(name));
  // A group of processes of its own: npm and npx do not hand every signal on.
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

/** Tells a command and all that it has started, as far as they still run. */
function signal(child: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (child.pid) process.kill(-child.pid, name);
  } catch {
    // All of them have ended.
  }
}
