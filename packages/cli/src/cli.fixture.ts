import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { createClient } from "@assay/client";
import { RUN_TYPESCRIPT } from "../../workspace/src/typescript.fixture.ts";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
// `npm test` builds first and then runs what is published, which starts four times as fast as the sources.
const ENTRY = process.env.ASSAY_TEST_BUILT ? ["bin/assay.mjs"] : [...RUN_TYPESCRIPT, "src/assay.child.ts"];
const PATIENCE_MS = 30_000;

export const PASSWORD = "a-password-of-tests";

/** A command of this CLI, running in its own process. */
export interface Command {
  child: ChildProcess;
  /** Returns its output so far, from both streams. */
  output(): string;
  /** Returns the first match in its output, as soon as there is one. */
  match(pattern: RegExp): Promise<RegExpExecArray>;
  /** Its exit code; null if a signal ended it. */
  exit: Promise<number | null>;
}

const running = new Set<ChildProcess>();

/**
 * Starts `assay …` in an environment with only these settings.
 * @param onTerminal whether it has a terminal, into which `child.stdin` types
 */
export function start(words: string[], environment: Record<string, string> = {}, onTerminal = false): Command {
  const line = [process.execPath, ...ENTRY, ...words];
  const [program = "", ...rest] = onTerminal ? ["script", "-qec", line.join(" "), "/dev/null"] : line;
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("ASSAY_"));
  const child = spawn(program, rest, {
    cwd: PACKAGE,
    // No test reads the configuration of the person who runs it.
    env: { ...Object.fromEntries(inherited), ASSAY_CONFIG: "/nonexistent/assay.json", ...environment },
    stdio: [onTerminal ? "pipe" : "ignore", "pipe", "pipe"],
  });
  running.add(child);
  let text = "";
  for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (chunk) => (text += chunk));
  const exit = new Promise<number | null>((resolve) => {
    child.once("close", (code) => {
      running.delete(child);
      resolve(code);
    });
  });
  return {
    child,
    exit,
    output: () => text,
    async match(pattern) {
      for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
        const found = pattern.exec(text);
        if (found) return found;
        if (child.exitCode !== null || child.signalCode !== null) break;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      const found = pattern.exec(text);
      if (found) return found;
      throw new Error(`${pattern} did not appear in:\n${text}`);
    },
  };
}

/** Runs `assay …` to its end. */
export async function run(words: string[], environment: Record<string, string> = {}) {
  const command = start(words, environment);
  const code = await command.exit;
  return { code, output: command.output() };
}

/** Starts `assay serve` and waits until it is ready. */
export async function serve(words: string[], environment: Record<string, string> = {}) {
  const started = performance.now();
  const command = start(["serve", "--port", "0", ...words], {
    ASSAY_ADMIN_PASSWORD: PASSWORD,
    ASSAY_RATE_LIMIT: "off",
    ...environment,
  });
  const [, url = ""] = await command.match(/ready at (http:\S+)/);
  const ms = performance.now() - started;
  const readyAt = Date.now();
  return { ...command, url, ms, readyAt, admin: createClient({ baseUrl: url, username: "admin", password: PASSWORD }) };
}

export type Serving = Awaited<ReturnType<typeof serve>>;

/** Ends processes that a failed test has left running. */
export async function stopAll(): Promise<void> {
  const children = [...running];
  const ends = children.map((child) => new Promise((resolve) => child.once("close", resolve)));
  for (const child of children) child.kill("SIGKILL");
  await Promise.all(ends);
}

/** Returns a recently free port. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
