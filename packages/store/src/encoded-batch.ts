import { assertKey } from "./key.ts";
import { encodeMember } from "./member.ts";
import type { BatchResult, Operation } from "./store.ts";

/** A batch for a database that performs it by itself: the operations refer to bytes by their position, from 1 on. */
export interface EncodedBatch {
  operations: object[];
  payload: Buffer[];
}

/** The answer of a database to an encoded batch. */
export type BatchAnswer =
  | { results: number[] }
  | {
      failed: number[];
      /** By the index of the operation, the positions of the members already claimed, from 1 on. */
      claimed: [index: number, positions: number[]][];
    };

/** Encodes a batch. @throws {TypeError} for a name that `keyOf` did not make, or a claim without a window */
export function encodeBatch(operations: Operation[]): EncodedBatch {
  const payload: Buffer[] = [];
  const add = (bytes: Uint8Array) => payload.push(toBuffer(bytes));
  const addAll = (all: Uint8Array[]) => {
    const from = payload.length + 1;
    for (const bytes of all) add(bytes);
    return { from, to: payload.length };
  };
  const encode = (operation: Operation): object => {
    switch (operation.type) {
      case "put":
        assertKey(operation.key);
        return { ...operation, value: add(operation.value) };
      case "append": {
        const { records, ...rest } = operation;
        assertKey(rest.journal);
        return { ...rest, ...addAll(records) };
      }
      case "rewrite": {
        const { record, ...rest } = operation;
        assertKey(rest.journal);
        return { ...rest, value: add(record) };
      }
      case "claim": {
        const { members, ...rest } = operation;
        assertKey(rest.set);
        if (!Number.isSafeInteger(rest.generation) || !Number.isSafeInteger(rest.keep) || rest.keep < 1) {
          throw new TypeError("A claim needs an integer generation and keeps at least one");
        }
        return { ...rest, ...addAll(members.map(encodeMember)) };
      }
      case "delete":
        assertKey(operation.key);
        return operation;
      case "trim":
        assertKey(operation.journal);
        // JSON has no infinity.
        return { ...operation, through: Math.min(operation.through, Number.MAX_SAFE_INTEGER) };
      case "fence":
        assertKey(operation.lease);
        return operation;
    }
  };
  return { operations: operations.map(encode), payload };
}

/** Decodes the answer to a batch. */
export function decodeBatch(operations: Operation[], answer: BatchAnswer): BatchResult {
  if ("results" in answer) return { ok: true, results: answer.results };
  const claimed = answer.claimed.map(([index, positions]): [number, string[]] => {
    const operation = operations[index];
    const members = operation?.type === "claim" ? operation.members : [];
    return [index, positions.map((position) => members[position - 1]!)];
  });
  return { ok: false, failed: answer.failed, claimed: new Map(claimed) };
}

/** Returns the same bytes as a buffer of Node. */
export function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
