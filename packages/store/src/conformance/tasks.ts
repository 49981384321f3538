import type { Store } from "../store.ts";
import { textOf, utf8 } from "./values.ts";

type Task = (store: Store, name: string, count: number, onProgress: (step: string) => void) => Promise<string[]>;

/** The tasks of child processes. Their results are texts because they cross a process boundary. */
export const tasks = {
  /** Adds 1 to a counter, `count` times. */
  async increment(store, name, count) {
    const found: string[] = [];
    for (let index = 0; index < count; index++) found.push(String(await store.increment(name, 1)));
    return found;
  },
  /** Adds 1 to a number by compare-and-set, `count` times, several concurrently. */
  async compare(store, name, count) {
    for (let done = 0; done < count; ) {
      const entry = await store.get(name);
      const value = utf8(String(Number(entry ? textOf(entry.value) : "0") + 1));
      const result = await store.batch([{ type: "put", key: name, value, ifVersion: entry?.version ?? 0 }]);
      if (result.ok) done++;
    }
    return [];
  },
  /** Creates `count` keys that others create as well; returns those that it created first. */
  async create(store, name, count) {
    const won: string[] = [];
    for (let index = 0; index < count; index++) {
      const key = `${name}/${index}`;
      const value = utf8(String(process.pid));
      if ((await store.batch([{ type: "put", key, value, ifAbsent: "fail" }])).ok) won.push(key);
    }
    return won;
  },
  /** Claims `count` members that others claim as well, several concurrently; returns those that it claimed first. */
  async claim(store, name, count) {
    const attempts = Array.from({ length: count }, async (_, index) => {
      const members = [`m${index}`];
      const result = await store.batch([{ type: "claim", set: name, generation: 1, keep: 1, members }]);
      return result.ok ? members : [];
    });
    return (await Promise.all(attempts)).flat();
  },
  /** Appends `count` records, several concurrently; returns the positions. */
  async append(store, name, count) {
    const appends = Array.from({ length: count }, async (_, index) => {
      const records = [utf8(`${process.pid}:${index}`)];
      const result = await store.batch([{ type: "append", journal: name, records }]);
      return result.ok ? [String(result.results[0])] : [];
    });
    return (await Promise.all(appends)).flat();
  },
  /** Writes one batch after another, each an entry, a record and a member of the same name, and reports each. */
  async write(store, name, count, onProgress) {
    for (let index = 0; index < count; index++) {
      const step = String(index).padStart(6, "0");
      const result = await store.batch([
        { type: "put", key: `${name}/${step}`, value: utf8(step) },
        { type: "put", key: `${name}/last`, value: utf8(step.repeat(200)) },
        { type: "append", journal: name, records: [utf8(step)] },
        { type: "claim", set: name, generation: 1, keep: 1, members: [step] },
      ]);
      if (result.ok) onProgress(step);
    }
    return [];
  },
  /** Subscribes to a channel, reports `listening` and each message, and ends after `count` messages. */
  listen(store, name, count, onProgress) {
    return new Promise((resolve, reject) => {
      const heard: string[] = [];
      store
        .subscribe(name, (message) => {
          onProgress(message);
          if (heard.push(message) === count) resolve(heard);
        })
        .then(() => onProgress("listening"), reject);
    });
  },
  /** Opens the store and performs only one read. */
  async open(store, name) {
    await store.get(name);
    return [];
  },
} satisfies Record<string, Task>;

/** The name of a child process's task. */
export type TaskName = keyof typeof tasks;

/** Returns whether a text names a task. */
export function isTask(name: string): name is TaskName {
  return Object.hasOwn(tasks, name);
}
