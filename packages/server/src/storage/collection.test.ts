import { memoryStore, type Store } from "@assay/store";
import { expect, test } from "vitest";
import { createRuntime, silentLogger } from "../ground/runtime.ts";
import { SYSTEM } from "./change.ts";
import { createCollection, type Document } from "./collection.ts";

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
