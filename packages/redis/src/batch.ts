import { assertKey, type BatchResult, encodeMember, type Operation } from "@assay/store";

/** A batch as its script takes it: the operations refer to bytes by their position, from 1 on. */
export interface EncodedBatch {
  operations: object[];
  payload: Buffer[];
}

/** The answer of the script; the positions of claimed members are from 1 on. */
export type BatchAnswer = [1, number[]] | [0, number[], [index: number, positions: number[]][]];

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
  const [isDone, indexes] = answer;
  if (isDone === 1) return { ok: true, results: indexes };
  const claimed = answer[2].map(([index, positions]): [number, string[]] => {
    const operation = operations[index];
    const members = operation?.type === "claim" ? operation.members : [];
    return [index, positions.map((position) => members[position - 1]!)];
  });
  return { ok: false, failed: indexes, claimed: new Map(claimed) };
}

export function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
