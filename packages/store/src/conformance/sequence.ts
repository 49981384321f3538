import assert from "node:assert/strict";
import type { Operation, Store } from "../store.ts";
import type { StoreHarness } from "./case.ts";
import { applyToModel, createModel, journalOf, type Model } from "./model.ts";
import { textOf, utf8 } from "./values.ts";

const KEYS = ["a", "a/b", "a-b", "b", "=41", "c/d/e"];
const JOURNALS = ["log", "log/x", "j"];
const SETS = ["ids", "ids/x"];
const TEXTS = ["", "x", "123", '{"a":1}', "é\n", "\u0000", "long ".repeat(3_000)];

/**
 * Applies a list of numbers (each a batch, an increment or a reopening) to a store and to a model. It compares every
 * answer and, at the end, all stored data. For property tests: any numbers are valid.
 */
export async function checkSequence(harness: StoreHarness, codes: number[]): Promise<void> {
  const location = await harness.create();
  let store = await harness.open(location);
  let model = createModel();
  try {
    for (const code of codes) {
      const draw = randomOf(code);
      const kind = draw(10);
      if (kind === 0 && harness.reopens) {
        await store.close();
        store = await harness.open(location);
      } else if (kind === 1) {
        const key = pick(draw, KEYS);
        const count = Number(model.entries.get(`n/${key}`)?.text ?? 0) + draw(9) - 4;
        const by = count - Number(model.entries.get(`n/${key}`)?.text ?? 0);
        assert.equal(await store.increment(`n/${key}`, by), count);
        const version = (model.entries.get(`n/${key}`)?.version ?? 0) + 1;
        model.entries.set(`n/${key}`, { text: String(count), version });
      } else {
        // Concurrent batches, if the store processes them in order.
        const together = harness.inOrder ? draw(3) + 1 : 1;
        const batches = Array.from({ length: together }, () =>
          Array.from({ length: draw(4) + 1 }, () => operationOf(draw)),
        );
        const answers = await Promise.all(batches.map((operations) => store.batch(operations)));
        for (const [index, operations] of batches.entries()) {
          const expected = applyToModel(model, operations);
          assert.deepEqual(answers[index], expected.answer, JSON.stringify(operations));
          model = expected.model;
        }
      }
      if (kind === 2) await compare(store, model);
    }
    await compare(store, model);
    if (harness.reopens) {
      await store.close();
      store = await harness.open(location);
      await compare(store, model);
    }
  } finally {
    await store.close();
    await harness.remove?.(location);
  }
}

async function compare(store: Store, model: Model): Promise<void> {
  const entries = [...model.entries].sort(([a], [b]) => (a < b ? -1 : 1));
  assert.deepEqual(
    (await store.list("")).map(({ key, value, version }) => [key, textOf(value), version]),
    entries.map(([key, { text, version }]) => [key, text, version]),
  );
  for (const name of JOURNALS) {
    const { head, records } = journalOf(model, name);
    assert.equal(await store.head(name), head);
    assert.deepEqual(
      (await store.read(name, 0, 10_000)).map(({ position, record }) => [position, textOf(record)]),
      [...records].sort(([a], [b]) => a - b),
    );
  }
  assert.deepEqual(store.quarantined(), []);
}

function operationOf(draw: (below: number) => number): Operation {
  const key = pick(draw, KEYS);
  const journal = pick(draw, JOURNALS);
  const value = utf8(pick(draw, TEXTS));
  switch (draw(9)) {
    case 0:
      return { type: "put", key, value, ifVersion: draw(4) };
    case 1:
      return { type: "put", key, value, ifAbsent: pick(draw, ["fail", "skip"] as const) };
    case 2:
      return { type: "delete", key, ifVersion: draw(2) ? draw(4) : undefined };
    case 3:
      return { type: "append", journal, records: Array.from({ length: draw(4) }, () => utf8(pick(draw, TEXTS))) };
    case 4:
      return { type: "append", journal, records: [value] };
    case 5:
      return { type: "rewrite", journal, position: draw(12), record: value };
    case 6:
      return { type: "trim", journal, through: draw(12) };
    case 7: {
      const members = Array.from({ length: draw(3) }, () => String(draw(12)));
      return { type: "claim", set: pick(draw, SETS), generation: draw(8), keep: draw(3) + 1, members };
    }
    default:
      return { type: "put", key, value };
  }
}

function pick<T>(draw: (below: number) => number, choices: readonly T[]): T {
  return choices[draw(choices.length)]!;
}

/** Returns a source of pseudo-random numbers from a seed (mulberry32). */
function randomOf(code: number): (below: number) => number {
  let state = code | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
