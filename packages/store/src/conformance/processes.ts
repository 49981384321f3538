import assert from "node:assert/strict";
import type { StoreCase } from "./case.ts";
import { eventually, recordsOf, textAt } from "./values.ts";

const PROCESSES = 4;
const NOTICES = 5;

/** Cases about several processes on the same data at once. */
export const processCases: StoreCase[] = [
  {
    title: "counts all increments and compare-and-set writes of four processes",
    needs: ["processes"],
    async run({ open, fork }) {
      const store = await open();
      const children = await fork(PROCESSES);
      const answers = await Promise.all(children.map((child) => child.perform("increment", "n", 50)));
      assert.equal(new Set(answers.flat()).size, 200, "each increment has its own answer");
      assert.equal(await textAt(store, "n"), "200");
      await Promise.all(children.map((child) => child.perform("compare", "total", 25)));
      assert.equal(await textAt(store, "total"), "100");
      assert.equal((await store.get("total"))?.version, 100);
    },
  },
  {
    title: "one of four processes creates each entry",
    needs: ["processes"],
    async run({ open, fork }) {
      const store = await open();
      const children = await fork(PROCESSES);
      const won = (await Promise.all(children.map((child) => child.perform("create", "names", 40)))).flat();
      assert.equal(won.length, 40);
      assert.equal(new Set(won).size, 40);
      assert.equal((await store.list("names/")).length, 40);
    },
  },
  {
    title: "one of four processes gets each claimed member",
    needs: ["processes"],
    async run({ open, fork }) {
      await open();
      const children = await fork(PROCESSES);
      const won = (await Promise.all(children.map((child) => child.perform("claim", "ids", 300)))).flat();
      assert.equal(won.length, 300);
      assert.equal(new Set(won).size, 300);
    },
  },
  {
    title: "appends from four processes lose nothing and share no position",
    needs: ["processes"],
    async run({ open, fork }) {
      const store = await open();
      const children = await fork(PROCESSES);
      const positions = (await Promise.all(children.map((child) => child.perform("append", "log", 100)))).flat();
      assert.equal(new Set(positions).size, 400);
      const records = await recordsOf(store, "log");
      assert.deepEqual(
        records.map(([position]) => position),
        Array.from({ length: 400 }, (_, index) => index + 1),
      );
      assert.equal(new Set(records.map(([, text]) => text)).size, 400);
      assert.equal(await store.head("log"), 400);
    },
  },
  {
    title: "a notice reaches another process within 250 ms, which then sees the write",
    needs: ["processes"],
    async run({ open, fork }) {
      const store = await open();
      const [child] = await fork(1);
      const heard: { message: string; at: number }[] = [];
      const words = Array.from({ length: NOTICES }, (_, index) => `notice ${index}`);
      const finished = child!.perform("listen", "flags", NOTICES, (message) => heard.push({ message, at: Date.now() }));
      await eventually(() => heard.length === 1, 10_000);
      const times: number[] = [];
      for (const [index, word] of words.entries()) {
        const start = Date.now();
        await store.publish("flags", word);
        // Its first message said that it listens.
        await eventually(() => heard.length === index + 2, 10_000);
        times.push(heard[index + 1]!.at - start);
      }
      assert.deepEqual(await finished, words);
      // The fastest, because test machines run other work as well.
      assert.ok(Math.min(...times) < 1_000, `They took ${times.join(", ")} ms`);
    },
  },
  {
    title: "a process killed during writes does not block the others",
    needs: ["processes"],
    async run({ open, fork }) {
      const store = await open();
      const [first, second] = await fork(2);
      let steps = 0;
      const endless = () => {
        steps++;
      };
      first!.perform("write", "w0", 100_000, endless).catch(() => {});
      await eventually(() => steps > 20, 20_000);
      first!.kill();
      await first!.gone;
      const start = Date.now();
      await second!.perform("increment", "n", 10);
      assert.equal(await store.increment("n", 1), 11);
      assert.ok(Date.now() - start < 10_000);
    },
  },
];
