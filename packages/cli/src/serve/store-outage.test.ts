import { type Client, createClient, isAssayError } from "@assay/client";
import { afterEach, describe, expect, test } from "vitest";
import { PASSWORD, type Serving, serve, stopAll } from "../cli.fixture.ts";
import { DATABASE_KINDS, type OwnDatabase } from "../own-database.fixture.ts";

/** How a database is lost, and how it comes back. */
const OUTAGES = [
  { how: "killed", begin: "crash", end: "start" },
  { how: "frozen", begin: "freeze", end: "thaw" },
] as const;
const BACKENDS = DATABASE_KINDS.filter(({ kind }) => kind !== "a Redis cluster");

test("CI has PostgreSQL and Redis installed", () => {
  if (process.env.CI === "true") expect(BACKENDS.filter(({ isInstalled }) => !isInstalled)).toEqual([]);
});

const UNAVAILABLE = { status: 503, detail: "Storage is unavailable; try again shortly" };
const experiment_id = "outage";

test("CI has PostgreSQL and Redis installed", () => {
  if (process.env.CI === "true") expect(BACKENDS.filter(({ isInstalled }) => !isInstalled)).toEqual([]);
});

const clientOf = ({ url }: Serving, credentials: object): Client =>
  // Longer than the server waits for its store.
  createClient({ baseUrl: url, retries: 0, timeout: 60_000, ...credentials });

const readiness = async ({ url }: Serving) => {
  const response = await fetch(`${url}/readyz`);
  const { reason } = (await response.json()) as { reason?: string };
  return { status: response.status, reason };
};

/** Sends events one after the other until told to stop. */
function sendEvents(client: Client, name: string) {
  const acknowledged: string[] = [];
  const inDoubt: string[] = [];
  let isOver = false;
  const ended = (async () => {
    for (let number = 0; !isOver; number++) {
      const id = `${name}-${number}`;
      try {
        await track(client, id);
        acknowledged.push(id);
      } catch (error) {
        expect(error).toMatchObject(UNAVAILABLE);
        inDoubt.push(id);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  })();
  // The test awaits it with `stop`, unless it has failed before.
  ended.catch(() => {});
  return {
    acknowledged,
    inDoubt,
    stop() {
      isOver = true;
      return ended;
    },
  };
}

const track = (client: Client, id: string) =>
  client.request("POST /tracking/track", {
    body: { event_id: id, user_id: id, experiment_id, event_type: "exposure", variant_id: "a" },
  });

describe.each(BACKENDS)("servers that lose $kind", ({ isInstalled, create }) => {
  let backend: OwnDatabase | undefined;
  afterEach(async () => {
    await stopAll();
    await backend?.remove();
    backend = undefined;
  });

  test.skipIf(!isInstalled).each(OUTAGES)(
    "because it is $how evaluate flags, refuse writes and recover alone, and lose nothing that they acknowledged",
    { timeout: 180_000 },
    async ({ begin, end }) => {
      backend = await create();
      const words = ["--storage", backend.storage];
      const nodes = [await serve(words), await serve(words)];
      const [first, second] = nodes as [Serving, Serving];
      const admin = clientOf(first, { username: "admin", password: PASSWORD });
      await admin.request("POST /feature-flags/", { body: { key: "kept", name: "Kept", status: "ACTIVE" } });
      await admin.request("POST /experiments/", {
        body: { key: experiment_id, name: "Outage", status: "ACTIVE", variants: [{ key: "a" }, { key: "b" }] },
      });
      const { key } = await admin.request("POST /api-keys", { body: { name: "outage", scopes: ["read", "write"] } });
      const clients = nodes.map((node) => clientOf(node, { apiKey: key }));
      const evaluate = (client: Client, flag: string) =>
        client.request("POST /feature-flags/{key}/evaluate", { params: { key: flag }, body: { user_id: "u" } });
      for (const client of clients) await expect.poll(() => evaluate(client, "kept").catch(() => null)).toBeTruthy();
      const senders = clients.map((client, index) => sendEvents(client, `node-${index}`));
      for (const { acknowledged } of senders) await expect.poll(() => acknowledged.length).toBeGreaterThan(10);

      await backend[begin]();
      try {
        for (const client of clients) expect((await evaluate(client, "kept")).value).toBe(true);
        const refused = admin.request("POST /feature-flags/", { body: { key: "refused", name: "R" } });
        const error: unknown = await refused.then(
          () => null,
          (reason: unknown) => reason,
        );
        expect(error).toMatchObject(UNAVAILABLE);
        expect(isAssayError(error) && error.retryAfter).toBeGreaterThan(0);
        for (const node of nodes) {
          await expect
            .poll(() => readiness(node), { timeout: 30_000 })
            .toMatchObject({
              status: 503,
              reason: expect.stringMatching(/\w/),
            });
        }
        for (const { inDoubt } of senders) {
          await expect.poll(() => inDoubt.length, { timeout: 30_000 }).toBeGreaterThan(0);
        }
        for (const client of clients) expect((await evaluate(client, "kept")).value).toBe(true);
      } finally {
        await backend[end]();
      }

      for (const node of nodes) {
        await expect.poll(() => readiness(node), { timeout: 30_000 }).toMatchObject({ status: 200 });
      }
      const before = senders.map(({ acknowledged }) => acknowledged.length);
      for (const [index, { acknowledged }] of senders.entries()) {
        await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(before[index]!);
      }
      await Promise.all(senders.map(({ stop }) => stop()));
      await admin.request("POST /feature-flags/", { body: { key: "after", name: "After", status: "ACTIVE" } });
      await expect.poll(() => evaluate(clients[1]!, "after").catch(() => null)).toBeTruthy();

      const count = async (client: Client) =>
        (await client.request("GET /results/{experiment_id}", { params: { experiment_id } })).sample_size.control;
      const acknowledged = senders.flatMap((sender) => sender.acknowledged);
      const inDoubt = senders.flatMap((sender) => sender.inDoubt);
      const stored = await count(admin);
      expect(stored).toBeGreaterThanOrEqual(acknowledged.length);
      expect(stored).toBeLessThanOrEqual(acknowledged.length + inDoubt.length);
      for (const id of [...acknowledged, ...inDoubt]) await track(clients[1]!, id);
      expect(await count(admin)).toBe(acknowledged.length + inDoubt.length);
      expect([first, second].map(({ child }) => child.exitCode)).toEqual([null, null]);
    },
  );
});
