import assert from "node:assert/strict";
import type { BatchResult, PutOperation, Store } from "../store.ts";

/** Returns the bytes of a text. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Returns the text of bytes. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** Puts a text with the conditions of the operation. */
export function put(
  store: Store,
  key: string,
  text: string,
  conditions: Pick<PutOperation, "ifVersion" | "ifAbsent"> = {},
): Promise<BatchResult> {
  return store.batch([{ type: "put", key, value: utf8(text), ...conditions }]);
}

/** Returns the text of an entry; null if there is none. */
export async function textAt(store: Store, key: string): Promise<string | null> {
  const entry = await store.get(key);
  return entry && textOf(entry.value);
}

/** Appends texts and returns the position of the last. */
export async function append(store: Store, journal: string, ...texts: string[]): Promise<number> {
  return resultsOf(await store.batch([{ type: "append", journal, records: texts.map(utf8) }]))[0] ?? 0;
}

/** Returns the texts of a journal by position. */
export async function recordsOf(store: Store, journal: string, after = 0, limit = 1_000): Promise<[number, string][]> {
  return (await store.read(journal, after, limit)).map(({ position, record }) => [position, textOf(record)]);
}

/** Claims members in a generation; returns those that were claimed before. */
export async function claim(
  store: Store,
  set: string,
  generation: number,
  members: string[],
  keep = 2,
): Promise<string[]> {
  const result = await store.batch([{ type: "claim", set, generation, keep, members }]);
  return result.ok ? [] : (result.claimed.get(0) ?? []);
}

/** Returns the results of a batch that must have succeeded. */
export function resultsOf(result: BatchResult): number[] {
  assert.ok(result.ok, `The batch failed at ${JSON.stringify("failed" in result && result.failed)}`);
  return result.results;
}

/** Returns the failed operations of a batch that must have failed. */
export function failedOf(result: BatchResult): number[] {
  assert.ok(!result.ok, "The batch should have failed");
  return result.failed;
}

/** Waits until a condition holds; rejects after `ms`. */
export async function eventually(condition: () => boolean | Promise<boolean>, ms = 2_000): Promise<void> {
  const end = Date.now() + ms;
  while (!(await condition())) {
    assert.ok(Date.now() < end, `This did not come true within ${ms} ms: ${condition}`);
    await pause(10);
  }
}

/** Waits for a number of milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
