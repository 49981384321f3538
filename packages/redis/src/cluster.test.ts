import { randomUUID } from "node:crypto";
import { type Store, StoreUnavailable } from "@assay/store";
import { isApplicable, runStoreCase, type StoreHarness, storeCases } from "@assay/store/conformance";
import type { Cluster } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RedisCluster, startCluster } from "./cluster.fixture.ts";
import { redisStore } from "./redis-store.ts";
import { IS_INSTALLED } from "./server.fixture.ts";

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
      const records = (await store.read("log", 0, 100)).map(({ record }) => Buffer.from(record).toString());
      expect(records.slice(0, 50)).toEqual(Array.from({ length: 50 }, (_, count) => `before-${count}`));
      // An attempt that was answered with an error may have been stored.
      expect(records.length).toBeGreaterThan(50);
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
