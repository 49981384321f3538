import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@assay/client";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { run, type Serving, serve, stopAll } from "../cli.fixture.ts";
import { DATABASES, LACKS_DATABASES, newPlace } from "../database.fixture.ts";

let directory: string;
let cleaning: (() => Promise<void>)[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "assay-copy-"));
  cleaning = [];
});
afterEach(async () => {
  await stopAll();
  for (const clean of cleaning) await clean();
  await rm(directory, { recursive: true });
});

/** The kinds of storage, each with new places. */
const KINDS: Record<string, (name: string) => string> = {
  lmdb: (name) => `lmdb:${join(directory, name)}`,
  fs: (name) => `fs:${join(directory, name)}`,
  ...Object.fromEntries(
    DATABASES.map(({ kind, storage, clear }) => [
      kind,
      (name: string) => {
        const place = newPlace(name);
        cleaning.push(() => clear([place]));
        return storage(place);
      },
    ]),
  ),
};

async function stop(server: Serving): Promise<void> {
  server.child.kill("SIGTERM");
  expect(await server.exit).toBe(0);
}

const copy = (from: string, to: string) => run(["copy", "--from", from, "--to", to]);
/** The same with the target in the environment, where other users of a machine cannot read its password. */
const copyToStorage = (from: string, to: string) => run(["copy", "--from", from], { ASSAY_STORAGE: to });

/** Ids of events in each form that stores encode: a UUID, a short text and a long one. */
const IDS = ["0190a3c4-7b1e-7c3d-8f00-0123456789ab", "order-1", "x".repeat(100)];

const exposureOf = (id: string) => ({
  event_id: id,
  event_type: "exposure",
  user_id: `user of ${id.slice(0, 9)}`,
  experiment_id: "price",
  variant_id: "a",
});

async function send(url: string, apiKey: string, ids: readonly string[]) {
  const client = createClient({ baseUrl: url, apiKey });
  return client.request("POST /tracking/events", { body: { events: ids.map(exposureOf) } });
}

test("tests have the databases in CI", () => {
  expect(LACKS_DATABASES).toBe(false);
});

/** Each kind of storage is the source of one copy; `stores.test.ts` has every pair. */
const PAIRS = Object.keys(KINDS).map((from, index, kinds) => {
  const others = kinds.filter((kind) => kind !== "fs" && kind !== from);
  return [from, others[index % others.length]!] as const;
});

describe.each(PAIRS)("from %s to %s", (from, to) => {
  test("a server goes on with its copy: flags, keys, versions, events and ids that it has seen", async () => {
    const [source, target] = [KINDS[from]!("one"), KINDS[to]!("two")];
    const before = await serve(["--storage", source]);
    await before.admin.request("POST /feature-flags/", { body: { key: "f", name: "F", status: "ACTIVE" } });
    await before.admin.request("PUT /feature-flags/{id}", { params: { id: "f" }, body: { name: "Second" } });
    const experiment = {
      key: "price",
      name: "Price",
      status: "ACTIVE" as const,
      variants: [{ key: "a" }, { key: "b" }],
    };
    await before.admin.request("POST /experiments/", { body: experiment });
    const { key } = await before.admin.request("POST /api-keys", { body: { name: "k", scopes: ["write"] } });
    await send(before.url, key!, IDS.slice(1));
    // One process at a time opens a directory of files.
    if (from !== "fs") expect(await copy(source, target)).toMatchObject({ code: 0 });
    await send(before.url, key!, IDS);
    const trail = await before.admin.request("GET /audit-logs", { query: { limit: 500 } });
    await stop(before);

    const copied = await copyToStorage(source, target);
    expect(copied).toMatchObject({ code: 0 });
    expect(copied.output).toMatch(/^\d+ rows \(\d+ entries, \d+ journal records, 3 claimed ids\) in /m);

    const after = await serve(["--storage", target]);
    expect(await after.admin.request("GET /feature-flags/{id}", { params: { id: "f" } })).toMatchObject({
      name: "Second",
      version: 2,
    });
    expect(await send(after.url, key!, [...IDS, "new"])).toMatchObject({ accepted: 1, duplicates: 3 });
    const { total } = await after.admin.request("GET /audit-logs", { query: { limit: 500 } });
    // Signing in to the copy adds an entry to its trail.
    expect(total).toBeGreaterThanOrEqual(trail.total);
    await stop(after);

    // The copy has become another server's data.
    const again = await copy(source, target);
    expect(again).toMatchObject({ code: 1 });
    expect(again.output).toContain("The target has changed since it was copied; copy into an empty place");
  });
});

test("both places must be named, and hold data", async () => {
  const target = `lmdb:${join(directory, "two")}`;
  expect(await run(["copy", "--from", target])).toMatchObject({
    code: 2,
    output: expect.stringContaining("Specify both places: assay copy --from lmdb:./data --to postgres://…"),
  });
  expect(await copy("memory", target)).toMatchObject({
    code: 2,
    output: expect.stringContaining("--from cannot be memory"),
  });
  expect(await copy(`lmdb:${join(directory, "none")}`, target)).toMatchObject({
    code: 1,
    output: expect.stringContaining("There is no data in lmdb:"),
  });
  expect(await copy(target, "mysql://host/db")).toMatchObject({
    code: 2,
    output: expect.stringContaining("--to must be"),
  });
});
