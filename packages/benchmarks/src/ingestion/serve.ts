import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createClient } from "@assay/client";
import { ADMIN, EXPERIMENT } from "../http/cases.ts";
import { ROOT } from "../http/server-process.ts";

const CLI = join(ROOT, "packages/cli/bin/assay.mjs");

/** A running `assay serve` with an ACTIVE experiment. */
export interface Serving {
  pid: number;
  url: string;
  apiKey: string;
  close(): Promise<void>;
}

/** Runs a command of the built CLI. @throws Error if it fails */
export async function runAssay(words: string[]): Promise<void> {
  const [code] = await once(spawnCli(words, {}), "exit");
  if (code !== 0) throw new Error(`assay ${words[0]} ended with ${code}`);
}

/** Starts `assay serve` as it is built, on LMDB in a folder. */
export async function serveAssay(folder: string): Promise<Serving> {
  const environment = {
    ASSAY_ADMIN_USERNAME: ADMIN.username,
    ASSAY_ADMIN_PASSWORD: ADMIN.password,
    ASSAY_RATE_LIMIT: "off",
  };
  const server = spawnCli(["serve", "--port", "0", "--data", folder], environment);
  const url = await addressOf(server);
  const admin = createClient({ baseUrl: url, ...ADMIN });
  const variants = [{ key: "control" }, { key: "treatment" }];
  const body = { key: EXPERIMENT, name: "Checkout", status: "ACTIVE" as const, variants };
  await admin.request("POST /experiments/", { body });
  const { key } = await admin.request("POST /api-keys", { body: { name: "bench", scopes: ["read", "write"] } });
  return {
    pid: server.pid!,
    url,
    apiKey: key!,
    async close() {
      server.kill("SIGTERM");
      await once(server, "exit");
    },
  };
}

/** Starts a command of the built CLI. */
export function spawnCli(words: string[], environment: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [CLI, ...words], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  // Its output is read, so that it never waits.
  child.stdout!.resume();
  return child;
}

/** Returns the address that a server or a relay prints. */
export function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    server.stdout!.on("data", (part) => {
      text += part;
      const found = /ready at (http:\S+)/.exec(text);
      if (found) resolve(found[1]!);
    });
    server.once("exit", () => reject(new Error(`assay serve did not start:\n${text}`)));
  });
}
