import type { Operation } from "../store.ts";

/** The expected content of a store, as simply as possible. Conformance compares stores with it. */
export interface Model {
  entries: Map<string, { text: string; version: number }>;
  journals: Map<string, { head: number; records: Map<number, string> }>;
  sets: Map<string, { latest: number; floor: number; members: Map<string, number> }>;
}

/** Returns an empty model. */
export function createModel(): Model {
  return { entries: new Map(), journals: new Map(), sets: new Map() };
}

/**
 * Returns the expected effect of a batch: the model afterwards (the same one if the batch failed) and the expected
 * answer.
 */
export function applyToModel(before: Model, operations: Operation[]) {
  const model = structuredClone(before);
  const results: number[] = [];
  const failed: number[] = [];
  const claimed = new Map<number, string[]>();
  for (const [index, operation] of operations.entries()) {
    const result = step(model, operation);
    if (typeof result === "number") results.push(result);
    else {
      failed.push(index);
      if (result.length > 0) claimed.set(index, result);
    }
  }
  return failed.length > 0
    ? { model: before, answer: { ok: false, failed, claimed } }
    : { model, answer: { ok: true, results } };
}

/** Returns the journal of a model; empty if there is none. */
export function journalOf(model: Model, name: string) {
  const journal = model.journals.get(name) ?? { head: 0, records: new Map<number, string>() };
  model.journals.set(name, journal);
  return journal;
}

/** Returns the result, or, if the condition failed, the members that were claimed before. */
function step(model: Model, operation: Operation): number | string[] {
  switch (operation.type) {
    case "put": {
      const version = model.entries.get(operation.key)?.version ?? 0;
      if (operation.ifVersion !== undefined && operation.ifVersion !== version) return [];
      if (version > 0 && operation.ifAbsent === "fail") return [];
      if (version > 0 && operation.ifAbsent === "skip") return 0;
      const text = new TextDecoder().decode(operation.value);
      model.entries.set(operation.key, { text, version: version + 1 });
      return version + 1;
    }
    case "delete": {
      const version = model.entries.get(operation.key)?.version ?? 0;
      if (operation.ifVersion !== undefined && operation.ifVersion !== version) return [];
      model.entries.delete(operation.key);
      return 0;
    }
    case "append": {
      const journal = journalOf(model, operation.journal);
      for (const record of operation.records) journal.records.set(++journal.head, new TextDecoder().decode(record));
      return journal.head;
    }
    case "rewrite": {
      const { records } = journalOf(model, operation.journal);
      if (!records.has(operation.position)) return [];
      records.set(operation.position, new TextDecoder().decode(operation.record));
      return 0;
    }
    case "trim": {
      const { records } = journalOf(model, operation.journal);
      for (const position of [...records.keys()]) if (position <= operation.through) records.delete(position);
      return 0;
    }
    case "claim": {
      const set = model.sets.get(operation.set) ?? { latest: -1e9, floor: -1e9, members: new Map() };
      model.sets.set(operation.set, set);
      if (operation.members.length === 0) return 0;
      set.latest = Math.max(set.latest, operation.generation);
      set.floor = Math.max(set.floor, set.latest - operation.keep + 1);
      const members = [...new Set(operation.members)];
      const already = members.filter((member) => (set.members.get(member) ?? -1e9) >= set.floor);
      for (const member of members) set.members.set(member, set.latest);
      return already.length > 0 ? already : 0;
    }
    case "fence":
      return [];
  }
}
