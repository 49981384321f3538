import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createClient } from "@assay/client";

const EXAMPLES = fileURLToPath(new URL("..", import.meta.url));
/** `npm test` builds the packages first; an example then imports them as built, which takes less time. */
const RUN_TYPESCRIPT = process.env.ASSAY_TEST_BUILT
  ? ["--import", "tsx"]
  : ["--import", "tsx", "--conditions=@assay/source"];
/** Building for the browser takes a busy machine a minute. */
const PATIENCE_MS = 110_000;

export const ADMIN = { username: "admin", password: "a-password-of-tests" };

/** A client for the administrator of an example that serves. */
export const connect = (baseUrl: string) => createClient({ baseUrl, ...ADMIN });

const running = new Set<ChildProcess>();

function start(name: string, environment: Record<string, string>) {
  const child = spawn(process.execPath, [...RUN_TYPESCRIPT, "main.ts"], {
    cwd: `${EXAMPLES}/${name}`,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += chunk));
  const exit = new Promise<number | null>((resolve) => {
    child.once("close", (code) => {
      running.delete(child);
      resolve(code);
    });
  });
  return { child, exit, output: () => text };
}

/** Runs an example to its end: its exit code and all it has written. */
export async function runExample(name: string, environment: Record<string, string> = {}) {
  const { exit, output } = start(name, environment);
  return { code: await exit, output: output() };
}

/** Starts an example that serves, on a free port, and waits until it says where. */
export async function serveExample(name: string, environment: Record<string, string> = {}) {
  const { child, exit, output } = start(name, { PORT: "0", ADMIN_PASSWORD: ADMIN.password, ...environment });
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
    const url = /ready at (http:\S+?)\/?\n/.exec(output())?.[1];
    if (url !== undefined) return { url, child, exit };
    if (child.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${name} did not become ready:\n${output()}`);
}

/** Ends what a failed test has left running. */
export function stopExamples(): void {
  for (const child of running) child.kill("SIGKILL");
}
