import { spawnSync } from "node:child_process";
import { chmod, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lmdbStore } from "@assay/lmdb";
import { genericStore } from "@assay/server";
import { keyOf, type Store } from "@assay/store";
import { createStorage } from "unstorage";
import fsDriver from "unstorage/drivers/fs";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createSmallDisk, noSmallDisk } from "../../../lmdb/src/small-disk.fixture.ts";
import { BINARIES, type Cluster, startCluster } from "../../../postgres/src/cluster.fixture.ts";
import { IS_INSTALLED, type Server, startServer } from "../../../redis/src/server.fixture.ts";
import { hasClickHouse, startClickHouse } from "../../../server/src/areas/warehouse/clickhouse.fixture.ts";
import { run, serve, stopAll } from "../cli.fixture.ts";

/** A state in which a server must not start. */
interface BadState {
  state: string;
  /** Makes the state; returns what `assay serve` gets. */
  make(): Promise<{ storage: string; events?: string }>;
  /** What the server says, after its own prefix. */
  says: string;
}

const DURABLE = ["--appendonly", "yes", "--appendfsync", "always", "--save", ""];
const LATER =
  "A later version of Assay wrote this data: it has format 99, and this version reads formats up to 3. Start the later " +
  "version again, or restore a backup of this version into another directory";

