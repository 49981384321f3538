import { deepEqual, equal } from "node:assert/strict";
import { createServer } from "node:http";
import { PASSWORD } from "../evaluate.ts";
import type { Host } from "./host.ts";
import { whileRunning } from "./running.ts";

/** A server outside of the worker. */
async function startServer() {
  // Loaded here, because the list of hosts is also read where no server is needed.
  const [{ createClient }, { createAssay }] = await Promise.all([import("@assay/client"), import("@assay/server")]);
  const administrator = { username: "admin", password: PASSWORD };
  const assay = createAssay({ admin: administrator });
  const server = createServer(assay.node);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const admin = createClient({ baseUrl: url, ...administrator });
  await admin.request("POST /feature-flags/", {
    body: { key: "new-checkout", name: "New checkout", status: "ACTIVE", rollout_percentage: 50 },
  });
  const variants = [
    { key: "old", url: "/", weight: 50 },
    { key: "new", url: "/new", weight: 50 },
  ];
  await admin.request("POST /experiments/", {
    body: {
      key: "landing",
      name: "A new landing page",
      experiment_type: "SPLIT_URL",
      status: "ACTIVE",
      split_url_config: { variants },
    },
  });
  const { key = "" } = await admin.request("POST /api-keys", { body: { name: "worker", scopes: ["read"] } });
  const close = async () => {
    assay.endStreams();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await assay.close();
  };
  return { url, key, admin, close };
}

/** Checks that the worker evaluates and redirects in Cloudflare's runtime, and sees a change. */
async function check(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { url: server, key, close } = await startServer();
  const vars = `--var ASSAY_URL:${server} --var ASSAY_API_KEY:${key}`;
  const start = `npx wrangler dev --ip $HOST --port $PORT ${vars}`;
  try {
    await whileRunning(start, { folder, env }, async ({ url }) => {
      const checkout = async (user: string) =>
        (await fetch(`${url}/checkout`, { headers: { cookie: `user=${user}` } })).text();
      deepEqual([await checkout("grace"), await checkout("ada")], ["The new checkout", "The old checkout"]);
      const body = JSON.stringify({ context: { targetingKey: "grace" } });
      const answer = await fetch(`${url}/ofrep/v1/evaluate/flags/new-checkout`, { method: "POST", body });
      equal(((await answer.json()) as { value: unknown }).value, true);
      const kept = await fetch(url, { headers: { cookie: "exp_landing=new" }, redirect: "manual" });
      deepEqual([kept.status, kept.headers.get("location")], [302, "/new"]);
    });
  } finally {
    await close();
  }
}

export const cloudflareWorkers: Host = {
  example: "cloudflare-workers",
  title: "Cloudflare Workers",
  check,
  env: { WRANGLER_SEND_METRICS: "false", CI: "1" },
};
