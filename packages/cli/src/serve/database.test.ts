import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { run, serve, stopAll } from "../cli.fixture.ts";
import { DATABASES, LACKS_DATABASES, newPlace } from "../database.fixture.ts";

const names = ["one", "two"].map(newPlace);
let directory: string;

test("CI has databases for these tests", () => {
  expect(LACKS_DATABASES).toBe(false);
});

describe.each(DATABASES)("assay serve --storage $kind", ({ parameter, storage, clear }) => {
  const [one, two] = names.map(storage);
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "assay-cli-database-"));
  });
  afterEach(stopAll);
  afterAll(async () => {
    await rm(directory, { recursive: true, force: true });
    await clear(names);
  });

  test("two servers share one database: flags, sessions, events", async () => {
    const first = await serve(["--storage", one!]);
    const second = await serve(["--storage", one!]);
    expect(first.output()).not.toContain("assay:assay");
    expect(first.output()).toContain(`?${parameter}=${names[0]}`);
    await first.admin.request("POST /feature-flags/", { body: { key: "shared", name: "S", status: "ACTIVE" } });
    await expect
      .poll(() => second.admin.request("GET /feature-flags/{id}", { params: { id: "shared" } }).catch(() => null))
      .toMatchObject({ key: "shared" });
    const increment = (server: typeof first) =>
      server.admin.request("POST /counters/{experiment_id}/increment", {
        params: { experiment_id: "x" },
        body: { variant_id: "a", counter: "events" },
      });
    const variants = [{ key: "a" }, { key: "b" }];
    await first.admin.request("POST /experiments/", { body: { key: "x", name: "X", status: "ACTIVE", variants } });
    await expect
      .poll(() =>
        second.admin.request("GET /experiments/{experiment_id}", { params: { experiment_id: "x" } }).catch(() => null),
      )
      .toMatchObject({ key: "x" });
    await Promise.all(Array.from({ length: 20 }, (_, index) => increment(index % 2 ? first : second)));
    const { totals } = await second.admin.request("GET /counters/{experiment_id}", { params: { experiment_id: "x" } });
    expect(totals.events).toBe(20);
  });

  test("its data is backed up while it runs, restored into another place, and checked", async () => {
    const server = await serve(["--storage", one!]);
    await server.admin.request("POST /feature-flags/", { body: { key: "kept", name: "K" } });
    const file = join(directory, "copy.assay");
    expect(await run(["backup", file, "--storage", one!])).toMatchObject({ code: 0 });
    expect(await run(["restore", file, "--storage", two!])).toMatchObject({ code: 0 });
    expect(await run(["check", "--storage", two!])).toMatchObject({
      code: 0,
      output: expect.stringContaining("0 records are damaged"),
    });
    const copy = await serve(["--storage", two!]);
    const kept = await copy.admin.request("GET /feature-flags/{id}", { params: { id: "kept" } });
    expect(kept.name).toBe("K");
  });
});

test.each([
  ["postgres://user:secret@127.0.0.1:1/db", "Cannot open postgres://127.0.0.1:1/db: PostgreSQL cannot be reached"],
  ["postgres://user:secret@[/db", "not this URL"],
  ["redis://user:secret@127.0.0.1:1/0", "Cannot open redis://127.0.0.1:1/0: Redis cannot be reached"],
  ["redis://user:secret@[/0", "not this URL"],
  ["redis://user:secret@127.0.0.1:1?cluster=1", 'cluster in --storage must be true or false, not "1"'],
  [
    "redis://user:secret%zz@127.0.0.1:1?cluster=true",
    "--storage has a % that is not followed by two hexadecimal digits",
  ],
  ["redis://user:secret@127.0.0.1:1?durable=no", 'durable in --storage must be true or false, not "no"'],
])("a server on %s ends with a sentence, without the password", async (storage, sentence) => {
  const { code, output } = await run(["serve", "--storage", storage]);
  expect(output).toContain(sentence);
  expect(output).not.toContain("secret");
  expect(code).not.toBe(0);
});
