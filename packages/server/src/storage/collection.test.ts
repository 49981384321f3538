import { memoryStore, type Store } from "@assay/store";
import { describe, expect, test } from "vitest";
import { createRuntime, silentLogger } from "../ground/runtime.ts";
import { SYSTEM } from "./change.ts";
import { AUDIT_JOURNAL, createCollection, type Document } from "./collection.ts";

interface Note extends Document {
  text: string;
}

const runtime = createRuntime({ logger: silentLogger });
const by = { actor: SYSTEM, action: "note.change" };
const createNotes = (store: Store) =>
  createCollection<Note>(store, runtime, { name: "notes", resource: "note", title: ({ text }) => text });

test("a read that ends after the removal of its document does not restore the document", async () => {
  const inner = memoryStore();
  let read = Promise.resolve();
  const store: Store = {
    ...inner,
    async get(key) {
      const entry = await inner.get(key);
      await read;
      return entry;
    },
  };
  const notes = createNotes(store);
  const { id } = await notes.insert({ text: "a" }, by);
  let finish = () => {};
  read = new Promise((resolve) => {
    finish = resolve;
  });
  const refreshed = notes.refresh(id);
  await notes.remove(id, by);
  finish();
  await refreshed;
  expect([notes.get(id), notes.size]).toEqual([undefined, 0]);
});

test("a node follows the removal by another node", async () => {
  const store = memoryStore();
  const [one, other] = [createNotes(store), createNotes(store)];
  const { id } = await one.insert({ text: "a" }, by);
  await other.load();
  await one.remove(id, by);
  expect(other.get(id)).toMatchObject({ text: "a" });
  await other.refresh(id);
  expect(other.get(id)).toBeUndefined();
});

test("a document that is created while the documents are loaded again stays, and one that was removed goes", async () => {
  const inner = memoryStore();
  let during = async () => {};
  const store: Store = {
    ...inner,
    async list(prefix, options) {
      const page = await inner.list(prefix, options);
      await during();
      return page;
    },
  };
  const [notes, elsewhere] = [createNotes(store), createNotes(inner)];
  const old = await notes.insert({ text: "old" }, by);
  await elsewhere.load();
  await elsewhere.remove(old.id, by);
  let made = "";
  during = async () => {
    during = async () => {};
    made = (await notes.insert({ text: "new" }, by)).id;
  };
  await notes.load();
  expect(notes.all().map(({ text }) => text)).toEqual(["new"]);
  await notes.update(made, (note) => ({ ...note, text: "changed" }), by);
  await notes.refresh(made);
  expect(notes.get(made)?.text).toBe("changed");
});

describe("a document with fields that only the store has", () => {
  interface Report extends Document {
    title: string;
    isClosed: boolean;
    text: string | null;
  }
  const createReports = (store: Store) =>
    createCollection<Report>(store, runtime, {
      name: "reports",
      resource: "report",
      title: ({ title }) => title,
      offloaded: { when: ({ isClosed }) => isClosed, fields: ["text"] },
    });
  const close = (report: Report) => ({ ...report, isClosed: true });

  /** A report that is closed, on the node that closed it and on one that loads it. */
  async function closedReport() {
    const store = memoryStore();
    const [one, other] = [createReports(store), createReports(store)];
    const { id } = await one.insert({ title: "a", isClosed: false, text: "of ada" }, by);
    expect(one.get(id)?.text).toBe("of ada");
    expect(await one.whole(id)).toBe(one.get(id));
    const written = await one.update(id, close, by);
    expect(written.text).toBe("of ada");
    await other.load();
    return { store, nodes: [one, other], one, id };
  }

  test("lacks them in memory, and is read whole", async () => {
    const { nodes, id } = await closedReport();
    for (const node of nodes) {
      expect(node.get(id)).toMatchObject({ title: "a", isClosed: true, text: null, version: 2 });
      expect(await node.whole(id)).toMatchObject({ title: "a", isClosed: true, text: "of ada", version: 2 });
    }
  });

  test("keeps them through changes and until it is removed, and the audit trail has them", async () => {
    const { store, nodes, one, id } = await closedReport();
    await one.update(id, (report) => ({ ...report, title: "b" }), by);
    await nodes[1]!.refresh(id);
    expect(await nodes[1]!.whole(id)).toMatchObject({ title: "b", text: "of ada", version: 3 });
    await one.update(id, (report) => ({ ...report, isClosed: false }), by);
    expect(one.get(id)).toMatchObject({ isClosed: false, text: "of ada" });
    await one.update(id, close, by);
    await one.remove(id, by);
    await expect(one.whole(id)).rejects.toMatchObject({ status: 404 });
    await expect(nodes[1]!.whole(id)).rejects.toMatchObject({ status: 404 });
    const trail = await store.read(AUDIT_JOURNAL, 0, 10);
    const entries = trail.map(({ record }) => JSON.parse(Buffer.from(record).toString()));
    expect(entries.map(({ old_value, new_value }) => [old_value?.text, new_value?.text])).toEqual([
      [undefined, "of ada"],
      [undefined, undefined],
      [undefined, undefined],
      [undefined, undefined],
      [undefined, undefined],
      ["of ada", undefined],
    ]);
  });

  test("is changed and removed only at the version that is wanted, also if another node was faster", async () => {
    const { nodes, one, id } = await closedReport();
    await nodes[1]!.update(id, (report) => ({ ...report, title: "b" }), by);
    const rename = (report: Report) => ({ ...report, title: "c" });
    const late = { status: 412 };
    await expect(one.update(id, rename, by, { ifVersion: 2 })).rejects.toMatchObject(late);
    await expect(one.remove(id, by, { ifVersion: 2 })).rejects.toMatchObject(late);
    expect(await one.update(id, rename, by, { ifVersion: 3 })).toMatchObject({
      title: "c",
      text: "of ada",
      version: 4,
    });
    await nodes[1]!.remove(id, by, { ifVersion: 4 });
  });

  test("is found by a text in them", async () => {
    const { nodes, id } = await closedReport();
    for (const node of nodes) {
      expect(await node.mentions(["of ada"])).toEqual([
        { resource_type: "report", resource_id: id, resource_name: "a" },
      ]);
      expect(await node.mentions(["of bob"])).toEqual([]);
    }
  });

  test("is not replaced by what lacks them", async () => {
    const { one, id } = await closedReport();
    expect(() => one.replacement(id, (report) => ({ ...report, title: "b" }), by)).toThrow("are not in memory");
  });
});
