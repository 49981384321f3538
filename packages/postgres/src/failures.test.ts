import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { type Store, StoreRefused, StoreUnavailable } from "@assay/store";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createSmallDisk, noSmallDisk } from "../../lmdb/src/small-disk.fixture.ts";
import { BINARIES, type Cluster, startCluster } from "./cluster.fixture.ts";
import { type PostgresStoreOptions, postgresStore } from "./postgres-store.ts";

const DISK_BYTES = 16 * 1024 * 1024;
const isCI = process.env.CI === "true";
let cluster: Cluster;
let stores: Store[] = [];

test("CI has PostgreSQL installed", () => {
  if (isCI) expect(BINARIES).not.toBe("");
});

describe.skipIf(!BINARIES)("postgresStore", { timeout: 120_000 }, () => {
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
    stores = [];
  });

  function open(options: PostgresStoreOptions = {}): Store {
    const store = postgresStore({ connectionString: cluster.url, timeoutMs: 5_000, ...options });
    stores.push(store);
    return store;
  }

  const append = (store: Store, text: string) =>
    store.batch([
      { type: "append", journal: "log", records: [Buffer.from(text)] },
      { type: "claim", set: "ids", generation: 1, keep: 1, members: [text] },
    ]);

  test("keeps every acknowledged write through crashes of the database, and recovers alone", async () => {
    const store = open({ schema: "crashes" });
    const acknowledged: string[] = [];
    let sent = 0;
    for (let round = 0; round < 3; round++) {
      let isUp = true;
      const writer = async () => {
        while (isUp) {
          const text = `r${sent++}`;
          try {
            await append(store, text);
            acknowledged.push(text);
          } catch (error) {
            expect(error).toBeInstanceOf(StoreUnavailable);
          }
        }
      };
      const crash = async () => {
        await expect.poll(() => acknowledged.length).toBeGreaterThan(20 * (round + 1));
        cluster.crash();
        isUp = false;
      };
      await Promise.all([writer(), writer(), writer(), crash()]);
      cluster.start();
      await expect.poll(async () => store.head("log").catch(() => 0)).toBeGreaterThan(0);
    }
    const records = await store.read("log", 0, 100_000);
    const texts = records.map(({ record }) => Buffer.from(record).toString());
    expect(texts).toEqual(expect.arrayContaining(acknowledged));
    expect(new Set(texts).size).toBe(texts.length);
    expect(records.map(({ position }) => position)).toEqual(texts.map((_, index) => index + 1));
  });

  test("listens again after the database was restarted", async () => {
    const [one, two] = [open({ schema: "notices" }), open({ schema: "notices" })];
    const heard: string[] = [];
    await one.subscribe("flags", (message) => heard.push(message));
    cluster.crash();
    cluster.start();
    await expect
      .poll(async () => {
        await two.publish("flags", "again").catch(() => {});
        return heard;
      })
      .toContain("again");
  });

  test("rejects with a reason while the database is down, and works again after it", async () => {
    const store = open({ schema: "down" });
    await store.batch([{ type: "put", key: "a", value: new Uint8Array() }]);
    cluster.crash();
    await expect(store.get("a")).rejects.toMatchObject({
      name: "StoreUnavailable",
      reason: expect.stringMatching(/^PostgreSQL (cannot be reached|is shutting down|has crashed and restarts)$/),
    });
    await expect(open({ schema: "down" }).get("a")).rejects.toBeInstanceOf(StoreUnavailable);
    cluster.start();
    await expect.poll(async () => (await store.get("a").catch(() => null))?.version).toBe(1);
  });

  test("rejects in time while the database is frozen", async () => {
    const store = open({ schema: "frozen", timeoutMs: 1_000 });
    await store.batch([{ type: "put", key: "a", value: new Uint8Array() }]);
    cluster.freeze();
    try {
      await expect(store.get("a")).rejects.toBeInstanceOf(StoreUnavailable);
    } finally {
      cluster.thaw();
    }
    await expect.poll(async () => (await store.get("a").catch(() => null))?.version).toBe(1);
  });

  test("refuses tables of a later version, and changes nothing", async () => {
    await open({ schema: "later" }).head("log");
    await cluster.execute('UPDATE "later".versions SET version = 99');
    await expect(open({ schema: "later" }).head("log")).rejects.toThrow(
      new StoreRefused(
        'A later version of Assay made the tables in "later": they have version 99, and this version of @assay/postgres reads up to 2; update it',
      ),
    );
  });

  test("refuses a user who may not create its tables", async () => {
    await cluster.execute("CREATE USER reader PASSWORD 'reader'");
    await cluster.execute("REVOKE CREATE ON DATABASE postgres FROM PUBLIC");
    const connectionString = cluster.url.replace("assay:assay", "reader:reader");
    await expect(open({ connectionString, schema: "denied" }).head("log")).rejects.toThrow(
      new StoreRefused("Cannot create the tables of Assay: The user lacks a privilege in PostgreSQL"),
    );
  });

  test("refuses a database that is read-only", async () => {
    await cluster.execute("CREATE USER standby SUPERUSER PASSWORD 'standby'");
    await cluster.execute("ALTER USER standby SET default_transaction_read_only = on");
    const connectionString = cluster.url.replace("assay:assay", "standby:standby");
    await expect(open({ connectionString, schema: "standby" }).head("log")).rejects.toThrow(
      new StoreRefused("PostgreSQL is read-only; connect to the primary server"),
    );
  });

  test("refuses a standby of a database that has its tables", async () => {
    await open({ schema: "replicated" }).head("log");
    const standby = await cluster.startStandby();
    try {
      await expect(open({ connectionString: standby.url, schema: "replicated" }).head("log")).rejects.toThrow(
        new StoreRefused("PostgreSQL is read-only; connect to the primary server"),
      );
    } finally {
      standby.remove();
    }
  });

  test("refuses a user who lacks one of the privileges on its tables, and serves one who has all", async () => {
    await open({ schema: "shared" }).head("log");
    await cluster.execute("CREATE USER app PASSWORD 'app'; GRANT USAGE ON SCHEMA shared TO app");
    const connectionString = cluster.url.replace("assay:assay", "app:app");
    const opens = () => open({ connectionString, schema: "shared" }).head("log");
    const refused = new StoreRefused(
      'The PostgreSQL user may not write to the tables in "shared"; grant them CREATE on the schema, and SELECT, INSERT, ' +
        "UPDATE and DELETE on its tables",
    );
    await cluster.execute("GRANT SELECT ON shared.versions TO app");
    await cluster.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA shared TO app");
    await expect(opens()).rejects.toThrow(refused);
    await cluster.execute("GRANT CREATE ON SCHEMA shared TO app");
    for (const [privilege, table] of [
      ["SELECT", "entries"],
      ["INSERT", "records"],
      ["UPDATE", "journals"],
      ["DELETE", "leases"],
      ["UPDATE", "claim_sets"],
    ]) {
      await cluster.execute(`REVOKE ${privilege} ON shared.${table} FROM app`);
      await expect(opens()).rejects.toThrow(refused);
      await cluster.execute(`GRANT ${privilege} ON shared.${table} TO app`);
    }
    expect(await opens()).toBe(0);
    expect(await append(open({ connectionString, schema: "shared" }), "text")).toMatchObject({ ok: true });
  });

  test("refuses a database that cannot keep every text", async () => {
    await cluster.execute("CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0");
    const connectionString = cluster.url.replace("/postgres", "/latin");
    await expect(open({ connectionString }).head("log")).rejects.toThrow(
      new StoreRefused("The database has the encoding LATIN1; create one with ENCODING 'UTF8'"),
    );
  });

  test.skipIf(noSmallDisk)(
    "says that the disk is full, answers reads, and works again once there is space",
    async () => {
      const disk = createSmallDisk(DISK_BYTES);
      // PostgreSQL does not run as root, which mounts the disk.
      spawnSync("chown", ["postgres", disk.path]);
      try {
        await cluster.execute(`CREATE TABLESPACE small LOCATION '${disk.path}'`);
        await cluster.execute("CREATE USER small PASSWORD 'small'; GRANT CREATE ON TABLESPACE small TO small");
        await cluster.execute(
          "GRANT CREATE ON DATABASE postgres TO small; ALTER USER small SET default_tablespace = small",
        );
        const connectionString = cluster.url.replace("assay:assay", "small:small");
        const store = open({ connectionString, schema: "full" });
        await store.batch([{ type: "put", key: "a", value: Buffer.from("before") }]);
        disk.fill();
        const full = { name: "StoreUnavailable", reason: "PostgreSQL has no disk space left" };
        const put = () => store.batch([{ type: "put", key: "b", value: randomBytes(1_000_000) }]);
        await expect(put()).rejects.toMatchObject(full);
        expect(Buffer.from((await store.get("a"))!.value).toString()).toBe("before");
        expect(await store.get("b")).toBeNull();
        await expect(open({ connectionString, schema: "full_at_start" }).head("log")).rejects.toThrow(
          "PostgreSQL has no disk space left",
        );
        disk.free();
        await expect(put()).resolves.toMatchObject({ ok: true });
        expect(await open({ connectionString, schema: "full_at_start" }).head("log")).toBe(0);
      } finally {
        await Promise.all(stores.map((store) => store.close()));
        await cluster.execute("DROP OWNED BY small CASCADE");
        await cluster.execute("DROP TABLESPACE small");
        disk.remove();
      }
    },
  );

  test("says that the password is wrong", async () => {
    const connectionString = cluster.url.replace("assay:assay", "assay:wrong");
    await expect(open({ connectionString }).get("a")).rejects.toMatchObject({
      name: "StoreUnavailable",
      message: "PostgreSQL refuses the user or its password",
    });
  });

  test("forgets a generation of claims by dropping its table", async () => {
    const store = open({ schema: "claims" });
    const claim = (generation: number, member: string) =>
      store.batch([{ type: "claim", set: "ids", generation, keep: 2, members: [member] }]);
    for (const generation of [1, 2, 3]) expect(await claim(generation, `m${generation}`)).toMatchObject({ ok: true });
    const { rows } = await cluster.execute(
      "SELECT table_name FROM information_schema.tables WHERE table_schema = 'claims' AND table_name LIKE 'claims\\_%' ORDER BY 1",
    );
    expect(rows.map(({ table_name }) => table_name)).toEqual(["claims_1_2", "claims_1_3"]);
    expect(await claim(3, "m1")).toMatchObject({ ok: true });
    expect(await claim(3, "m2")).toMatchObject({ ok: false, claimed: new Map([[0, ["m2"]]]) });
  });

  test("two batches that touch the same names in another order both succeed", async () => {
    const store = open({ schema: "orders" });
    const put = (...keys: string[]) =>
      store.batch(keys.map((key) => ({ type: "put" as const, key, value: Buffer.from(key) })));
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) => (index % 2 ? put("a", "b", "c") : put("c", "b", "a"))),
    );
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect((await store.get("a"))?.version).toBe(50);
  });

  test("a batch of more names than PostgreSQL has locks for one transaction succeeds, beside others", async () => {
    const store = open({ schema: "many" });
    const large = store.batch(
      Array.from({ length: 3_000 }, (_, index) => ({ type: "put" as const, key: `k/${index}`, value: Buffer.of(1) })),
    );
    const [result] = await Promise.all([large, ...Array.from({ length: 20 }, () => store.increment("n", 1))]);
    expect(result).toMatchObject({ ok: true });
    expect(await store.increment("n", 1)).toBe(21);
  });
});

test.each([
  [{}, "postgresStore needs a connectionString or a pool"],
  [{ connectionString: "postgres://x", schema: "Assay" }, /schema "Assay" must have/],
  [{ connectionString: "postgres://x", schema: 'a"; DROP' }, /must have 1 to 40 characters/],
])("refuses the options %j", (options, message) => {
  expect(() => postgresStore(options)).toThrow(message);
});
