import { type Operation, type Store, StoreUnavailable } from "@assay/store";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  configs,
  connect,
  LOOPBACK,
  serveThirdParties,
  type ThirdParties,
} from "./areas/integrations/third-party.fixture.ts";
import { startReceiver } from "./areas/notifications/receiver.fixture.ts";
import { sharedStore } from "./storage/shared-store.fixture.ts";
import { createTestServer, type TestServer } from "./testing.fixture.ts";

/** Whether a node dies after the batch of these operations. */
type Last = (operations: Operation[]) => boolean;

let storage: Store;
let parties: ThirdParties;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let servers: TestServer[];

beforeEach(async () => {
  storage = sharedStore();
  servers = [];
  parties = await serveThirdParties();
  receiver = await startReceiver();
});
afterEach(async () => {
  await Promise.all(servers.map(({ assay }) => assay.close().catch(() => {})));
  await Promise.all([parties.close(), receiver.close()]);
});

async function start(store: Store = storage, jobs = true): Promise<TestServer> {
  const server = await createTestServer({ ...LOOPBACK, storage: store, jobs });
  servers.push(server);
  return server;
}

/** Creates the store of a node that dies after one batch. */
function mortal(isLast: Last): Store {
  let isDead = false;
  const alive = <A extends unknown[], R>(ask: (...given: A) => Promise<R>) => {
    return async (...given: A): Promise<R> => {
      if (isDead) throw new StoreUnavailable("The process is gone");
      return ask(...given);
    };
  };
  return {
    ...storage,
    get: alive(storage.get),
    list: alive(storage.list),
    read: alive(storage.read),
    head: alive(storage.head),
    lease: alive(storage.lease),
    release: alive(storage.release),
    increment: alive(storage.increment),
    batch: alive(async (operations) => {
      const result = await storage.batch(operations);
      if (isLast(operations)) isDead = true;
      return result;
    }),
  };
}

/** Matches the batch with the audit entry of this action. */
const does =
  (action: string): Last =>
  (operations) =>
    operations.some(
      (one) =>
        one.type === "append" &&
        one.journal === "audit" &&
        one.records.some((record) => JSON.parse(new TextDecoder().decode(record)).action === action),
    );

const subscribe = (server: TestServer) =>
  server.admin.request("PUT /notifications/preferences", {
    body: { webhook_enabled: true, webhook_url: `${receiver.url}/hook`, webhook_secret: "a secret of the receiver" },
  });
const deliveryLog = (server: TestServer) => server.admin.request("GET /notifications/delivery-log");
const variants = [{ key: "a" }, { key: "b" }];

describe("a node that stops right after a change", () => {
  test("leaves the notice to the next node, which sends it once", async () => {
    const first = await start(mortal(does("experiment.start")), false);
    await subscribe(first);
    await begin(first);
    const next = await start();
    expect(receiver.received).toEqual([]);
    await next.runJob("notification-retry");
    await vi.waitFor(async () => expect((await deliveryLog(next)).items).toMatchObject([{ status: "SENT" }]));
    await next.runJob("notification-retry");
    expect((await deliveryLog(next)).total).toBe(1);
    expect(receiver.received.map(({ body }) => JSON.parse(body))).toMatchObject([
      { event: "EXPERIMENT_STARTED", data: { experiment_key: "green", new_status: "ACTIVE" } },
    ]);
  });

  test("leaves the messages to integrations to the next node, which sends each once", async () => {
    const first = await start(mortal(does("experiment.complete")), false);
    const [tracker, code] = [
      await connect(first.admin, "TRACKER", configs(parties.url).TRACKER),
      await connect(first.admin, "CODEHOST", configs(parties.url).CODEHOST),
    ];
    const links = { tracker_issue_key: "SHOP-1", code_pull_request: "acme/shop#42" };
    await first.admin.request("POST /experiments/", {
      body: { key: "green", name: "Green", status: "ACTIVE", variants, ...links },
    });
    await first.admin
      .request("POST /experiments/{experiment_id}/complete", { params: { experiment_id: "green" } })
      .catch(() => {});
    expect(parties.requests).toEqual([]);
    const [next] = await Promise.all([start(), start()]);
    for (const { id } of [tracker, code]) {
      await vi.waitFor(async () => {
        const { items } = await next.admin.request("GET /integrations/{id}/deliveries", { params: { id } });
        expect(items).toMatchObject([{ direction: "OUTBOUND", event: "comment", status: "DELIVERED" }]);
      });
    }
    expect(parties.requests.map(({ path }) => path).sort()).toEqual([
      "/repos/acme/shop/issues/42/comments",
      "/rest/api/2/issue/SHOP-1/comment",
    ]);
  });

  test.each([0, 100])(
    "with %i of many notices written leaves the rest, and no user is notified twice",
    async (written) => {
      const writesNotices: Last = (operations) =>
        operations.some((one) => one.type === "put" && one.key.startsWith("notification-deliveries/newest/"));
      const isLast = written === 0 ? does("experiment.start") : writesNotices;
      const first = await start(mortal(isLast), false);
      const people = 120;
      for (let index = 0; index < people; index++) {
        const viewer = await first.as("VIEWER", `viewer-${index}`);
        await viewer.request("PUT /notifications/preferences", { body: { email_enabled: true } });
      }
      await begin(first);
      const next = await start();
      const page = (skip: number) =>
        next.admin.request("GET /notifications/delivery-log", { query: { skip, limit: 100 } });
      expect((await page(0)).total).toBe(written);
      await next.runJob("notification-retry");
      const all = [...(await page(0)).items, ...(await page(100)).items];
      expect(new Set(all.map(({ user_id }) => user_id)).size).toBe(people);
      expect(all).toHaveLength(people);
    },
  );
});

/** Creates and starts an experiment, on a node that may die before it answers. */
async function begin(server: TestServer): Promise<void> {
  await server.admin.request("POST /experiments/", { body: { key: "green", name: "Green", variants } });
  const params = { experiment_id: "green" };
  await server.admin.request("POST /experiments/{experiment_id}/start", { params }).catch(() => {});
}
