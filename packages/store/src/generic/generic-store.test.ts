import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { createStorage, type Storage } from "unstorage";
import fsDriver from "unstorage/drivers/fs";
import { describe, expect, test } from "vitest";
import { checkSequence, isApplicable, runStoreCase, type StoreHarness, storeCases } from "../conformance/index.ts";
import { genericStore } from "./generic-store.ts";

const storages = new Map<string, Storage>();
/** Returns the fs driver's path of the first chunk of a journal. */
const chunkOf = (base: string, journal: string) => join(base, "assay", "journals,", `${journal},`, "0000000000000001@");

const harnesses: Record<string, StoreHarness> = {
  "genericStore over unstorage's memory driver": {
    create() {
      const name = String(storages.size);
      storages.set(name, createStorage());
      return name;
    },
    open: (name) => genericStore(storages.get(name)!),
    reopens: true,
    inOrder: true,
  },
  "genericStore over unstorage's fs driver": {
    create: () => mkdtemp(join(tmpdir(), "assay-generic-")),
    open: (base) => genericStore(createStorage({ driver: fsDriver({ base }) })),
    remove: (base) => rm(base, { recursive: true }),
    async damage(base, target) {
      const path =
        "key" in target
          ? `${join(base, "assay", "entries,", target.key.replaceAll("/", ",/"))}@`
          : chunkOf(base, target.journal);
      const lines = (await readFile(path, "utf8")).split("\n");
      const line = "position" in target ? target.position : 0;
      lines[line] = `${lines[line]?.slice(0, -1)}~`;
      await writeFile(path, lines.join("\n"));
    },
    async tear(base, journal) {
      const length = (await readFile(chunkOf(base, journal))).length;
      await truncate(chunkOf(base, journal), length - 3);
    },
    reopens: true,
    inOrder: true,
    child: { script: new URL("./generic-store.child.ts", import.meta.url) },
  },
};

describe.each(Object.entries(harnesses))("%s", (_, harness) => {
  for (const storeCase of storeCases.filter((one) => isApplicable(one, harness))) {
    test(storeCase.title, () => runStoreCase(storeCase, harness));
  }

  test("gives the results of the model for any sequence of operations", { timeout: 120_000 }, async () => {
    const codes = fc.array(fc.nat(), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(codes, (sequence) => checkSequence(harness, sequence)),
      { numRuns: 30 },
    );
  });
});

describe("damage outside entries and records", () => {
  const record = (text: string) => new TextEncoder().encode(text);

  test.each([1, 3])("recovers a damaged head from its copy, with %d of three records trimmed", async (through) => {
    const storage = createStorage();
    const store = genericStore(storage);
    await store.batch([{ type: "append", journal: "log", records: ["one", "two", "three"].map(record) }]);
    await store.batch([{ type: "trim", journal: "log", through }]);
    await store.close();
    const item = "assay:journals-heads,:log@";
    await storage.setItem(item, `${await storage.getItem(item)}~`);
    const heard: string[] = [];
    const again = genericStore(storage, { onQuarantine: ({ key }) => heard.push(key) });
    expect(await again.head("log")).toBe(3);
    expect((await again.read("log", 0, 10)).map(({ position }) => position)).toEqual([1, 2, 3].slice(through));
    const appended = await again.batch([{ type: "append", journal: "log", records: [record("four")] }]);
    expect(appended).toMatchObject({ results: [4] });
    expect([heard, again.quarantined()]).toEqual([["log#head"], []]);
    await again.close();
    const third = genericStore(storage, { onQuarantine: ({ key }) => heard.push(key) });
    expect([await third.head("log"), heard]).toEqual([4, ["log#head"]]);
    await third.close();
  });

  test("a damaged lease is free, and its next token is higher than the lost one", async () => {
    const storage = createStorage();
    const store = genericStore(storage);
    const lost = await store.lease("job", "one", 60_000);
    await store.close();
    const item = "assay:leases,:job@";
    await storage.setItem(item, `${await storage.getItem(item)}~`);
    const heard: string[] = [];
    const again = genericStore(storage, { onQuarantine: ({ key }) => heard.push(key) });
    expect((await again.lease("job", "two", 60_000))!.token).toBeGreaterThan(lost!.token);
    expect(await again.batch([{ type: "fence", lease: "job", token: lost!.token }])).toMatchObject({ ok: false });
    expect(heard).toEqual(["leases/job#state"]);
    await again.close();
  });
});