let folder: string;
/** Undo what a state has made. */
const undo: (() => unknown)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-states-"));
});
afterEach(async () => {
  await stopAll();
  for (const one of undo.splice(0).reverse()) await one();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Lets a later version write a store. */
async function writeLater(store: Store): Promise<void> {
  const value = Buffer.from(JSON.stringify({ format: 99 }));
  await store.batch([{ type: "put", key: keyOf("format"), value }]);
  await store.close();
}

/** Lets a server write a store, and ends it. */
async function serveOnce(storage: string): Promise<void> {
  const { child, exit } = await serve(["--storage", storage]);
  child.kill("SIGTERM");
  await exit;
}

function expectRefusal(states: BadState[]) {
  test.each(states)("$state", { timeout: 60_000 }, async ({ make, says }) => {
    const { storage, events } = await make();
    const environment = { ASSAY_ADMIN_PASSWORD: "a-password-of-tests", ...(events ? { ASSAY_EVENTS: events } : {}) };
    const { code, output } = await run(["serve", "--port", "0", "--storage", storage], environment);
    expect(output.trimEnd().split("\n")).toEqual([expect.stringContaining(says)]);
    expect(output).not.toMatch(/ready at|hunter2|wrong/);
    expect(code).toBe(1);
  });
}

describe("a server on files does not start", () => {
  const directory = (name: string) => join(folder, name);
  expectRefusal([
    {
      state: "on LMDB of a later format",
      async make() {
        await writeLater(lmdbStore({ path: directory("lmdb") }));
        return { storage: `lmdb:${directory("lmdb")}` };
      },
      says: LATER,
    },
    {
      state: "on files of a later format",
      async make() {
        await writeLater(genericStore(createStorage({ driver: fsDriver({ base: directory("fs") }) })));
        await chmod(directory("fs"), 0o700);
        return { storage: `fs:${directory("fs")}` };
      },
      says: LATER,
    },
    {
      state: "on LMDB whose file is cut off",
      async make() {
        await serveOnce(`lmdb:${directory("cut")}`);
        await truncate(join(directory("cut"), "data.mdb"), 4_096);
        return { storage: `lmdb:${directory("cut")}` };
      },
      says: "LMDB cannot open",
    },
    {
      state: "in a directory that is a file",
      async make() {
        await writeFile(directory("file"), "");
        return { storage: `lmdb:${directory("file")}` };
      },
      says: "LMDB needs a writable directory",
    },
    {
      state: "on files that another server uses",
      async make() {
        await serve(["--storage", `fs:${directory("used")}`]);
        return { storage: `fs:${directory("used")}` };
      },
      says: "This storage is in use by process",
    },
  ]);

  test.skipIf(noSmallDisk)("on a full disk", async () => {
    const disk = createSmallDisk(16 * 1024 * 1024);
    undo.push(() => disk.remove());
    disk.fill();
    const { code, output } = await run(["serve", "--port", "0", "--storage", `lmdb:${join(disk.path, "data")}`]);
    expect(output.trimEnd().split("\n")).toEqual([expect.stringMatching(/space/)]);
    expect(code).toBe(1);
  });
});

describe.skipIf(!BINARIES)("a server on PostgreSQL does not start", () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
    await serveOnce(cluster.url);
  });
  afterAll(() => cluster.remove());
  /** The address of another user, whom it creates with some attributes. */
  const asUser = async (name: string, attributes = "") => {
    await cluster.execute(`CREATE USER ${name} PASSWORD 'hunter2' ${attributes}`);
    return cluster.url.replace("assay:assay", `${name}:hunter2`);
  };

  expectRefusal([
    {
      state: "on data of a later format",
      async make() {
        await serveOnce(`${cluster.url}?schema=format`);
        const value = Buffer.from(JSON.stringify({ format: 99 })).toString("hex");
        await cluster.execute(`UPDATE format.entries SET value = '\\x${value}' WHERE key = '${keyOf("format")}'`);
        return { storage: `${cluster.url}?schema=format` };
      },
      says: LATER,
    },
    {
      state: "on tables of a later version",
      async make() {
        await serveOnce(`${cluster.url}?schema=later`);
        await cluster.execute("UPDATE later.versions SET version = 99");
        return { storage: `${cluster.url}?schema=later` };
      },
      says: "they have version 99, and this version of @assay/postgres reads up to 2; update it",
    },
    {
      state: "as a user who may not create the tables",
      async make() {
        await cluster.execute("REVOKE CREATE ON DATABASE postgres FROM PUBLIC");
        return { storage: `${await asUser("creator")}?schema=denied` };
      },
      says: "Cannot create the tables of Assay: The user lacks a privilege in PostgreSQL",
    },
    {
      state: "as a user who may not use the tables that exist",
      make: async () => ({ storage: await asUser("guest") }),
      says: "The user lacks a privilege in PostgreSQL",
    },
    {
      state: "as a user who may only read the tables that exist",
      async make() {
        const storage = await asUser("reader");
        await cluster.execute(
          "GRANT USAGE ON SCHEMA assay TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA assay TO reader",
        );
        return { storage };
      },
      says: 'The PostgreSQL user may not write to the tables in "assay"; grant them CREATE on the schema',
    },
    {
      state: "on a standby of its database",
      make: async () => {
        const standby = await cluster.startStandby();
        undo.push(() => standby.remove());
        return { storage: standby.url };
      },
      says: "PostgreSQL is read-only; connect to the primary server",
    },
    {
      state: "in a database that does not exist",
      make: async () => ({ storage: cluster.url.replace("/postgres", "/missing") }),
      says: "The database does not exist",
    },
    {
      state: "in a database whose encoding is not UTF8",
      async make() {
        await cluster.execute("CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0");
        return { storage: cluster.url.replace("/postgres", "/latin") };
      },
      says: "The database has the encoding LATIN1; create one with ENCODING 'UTF8'",
    },
    {
      state: "with a wrong password",
      make: async () => ({ storage: cluster.url.replace("assay:assay", "assay:wrong") }),
      says: "PostgreSQL refuses the user or its password",
    },
  ]);

  test.skipIf(noSmallDisk)("on a full disk", async () => {
    const disk = createSmallDisk(16 * 1024 * 1024);
    undo.push(() => disk.remove());
    // PostgreSQL does not run as root, which mounts the disk.
    spawnSync("chown", ["postgres", disk.path]);
    await cluster.execute(`CREATE TABLESPACE small LOCATION '${disk.path}'`);
    undo.push(() => cluster.execute("DROP TABLESPACE small"));
    const address = await asUser("small");
    await cluster.execute("GRANT CREATE ON TABLESPACE small TO small; GRANT CREATE ON DATABASE postgres TO small");
    await cluster.execute("ALTER USER small SET default_tablespace = small");
    undo.push(() => cluster.execute("DROP OWNED BY small CASCADE"));
    disk.fill();
    const { code, output } = await run(["serve", "--port", "0", "--storage", `${address}?schema=full`]);
    expect(output.trimEnd().split("\n")).toEqual([expect.stringContaining("PostgreSQL has no disk space left")]);
    expect(code).toBe(1);
  });
});

