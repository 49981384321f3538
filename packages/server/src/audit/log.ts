import { setImmediate } from "node:timers/promises";
import type { AuditFilter, AuditLogEntry, AuditStats } from "@assay/contract";
import { timestampOf } from "../runtime.ts";
import { AUDIT_JOURNAL } from "../storage/collection.ts";
import type { Store } from "../storage/store.ts";
import { createAuditColumns } from "./columns.ts";
import { toAuditRecord } from "./entry.ts";

/** Which of the matching entries are wanted; sequences are exclusive before and inclusive after. */
export interface Slice {
  skip: number;
  limit: number;
  newestFirst: boolean;
}

/** The audit trail, to be searched. It is read when somebody first asks, and from then on only what was added. */
export interface AuditLog {
  page(filter: AuditFilter, slice: Slice): Promise<{ items: AuditLogEntry[]; total: number }>;
  /** Matching entries after one sequence through another, oldest first, read as they are asked for. */
  entries(filter: AuditFilter, after: number, through: number): AsyncIterable<AuditLogEntry>;
  find(id: string): Promise<AuditLogEntry | undefined>;
  stats(filter: AuditFilter): Promise<AuditStats>;
  /** How often each action was done. */
  actions(filter: AuditFilter): Promise<Map<string, number>>;
}

const PAGE = 500;
/** Entries that stand this close are read together. */
const RUN = 100;
const MOST_ACTORS = 1000;

export function createAuditLog(store: Store): AuditLog {
  const columns = createAuditColumns();
  let position = 0;
  let following: Promise<void> | null = null;

  async function follow(): Promise<void> {
    for (;;) {
      const records = await store.read(AUDIT_JOURNAL, position, PAGE);
      for (const record of records) {
        columns.add(toAuditRecord(record));
        position = record.position;
      }
      if (records.length < PAGE) return;
      await setImmediate();
    }
  }

  /** What was appended before the call is there after it. */
  async function catchUp(): Promise<void> {
    await following;
    following ??= follow().finally(() => {
      following = null;
    });
    await following;
  }

  /** Reads entries by ascending sequence, neighbours in one go; those that cannot be read any more are left out. */
  async function read(sequences: number[]): Promise<AuditLogEntry[]> {
    const found: AuditLogEntry[] = [];
    for (let start = 0; start < sequences.length; ) {
      let end = start + 1;
      while (end < sequences.length && end - start < RUN && sequences[end] === sequences[end - 1]! + 1) end++;
      const records = await store.read(AUDIT_JOURNAL, sequences[start]! - 1, end - start);
      const last = sequences[end - 1]!;
      for (const record of records) if (record.position <= last) found.push(toAuditRecord(record));
      start = end;
    }
    return found;
  }

  return {
    async page(filter, { skip, limit, newestFirst }) {
      await catchUp();
      const rows = [...columns.rows(filter)];
      const from = newestFirst ? Math.max(0, rows.length - skip - limit) : skip;
      const to = newestFirst ? Math.max(0, rows.length - skip) : skip + limit;
      const items = await read(rows.slice(from, to).map(columns.sequenceAt));
      return { items: newestFirst ? items.reverse() : items, total: rows.length };
    },
    async *entries(filter, after, through) {
      await catchUp();
      let sequences: number[] = [];
      for (const row of columns.rows(filter)) {
        const sequence = columns.sequenceAt(row);
        if (sequence <= after || sequence > through) continue;
        sequences.push(sequence);
        if (sequences.length < RUN) continue;
        yield* await read(sequences);
        sequences = [];
      }
      yield* await read(sequences);
    },
    async find(id) {
      await catchUp();
      const entries = await read(columns.candidates(id).map(columns.sequenceAt));
      return entries.find((entry) => entry.id === id.toLowerCase() || entry.id === id);
    },
    async stats(filter) {
      await catchUp();
      const [actions, types, actors, days] = [counter(), counter(), counter(), counter()];
      let total = 0;
      for (const row of columns.rows(filter)) {
        total++;
        actions.count(columns.actionAt(row));
        types.count(columns.resourceTypeAt(row));
        actors.count(columns.actorAt(row));
        days.count(timestampOf(columns.timeAt(row)).slice(0, 10));
      }
      return {
        total,
        by_action: actions.all(),
        by_resource_type: types.all(),
        by_actor: actors.most(MOST_ACTORS),
        by_day: days.all(),
      };
    },
    async actions(filter) {
      await catchUp();
      const { count, counts } = counter();
      for (const row of columns.rows(filter)) count(columns.actionAt(row));
      return counts;
    },
  };
}

function counter() {
  const counts = new Map<string, number>();
  const sorted = () => [...counts].sort(([, a], [, b]) => b - a);
  return {
    counts,
    count: (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1),
    all: () => Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))),
    most: (limit: number) => Object.fromEntries(sorted().slice(0, limit)),
  };
}
