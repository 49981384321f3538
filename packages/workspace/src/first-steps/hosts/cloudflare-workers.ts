import { deepEqual, equal } from "node:assert/strict";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { whileServing } from "../ground/command.ts";
import { PASSWORD } from "../ground/evaluate.ts";
import type { Host } from "./host.ts";
import { whileRunning } from "./running.ts";

const SERVER = "outside-server.mjs";

/** Checks that the worker evaluates and redirects in Cloudflare's runtime, with a server outside of it. */
async function check(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  await cp(join(import.meta.dirname, SERVER), join(folder, SERVER));
  const surroundings = { cwd: folder, env: { ...env, ADMIN_PASSWORD: PASSWORD } };
  await whileServing(`node ${SERVER}`, surroundings, /^(--var .*)\n/m, (bindings) =>
    whileRunning(`npx wrangler dev --ip $HOST --port $PORT ${bindings}`, { folder, env }, ({ url }) => visit(url)),
  );
}

async function visit(url: string): Promise<void> {
  const checkout = async (user: string) =>
    (await fetch(`${url}/checkout`, { headers: { cookie: `user=${user}` } })).text();
  deepEqual([await checkout("grace"), await checkout("ada")], ["The new checkout", "The old checkout"]);
  const body = JSON.stringify({ context: { targetingKey: "grace" } });
  const answer = await fetch(`${url}/ofrep/v1/evaluate/flags/new-checkout`, { method: "POST", body });
  equal(((await answer.json()) as { value: unknown }).value, true);
  const kept = await fetch(url, { headers: { cookie: "exp_landing=new" }, redirect: "manual" });
  deepEqual([kept.status, kept.headers.get("location")], [302, "/new"]);
}

export const cloudflareWorkers: Host = {
  example: "cloudflare-workers",
  title: "Cloudflare Workers",
  dependencies: { "@assay/server": "*" },
  check,
  env: { WRANGLER_SEND_METRICS: "false", CI: "1" },
};