describe.skipIf(!IS_INSTALLED)("a server on Redis does not start", () => {
  const start = async (...settings: string[]): Promise<Server> => {
    const server = await startServer(settings);
    undo.push(() => server.remove());
    return server;
  };

  expectRefusal([
    {
      state: "on data of a later format",
      async make() {
        const { url, execute } = await start(...DURABLE);
        await serveOnce(url);
        await execute("HSET", "assay:{assay}:values", keyOf("format"), JSON.stringify({ format: 99 }));
        return { storage: url };
      },
      says: LATER,
    },
    {
      state: "on keys of a later version",
      async make() {
        const { url, execute } = await start(...DURABLE);
        await serveOnce(url);
        await execute("SET", "assay:{assay}", "99");
        return { storage: url };
      },
      says: "they have version 99, and this version of @assay/redis reads 1; update it",
    },
    {
      state: "on a replica",
      async make() {
        const primary = await start(...DURABLE);
        return { storage: (await start("--replicaof", "127.0.0.1", String(primary.port), ...DURABLE)).url };
      },
      says: "This Redis is a replica; connect to the primary server",
    },
    {
      state: "on a server that keeps its data in memory only",
      make: async () => ({ storage: (await start("--appendonly", "no", "--save", "")).url }),
      says: "Redis keeps its data in memory only (appendonly no)",
    },
    {
      state: "as a user who may only read",
      async make() {
        const { url, execute } = await start(...DURABLE);
        await execute("ACL", "SETUSER", "reader", "on", ">hunter2", "~*", "&*", "+@all", "-@write");
        return { storage: url.replace("redis://", "redis://reader:hunter2@") };
      },
      says: "The user lacks a privilege in Redis",
    },
    {
      state: "on a server without memory left",
      async make() {
        const { url, execute } = await start(...DURABLE);
        await execute("CONFIG", "SET", "maxmemory", "1");
        return { storage: url };
      },
      says: "Redis has no memory left",
    },
    {
      state: "on a server of a cluster, as if it were alone",
      make: async () => ({ storage: (await start("--cluster-enabled", "yes", ...DURABLE)).url }),
      says: "This Redis is part of a cluster; pass a Cluster of ioredis, or add ?cluster=true to --storage",
    },
    {
      state: "on a server that is in no cluster, as if it were",
      make: async () => ({ storage: `${(await start(...DURABLE)).url}?cluster=true` }),
      says: "This Redis is in no cluster; pass its url, or remove cluster=true from --storage",
    },
  ]);
});

describe.runIf(hasClickHouse)("a server with events in ClickHouse does not start", () => {
  const make = async (password: string, statement?: string) => {
    const clickhouse = await startClickHouse();
    undo.push(() => clickhouse.stop());
    const address = (word: string) => `clickhouse://reader:${word}@127.0.0.1:${clickhouse.connection.port}/default`;
    if (statement) {
      const { child, exit } = await serve(["--storage", "memory"], { ASSAY_EVENTS: address("hunter2") });
      child.kill("SIGTERM");
      await exit;
      await clickhouse.run(statement);
    }
    return { storage: "memory", events: address(password) };
  };

  expectRefusal([
    {
      state: "with a wrong password",
      make: () => make("wrong"),
      says: "ClickHouse refuses the username or password",
    },
    {
      state: "on tables of a later version",
      make: () => make("hunter2", "INSERT INTO assay_schema (version) VALUES (2)"),
      says: "The tables in ClickHouse are of version 2, and this version of Assay knows version 1; update Assay",
    },
  ]);
});
