import { randomUUID } from "node:crypto";
import { createAssay } from "@assay/server";
import { type Store, StoreRefused, StoreUnavailable } from "@assay/store";
import { isApplicable, runStoreCase, type StoreHarness, storeCases } from "@assay/store/conformance";
import { Cluster } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RedisCluster, startCluster } from "./cluster.fixture.ts";
import { redisStore } from "./redis-store.ts";
import { IS_INSTALLED, startServer } from "./server.fixture.ts";

describe.skipIf(!IS_INSTALLED)("redisStore in a cluster", { timeout: 120_000 }, () => {
  let cluster: RedisCluster;
  let client: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
    client = cluster.client();
  });
  afterAll(async () => {
    client.disconnect();
    await cluster.remove();
  });

  const harness: StoreHarness = {
    create: () => `test-${randomUUID().slice(0, 20)}`,
    open: (name) => redisStore({ client, name }),
    reopens: true,
  };

  for (const storeCase of storeCases.filter((one) => isApplicable(one, harness))) {
    test(storeCase.title, () => runStoreCase(storeCase, harness));
  }

  test("keeps the stores of one cluster apart, each on one node", async () => {
    const names = ["one", "two", "three", "four"];
    const stores = names.map((name) => redisStore({ client, name }));
    for (const [index, store] of stores.entries()) {
      await store.batch([{ type: "put", key: "name", value: Buffer.from(names[index]!) }]);
    }
    for (const [index, store] of stores.entries()) {
      expect(Buffer.from((await store.get("name"))!.value).toString()).toBe(names[index]);
      expect(await store.list("")).toHaveLength(1);
      await store.close();
    }
    const used = await Promise.all(names.map((name) => cluster.primaryOf(name)));
    expect(new Set(used).size).toBeGreaterThan(1);
  });

  test("connects with the address of any one server, each time", async () => {
    for (const { port } of [...cluster.servers, ...cluster.servers]) {
      const seed = new Cluster([{ host: "127.0.0.1", port }], { lazyConnect: true });
      const store = redisStore({ client: seed, name: "seed" });
      expect(await store.increment("count", 1)).toBeGreaterThan(0);
      await store.close();
    }
  });

  test("counts requests of servers that share their rate limits", async () => {
    const seen: (string | null)[] = [];
    const warn = (message: string) => void seen.push(message);
    const limits = cluster.client();
    await limits.connect();
    const body = JSON.stringify({ username: "someone", password: "a wrong password" });
    const headers = { "content-type": "application/json" };
    for (let node = 0; node < 2; node++) {
      const assay = createAssay({
        rateLimit: { auth: 4 },
        rateLimitStore: { kind: "redis", client: limits },
        passwordCost: 16,
        logger: { info() {}, warn, error: warn },
      });
      const request = new Request("http://assay.test/api/v1/auth/login", { method: "POST", body, headers });
      seen.push((await assay.fetch(request)).headers.get("ratelimit-remaining"));
      await assay.close();
    }
    limits.disconnect();
    expect(seen).toEqual(["3", "2"]);
  });

  test("says how to connect to a cluster, and to a server that is in none", async () => {
    const part = redisStore({ url: cluster.servers[0]!.url });
    await expect(part.head("log")).rejects.toThrow(
      new StoreRefused("This Redis is part of a cluster; pass a Cluster of ioredis, or add ?cluster=true to --storage"),
    );
    await part.close();
    const alone = await startServer();
    const seed = new Cluster([{ host: "127.0.0.1", port: alone.port }], { lazyConnect: true });
    const store = redisStore({ client: seed });
    try {
      await expect(store.head("log")).rejects.toThrow(
        new StoreRefused("This Redis is in no cluster; pass its url, or remove cluster=true from --storage"),
      );
    } finally {
      await store.close();
      await alone.remove();
    }
  });

  test("goes on with the replica after the primary server was killed, and keeps what was replicated", async () => {
    const store: Store = redisStore({ client, name: "failover", timeoutMs: 2_000 });
    const heard: string[] = [];
    await store.subscribe("flags", (message) => heard.push(message));
    const append = (text: string) =>
      store.batch([{ type: "append", journal: "log", records: [Buffer.from(text)] }]).catch((error) => {
        expect(error).toBeInstanceOf(StoreUnavailable);
        return null;
      });
    for (let count = 0; count < 50; count++) expect(await append(`before-${count}`)).not.toBeNull();
    const primary = await cluster.primaryOf("failover");
    expect(await primary.execute("WAIT", "1", "5000")).toBe(1);
    await primary.crash();
    try {
      await expect.poll(() => append("after")).toMatchObject({ ok: true });
      let records: string[] = [];
      // For a moment, a server of the cluster may still name the old primary: then a read is refused.
      const read = async () => {
        const entries = await store.read("log", 0, 100).catch(() => []);
        records = entries.map(({ record }) => Buffer.from(record).toString());
        return records.length;
      };
      // An attempt that was answered with an error may have been stored.
      await expect.poll(read).toBeGreaterThan(50);
      expect(records.slice(0, 50)).toEqual(Array.from({ length: 50 }, (_, count) => `before-${count}`));
      await expect
        .poll(async () => {
          await store.publish("flags", "again").catch(() => {});
          return heard;
        })
        .toContain("again");
    } finally {
      await primary.start();
      await store.close();
    }
  });
});
