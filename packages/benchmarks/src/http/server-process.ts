import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Case } from "./cases.ts";
import type { Samples } from "./floor.child.ts";
import type { Address } from "./load.ts";

/** A server in a separate process, so that its CPU time is its own. */
export interface ServerProcess extends Address {
  name: string;
  /** The id of the process. */
  pid: number;
  /** Microseconds of CPU that the process has used. */
  cpu(): Promise<number>;
  /** Starts to watch the event loop. */
  watch(): Promise<void>;
  /** The longest time in milliseconds that the event loop was blocked since `watch`. */
  blocked(): Promise<number>;
  /** What the process has measured at its start. */
  facts: Readonly<Record<string, number>>;
  /** Sends a request of a case once and returns the answer. @throws Error unless it succeeds */
  sample(one: Case): Promise<string>;
  close(): Promise<void>;
}

/** The root of this checkout. */
export const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

/** Starts Assay as it is built in a checkout. */
export function startAssay(
  name: string,
  { checkout = ROOT, store = "memory" as "memory" | "lmdb", experiments = 1 } = {},
): Promise<ServerProcess> {
  return startServer(name, new URL("assay.child.ts", import.meta.url), [checkout, store, String(experiments)]);
}

/** Starts a floor that answers what a real server answered. @param depth `parse` does not validate */
export function startFloor(
  name: string,
  framework: string,
  samples: Samples,
  depth: "validate" | "parse" = "validate",
): Promise<ServerProcess> {
  return startServer(name, new URL("floor.child.ts", import.meta.url), [framework, depth], samples);
}

/** Starts Unleash with flags, on its own database. */
export function startUnleash(name: string, flags: number, databaseUrl: string): Promise<ServerProcess> {
  return startServer(name, new URL("../../peers/http/unleash.child.ts", import.meta.url), [String(flags), databaseUrl]);
}

/** Starts a script that announces itself. @param first what it is sent at first */
export async function startServer(name: string, script: URL, words: string[], first?: object): Promise<ServerProcess> {
  const child = fork(fileURLToPath(script), words, { execArgv: ["--import", "tsx"] });
  if (first) child.send(first);
  const ended = once(child, "exit").then(() => {
    throw new Error(`The server "${name}" has not started; is it built?`);
  });
  const [address] = (await Promise.race([once(child, "message"), ended])) as [Address & Pick<ServerProcess, "facts">];
  ended.catch(() => {});
  return {
    name,
    pid: child.pid!,
    ...address,
    async cpu() {
      const { user, system } = await ask<NodeJS.CpuUsage>(child, "cpu");
      return user + system;
    },
    watch: () => ask<void>(child, "watch"),
    blocked: () => ask<number>(child, "blocked"),
    sample: (one) => sampleOf(address, one),
    async close() {
      const exit = once(child, "exit");
      child.disconnect();
      await exit;
    },
  };
}

async function ask<T>(child: ChildProcess, question: "cpu" | "watch" | "blocked"): Promise<T> {
  child.send(question);
  const [answer] = (await once(child, "message")) as [T];
  return answer;
}

async function sampleOf({ port, headers }: Address, { method, path, body }: Case): Promise<string> {
  const init = {
    method,
    headers: { ...headers, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body()) }),
  };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}`);
  return response.text();
}
