import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { RUN_TYPESCRIPT } from "../../workspace/src/typescript.fixture.ts";
import { lmdbStore } from "./lmdb-store.ts";
import { createNode } from "./node.fixture.ts";

const CHILD = fileURLToPath(new URL("./effects.child.ts", import.meta.url));
/** Number of batches after the change's, at the end of which the process is killed. */
const MOMENTS = [0, 1, 2, 3];

interface Delivery {
  direction: string;
  status: string;
  title: string;
  experiment_key: string;
}

/** A fake webhook receiver and CRM in one, which accepts everything and issues a token. */
async function startReceiver() {
  const received: { path: string; delivery: unknown }[] = [];
  const server = createServer((request, response) => {
    received.push({ path: request.url!, delivery: request.headers["x-assay-delivery"] });
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ access_token: "token", token_type: "Bearer", expires_in: 7200 }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { received, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function dieAfter(path: string, batches: number): Promise<void> {
  const args = [...RUN_TYPESCRIPT, CHILD, path, `x-${batches}`, String(batches)];
  const child = spawn(process.execPath, args, { stdio: "inherit" });
  expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
}

test("sends each notice once if the process is killed at any moment after a change", async () => {
  const path = await mkdtemp(join(tmpdir(), "assay-effects-"));
  const { received, server, url } = await startReceiver();
  const outbound = { allowPrivateNetworks: true };
  const before = createNode({ storage: lmdbStore({ path }), jobs: false });
  await before.ask("PUT", "/notifications/preferences", {
    webhook_enabled: true,
    webhook_url: `${url}/hook`,
    webhook_secret: "a secret of the receiver",
  });
  const config = { instance_url: url, client_id: "assay", client_secret: "secret of the client" };
  const crm = { name: "CRM", integration_type: "CRM", description: "", config };
  const { id } = (await before.ask("POST", "/integrations", crm)).body;
  await before.assay.close();
  for (const batches of MOMENTS) await dieAfter(path, batches);

  // Some minutes later: pending attempts are due.
  const after = createNode({ storage: lmdbStore({ path }), now: () => Date.now() + 5 * 60_000, outbound });
  try {
    await after.ask("POST", "/scheduler/jobs/notification-retry/trigger");
    const keys = MOMENTS.map((batches) => `x-${batches}`);
    await vi.waitFor(async () => {
      const { items }: { items: Delivery[] } = (await after.ask("GET", "/notifications/delivery-log")).body;
      expect(items.map(({ title, status }) => `${title}: ${status}`).sort()).toEqual(
        keys.map((key) => `Experiment "${key}" has started: SENT`),
      );
    });
    await vi.waitFor(async () => {
      const { items }: { items: Delivery[] } = (await after.ask("GET", `/integrations/${id}/deliveries`)).body;
      expect(items.map(({ experiment_key, status }) => `${experiment_key}: ${status}`).sort()).toEqual(
        keys.map((key) => `${key}: DELIVERED`),
      );
    });
    // A process that died between sending and recording sends again under the same id.
    const hooks = received.filter(({ path: target }) => target === "/hook");
    expect(new Set(hooks.map(({ delivery }) => delivery)).size).toBe(keys.length);
    for (const key of keys) expect(received.some(({ path: target }) => target.endsWith(`/Campaign/${key}`))).toBe(true);
  } finally {
    await after.assay.close();
    server.close();
    await rm(path, { recursive: true });
  }
});
