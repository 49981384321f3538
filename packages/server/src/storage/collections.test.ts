import { memoryStore, type Store } from "@assay/store";
import { expect, test } from "vitest";
import { createRuntime, silentLogger } from "../ground/runtime.ts";
import { SYSTEM } from "./change.ts";
import { CHANGES_JOURNAL, type Document } from "./collection.ts";
import { createCollections } from "./collections.ts";
import { sharedStore } from "./shared-store.fixture.ts";

interface Note extends Document {
  text: string;
}

const runtime = createRuntime({ logger: silentLogger });
const by = { actor: SYSTEM, action: "note.change" };
const options = { name: "notes", resource: "note", title: ({ text }: Note) => text };

test("a change by another node while this one looks for changes is followed, without loading everything again", async () => {
  const inner = { ...sharedStore(), subscribe: async () => async () => {} };
  let between = async () => {};
  let lists = 0;
  const store: Store = {
    ...inner,
    async head(journal) {
      await between();
      return inner.head(journal);
    },
    list(prefix, range) {
      lists++;
      return inner.list(prefix, range);
    },
  };
  const [here, there] = [createCollections(store, runtime), createCollections(inner, runtime)];
  const [notes, others] = [here.define<Note>(options), there.define<Note>(options)];
  await here.open();
  await there.open();
  const listed = lists;
  between = async () => {
    between = async () => {};
    await others.insert({ text: "a" }, by);
  };
  await here.catchUp();
  expect(notes.all().map(({ text }) => text)).toEqual(["a"]);
  expect(lists).toBe(listed);
  await Promise.all([here.close(), there.close()]);
});

test("a node that has missed more changes than the store keeps loads everything again", async () => {
  const store = { ...sharedStore(), subscribe: async () => async () => {} };
  const [here, there] = [createCollections(store, runtime), createCollections(store, runtime)];
  const [notes, others] = [here.define<Note>(options), there.define<Note>(options)];
  await here.open();
  await there.open();
  for (const text of ["a", "b"]) await others.insert({ text }, by);
  await store.batch([{ type: "trim", journal: CHANGES_JOURNAL, through: await store.head(CHANGES_JOURNAL) }]);
  await here.catchUp();
  expect(notes.size).toBe(2);
  await Promise.all([here.close(), there.close()]);
});

test("an announcement calls those who watch its name, on each node, and those who may have missed one", async () => {
  const store = { ...sharedStore(), subscribe: async () => async () => {} };
  const [here, there] = [createCollections(store, runtime), createCollections(store, runtime)];
  const heard: string[] = [];
  here.watch("a", () => heard.push("here, a"));
  there.watch("a", () => heard.push("there, a"));
  there.watch("b", () => heard.push("there, b"));
  await here.open();
  await there.open();
  heard.length = 0;
  await here.announce("a");
  await there.catchUp();
  await here.catchUp();
  await there.catchUp();
  expect(heard).toEqual(["there, a", "here, a"]);
  await there.reload();
  expect(heard.slice(2)).toEqual(["there, a", "there, b"]);
  await here.close();
  await there.close();
});

test("nothing is announced in a store that has one process", async () => {
  const store: Store = { ...memoryStore(), close: async () => {} };
  const collections = createCollections(store, runtime);
  await collections.open();
  await collections.announce("a");
  expect(await store.head(CHANGES_JOURNAL)).toBe(0);
  await collections.close();
});
