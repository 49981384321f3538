import { randomBytes } from "node:crypto";
import { type Store, StoreRefused, StoreUnavailable } from "@assay/store";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createSmallDisk, noSmallDisk } from "../../lmdb/src/small-disk.fixture.ts";
import { type RedisStoreOptions, redisStore } from "./redis-store.ts";
import { IS_INSTALLED, type Server, startServer } from "./server.fixture.ts";

const DISK_BYTES = 16 * 1024 * 1024;

describe.skipIf(!IS_INSTALLED)("redisStore", { timeout: 120_000 }, () => {
  let server: Server;
  let stores: Store[] = [];
  const servers: Server[] = [];
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.remove());
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
    stores = [];
    for (const one of servers.splice(0)) await one.remove();
  });

  function open(options: RedisStoreOptions = {}): Store {
    const store = redisStore({ url: server.url, timeoutMs: 5_000, ...options });
    stores.push(store);
    return store;
  }

  async function startWith(...settings: string[]): Promise<Server> {
    const one = await startServer(settings);
    servers.push(one);
    return one;
  }

  const put = (store: Store, key: string) => store.batch([{ type: "put", key, value: new Uint8Array() }]);

  test("keeps every acknowledged write through crashes of the server, once, and recovers alone", async () => {
    const store = open({ name: "crashes" });
    const acknowledged: string[] = [];
    let sent = 0;
    for (let round = 0; round < 3; round++) {
      let isUp = true;
      const writer = async () => {
        while (isUp) {
          const text = `r${sent++}`;
          try {
            await store.batch([
              { type: "append", journal: "log", records: [Buffer.from(text)] },
              { type: "claim", set: "ids", generation: 1, keep: 1, members: [text] },
            ]);
            acknowledged.push(text);
          } catch (error) {
            expect(error).toBeInstanceOf(StoreUnavailable);
          }
        }
      };
      const crash = async () => {
        await expect.poll(() => acknowledged.length).toBeGreaterThan(20 * (round + 1));
        await server.crash();
        isUp = false;
      };
      await Promise.all([writer(), writer(), writer(), crash()]);
      await server.start();
      await expect.poll(() => store.head("log").catch(() => 0)).toBeGreaterThan(0);
    }
    const records = await store.read("log", 0, 100_000);
    const texts = records.map(({ record }) => Buffer.from(record).toString());
    expect(texts).toEqual(expect.arrayContaining(acknowledged));
    expect(new Set(texts).size).toBe(texts.length);
    expect(records.map(({ position }) => position)).toEqual(texts.map((_, index) => index + 1));
  });

  test("lets other work go on while a caller tries again at once", async () => {
    const own = await startWith("--appendonly", "yes", "--appendfsync", "always");
    const store = redisStore({ url: own.url, timeoutMs: 5_000 });
    stores.push(store);
    await put(store, "a");
    await own.crash();
    let isTrying = true;
    const trying = (async () => {
      while (isTrying) await put(store, "a").catch(() => {});
    })();
    // A timer runs only if the attempts leave the event loop to others.
    await new Promise((resolve) => setTimeout(resolve, 50));
    isTrying = false;
    await trying;
    await store.close();
    const closed = put(store, "a").catch(() => "rejected");
    let isFirst = false;
    setImmediate(() => (isFirst = true));
    expect(await closed).toBe("rejected");
    expect(isFirst).toBe(true);
  });

  test("listens again after the server was restarted", async () => {
    const [one, two] = [open({ name: "notices" }), open({ name: "notices" })];
    const heard: string[] = [];
    await one.subscribe("flags", (message) => heard.push(message));
    await server.crash();
    await server.start();
    await expect
      .poll(async () => {
        await two.publish("flags", "again").catch(() => {});
        return heard;
      })
      .toContain("again");
  });

  test("rejects with a reason while the server is down, and works again after it", async () => {
    const store = open({ name: "down" });
    await put(store, "a");
    await server.crash();
    try {
      await expect(store.get("a")).rejects.toMatchObject({
        name: "StoreUnavailable",
        message: "Redis cannot be reached",
        reason: "Redis cannot be reached",
      });
      await expect(open({ name: "down" }).get("a")).rejects.toBeInstanceOf(StoreUnavailable);
      await expect(store.subscribe("flags", () => {})).rejects.toBeInstanceOf(StoreUnavailable);
    } finally {
      await server.start();
    }
    await expect.poll(async () => (await store.get("a").catch(() => null))?.version).toBe(1);
  });

  test("rejects in time while the server is frozen", async () => {
    const store = open({ name: "frozen", timeoutMs: 500 });
    await put(store, "a");
    server.freeze();
    try {
      await expect(store.get("a")).rejects.toMatchObject({ reason: "Redis did not answer in time" });
    } finally {
      server.thaw();
    }
    await expect.poll(async () => (await store.get("a").catch(() => null))?.version).toBe(1);
  });

  test("says that the data are gone instead of beginning anew", async () => {
    const store = open({ name: "flushed" });
    await put(store, "a");
    await server.execute("FLUSHALL");
    await expect(put(store, "b")).rejects.toMatchObject({
      reason: "Redis has lost the data of this store; restore a backup",
    });
    expect(await server.execute("KEYS", "*{flushed}*")).toEqual([]);
  });

  test("refuses data of a later version, and changes nothing", async () => {
    await open({ name: "later" }).head("log");
    await server.execute("SET", "assay:{later}", "99");
    await expect(open({ name: "later" }).head("log")).rejects.toThrow(
      new StoreRefused(
        "A later version of Assay made the data in assay:{later}: they have version 99, and this version of @assay/redis reads 1; update it",
      ),
    );
  });

  test("refuses a server that keeps its data in memory only, unless told that this is wanted", async () => {
    const memory = await startWith("--appendonly", "no", "--save", "");
    await expect(open({ url: memory.url }).head("log")).rejects.toThrow(
      "Redis keeps its data in memory only (appendonly no); set appendonly yes and appendfsync always, or open the store with durable: false",
    );
    const store = open({ url: memory.url, durable: false });
    await put(store, "a");
    expect(store.capabilities.durable).toBe(false);
    expect(open().capabilities.durable).toBe(true);
  });

  test("refuses a server that acknowledges writes before they are on its disk", async () => {
    const late = await startWith("--appendonly", "yes", "--appendfsync", "everysec", "--save", "");
    await expect(open({ url: late.url }).head("log")).rejects.toThrow(
      /\(appendfsync everysec\); set appendfsync always/,
    );
    expect(await open({ url: late.url, durable: false }).head("log")).toBe(0);
  });

  test("refuses a server that removes data when its memory is full", async () => {
    const policy = ["--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"];
    const small = await startWith(...policy, "--appendonly", "yes", "--appendfsync", "always", "--save", "");
    await expect(open({ url: small.url, durable: false }).head("log")).rejects.toThrow(
      "Redis removes data when its memory is full (allkeys-lru); set maxmemory-policy noeviction",
    );
    await small.execute("CONFIG", "SET", "maxmemory", "0");
    expect(await open({ url: small.url }).head("log")).toBe(0);
  });

  test("rejects writes while the memory of the server is full, and answers reads", async () => {
    const small = await startWith("--maxmemory-policy", "noeviction", "--appendonly", "no", "--save", "");
    const store = open({ url: small.url, durable: false });
    await put(store, "a");
    await small.execute("CONFIG", "SET", "maxmemory", "1");
    await expect(put(store, "b")).rejects.toMatchObject({ reason: "Redis has no memory left" });
    await expect(store.increment("n", 1)).rejects.toBeInstanceOf(StoreUnavailable);
    expect((await store.get("a"))?.version).toBe(1);
    await small.execute("CONFIG", "SET", "maxmemory", "0");
    expect(await put(store, "b")).toMatchObject({ ok: true });
  });

  test.skipIf(noSmallDisk)("loses no acknowledged write if the disk of the server is full, and recovers", async () => {
    const disk = createSmallDisk(DISK_BYTES);
    const small = await startServer(["--dir", disk.path, "--appendonly", "yes", "--appendfsync", "always"]);
    try {
      const store = open({ url: small.url });
      await put(store, "a");
      disk.fill();
      const value = randomBytes(100_000);
      const large = () => store.batch([{ type: "put", key: "b", value }]);
      // With appendfsync always, Redis ends rather than acknowledge what is not on its disk.
      await expect(large()).rejects.toMatchObject({ name: "StoreUnavailable", reason: "Redis cannot be reached" });
      disk.free();
      await small.start();
      await expect.poll(async () => (await store.get("a").catch(() => null))?.version).toBe(1);
      await expect(large()).resolves.toMatchObject({ ok: true });
    } finally {
      await small.remove();
      disk.remove();
    }
  });

  test("refuses a replica", async () => {
    const replica = await startWith(
      ...["--replicaof", "127.0.0.1", String(server.port)],
      ...["--appendonly", "yes", "--appendfsync", "always", "--save", ""],
    );
    await expect(open({ url: replica.url }).head("log")).rejects.toThrow(
      "This Redis is a replica; connect to the primary server",
    );
  });

  test("rejects writes once the server became a replica", async () => {
    const one = await startWith("--appendonly", "yes", "--appendfsync", "always", "--save", "");
    const store = open({ url: one.url });
    await put(store, "a");
    await one.execute("REPLICAOF", "127.0.0.1", "1");
    await expect(put(store, "b")).rejects.toMatchObject({
      reason: "Redis is read-only; connect to the primary server",
    });
  });

  test("says that the password is wrong, missing, or without a privilege", async () => {
    const closed = await startServer(["--appendonly", "yes", "--appendfsync", "always", "--save", ""]);
    servers.push(closed);
    await closed.execute("ACL", "SETUSER", "assay", "on", ">right", "~assay:*", "&*", "+@all");
    await closed.execute("ACL", "SETUSER", "weak", "on", ">right", "~other:*", "&*", "+@all");
    const as = (user: string) => closed.url.replace("redis://", `redis://${user}@`);
    expect(await open({ url: as("assay:right") }).head("log")).toBe(0);
    await expect(open({ url: as("assay:wrong") }).head("log")).rejects.toMatchObject({
      reason: "Redis refuses the user or its password",
    });
    await expect(open({ url: as("weak:right") }).head("log")).rejects.toMatchObject({
      reason: "the user lacks a privilege in Redis",
    });
    await closed.execute("ACL", "SETUSER", "reader", "on", ">right", "~assay:*", "&*", "+@all", "-@write");
    await expect(open({ url: as("reader:right"), name: "read" }).head("log")).rejects.toMatchObject({
      reason: "the user lacks a privilege in Redis",
    });
    await closed.execute("ACL", "SETUSER", "default", ">secret", "resetpass", ">secret");
    await expect(open({ url: closed.url }).head("log")).rejects.toMatchObject({ reason: "Redis requires a password" });
  });

  test("takes a server that does not show its settings at its word", async () => {
    const hosted = await startWith("--appendonly", "yes", "--appendfsync", "everysec", "--save", "");
    await hosted.execute("ACL", "SETUSER", "guest", "on", ">guest", "~*", "&*", "+@all", "-config");
    const url = hosted.url.replace("redis://", "redis://guest:guest@");
    expect(await open({ url }).head("log")).toBe(0);
  });

  test("takes address and credentials of a client, and leaves the client alone", async () => {
    const client = new Redis(server.url, { lazyConnect: true, enableOfflineQueue: true });
    const store = open({ client, name: "client" });
    await put(store, "a");
    expect(client.status).toBe("wait");
    await store.close();
    await client.connect();
    expect(await client.exists("assay:{client}:values")).toBe(1);
    client.disconnect();
  });

  test("forgets a generation of claims by removing its set", async () => {
    const store = open({ name: "claims" });
    const claim = (generation: number, member: string) =>
      store.batch([{ type: "claim", set: "ids", generation, keep: 2, members: [member] }]);
    for (const generation of [1, 2, 3]) expect(await claim(generation, `m${generation}`)).toMatchObject({ ok: true });
    const keys = (await server.execute("KEYS", "assay:{claims}:members:*")) as string[];
    expect(keys.sort()).toEqual(["assay:{claims}:members:ids:2", "assay:{claims}:members:ids:3"]);
    expect(await claim(3, "m1")).toMatchObject({ ok: true });
    expect(await claim(3, "m2")).toMatchObject({ ok: false, claimed: new Map([[0, ["m2"]]]) });
  });

  test("a batch of many names, members and records succeeds", async () => {
    const store = open({ name: "many" });
    const names = Array.from({ length: 5_000 }, (_, index) => `n${index}`);
    const result = await store.batch([
      ...names.map((key) => ({ type: "put" as const, key, value: Buffer.from(key) })),
      { type: "append", journal: "log", records: names.map((name) => Buffer.from(name)) },
      { type: "claim", set: "ids", generation: 1, keep: 1, members: names },
    ]);
    expect(result.ok).toBe(true);
    expect(await store.list("", { limit: 10_000 })).toHaveLength(5_000);
    expect(await store.read("log", 0, 10_000)).toHaveLength(5_000);
    expect(await store.batch([{ type: "claim", set: "ids", generation: 1, keep: 1, members: names }])).toMatchObject({
      claimed: new Map([[0, names]]),
    });
    expect(await store.batch([{ type: "trim", journal: "log", through: 4_999 }])).toMatchObject({ ok: true });
    expect((await store.read("log", 0, 10)).map(({ position }) => position)).toEqual([5_000]);
  });
});

test.each([
  [{}, "redisStore needs a url or a client"],
  [{ url: "redis://x", name: "" }, /name "" must have/],
  [{ url: "redis://x", name: "a}b" }, /must have 1 to 40 characters/],
  [{ url: "redis://x", name: "n".repeat(41) }, /must have 1 to 40 characters/],
])("refuses the options %j", (options, message) => {
  expect(() => redisStore(options)).toThrow(message);
});
