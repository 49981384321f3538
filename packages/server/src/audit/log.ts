import type { AuditFilter, AuditLogEntry, AuditStats } from "@assay/contract";
import type { Store } from "@assay/store";
import { timestampOf } from "../ground/runtime.ts";
import { createSlices } from "../ground/slices.ts";
import { MAX_RESPONSE_BYTES } from "../http/response-limit.ts";
import { AUDIT_JOURNAL } from "../storage/collection.ts";
import { createAuditColumns } from "./columns.ts";
import { toAuditRecord } from "./entry.ts";

/** The range of matching entries to read. Sequences are exclusive before and inclusive after. */
export interface Slice {
  skip: number;
  limit: number;
  newestFirst: boolean;
}

/** Searches the audit trail. The first call reads the whole trail; later calls read only new entries. */
export interface AuditLog {
  /** Returns fewer entries than requested if they would not fit into one response. */
  page(filter: AuditFilter, slice: Slice): Promise<{ items: AuditLogEntry[]; total: number }>;
  /** Iterates matching entries with sequences in (`after`, `through`], oldest first. Reads them lazily. */
  entries(filter: AuditFilter, after: number, through: number): AsyncIterable<AuditLogEntry>;
  find(id: string): Promise<AuditLogEntry | undefined>;
  stats(filter: AuditFilter): Promise<AuditStats>;
  /** Number of entries per action. */
  actions(filter: AuditFilter): Promise<Map<string, number>>;
}

/** Entries are up to 2 MB each, so pages are small. */
const PAGE = 100;
/** Reads entries in one range if they are at most this far apart. */
const RUN = 20;
/** Reads stop beyond this size, which exceeds a response, but not before `FEWEST` entries. */
const MAX_BYTES = MAX_RESPONSE_BYTES * 1.2;
const FEWEST = 5;
/** Rows to scan between two checks of the clock. */
const STRIDE = 4096;
const MAX_ACTORS = 1000;

export function createAuditLog(store: Store): AuditLog {
  const columns = createAuditColumns();
  let position = 0;
  let following: Promise<void> | null = null;

  async function follow(): Promise<void> {
    const slices = createSlices();
    for (;;) {
      const records = await store.read(AUDIT_JOURNAL, position, PAGE);
      for (const record of records) {
        columns.add(toAuditRecord(record));
        position = record.position;
        if (slices.isOver()) await slices.next();
      }
      if (records.length < PAGE) return;
    }
  }

  /** Reads all entries appended before the call. */
  async function catchUp(): Promise<void> {
    await following;
    following ??= follow().finally(() => {
      following = null;
    });
    await following;
  }

  /** Reads entries by ascending sequence and merges neighbors into one range. Skips unreadable entries. */
  async function* read(sequences: readonly number[]): AsyncGenerator<{ entry: AuditLogEntry; bytes: number }> {
    const slices = createSlices();
    for (let start = 0; start < sequences.length; ) {
      let end = start + 1;
      while (end < sequences.length && end - start < RUN && sequences[end] === sequences[end - 1]! + 1) end++;
      const records = await store.read(AUDIT_JOURNAL, sequences[start]! - 1, end - start);
      const last = sequences[end - 1]!;
      for (const record of records) {
        if (record.position <= last) yield { entry: toAuditRecord(record), bytes: record.record.byteLength };
        if (slices.isOver()) await slices.next();
      }
      start = end;
    }
  }

  /** Reads entries in order until they exceed one response. */
  async function readPage(sequences: readonly number[]): Promise<AuditLogEntry[]> {
    const found: AuditLogEntry[] = [];
    let size = 0;
    // Runs are read by ascending sequence and reversed for descending pages.
    for (let start = 0; start < sequences.length; start += RUN) {
      const run = sequences.slice(start, start + RUN);
      const isDescending = run.length > 1 && run[0]! > run[1]!;
      const entries: AuditLogEntry[] = [];
      for await (const { entry, bytes } of read(isDescending ? run.toReversed() : run)) {
        entries.push(entry);
        size += bytes;
      }
      found.push(...(isDescending ? entries.reverse() : entries));
      if (size > MAX_BYTES && found.length >= FEWEST) break;
    }
    return found;
  }

  /** Visits matching rows and yields to the event loop periodically. */
  async function forEachRow(filter: AuditFilter, take: (row: number) => void): Promise<void> {
    const slices = createSlices();
    let count = 0;
    for (const row of columns.rows(filter)) {
      take(row);
      if (++count % STRIDE === 0 && slices.isOver()) await slices.next();
    }
  }

  return {
    async page(filter, { skip, limit, newestFirst }) {
      await catchUp();
      const rows: number[] = [];
      await forEachRow(filter, (row) => rows.push(row));
      const from = newestFirst ? Math.max(0, rows.length - skip - limit) : skip;
      const to = newestFirst ? Math.max(0, rows.length - skip) : skip + limit;
      const sequences = rows.slice(from, to).map(columns.sequenceAt);
      return { items: await readPage(newestFirst ? sequences.reverse() : sequences), total: rows.length };
    },
    async *entries(filter, after, through) {
      await catchUp();
      let sequences: number[] = [];
      for (const row of columns.rows(filter)) {
        const sequence = columns.sequenceAt(row);
        if (sequence <= after || sequence > through) continue;
        sequences.push(sequence);
        if (sequences.length < RUN) continue;
        for await (const { entry } of read(sequences)) yield entry;
        sequences = [];
      }
      for await (const { entry } of read(sequences)) yield entry;
    },
    async find(id) {
      await catchUp();
      for await (const { entry } of read(columns.candidates(id).map(columns.sequenceAt))) {
        if (entry.id === id) return entry;
      }
      return undefined;
    },
    async stats(filter) {
      await catchUp();
      const [actions, types, actors, days] = [counter(), counter(), counter(), counter()];
      let total = 0;
      await forEachRow(filter, (row) => {
        total++;
        actions.count(columns.actionAt(row));
        types.count(columns.resourceTypeAt(row));
        actors.count(columns.actorAt(row));
        days.count(timestampOf(columns.timeAt(row)).slice(0, 10));
      });
      return {
        total,
        by_action: actions.all(),
        by_resource_type: types.all(),
        by_actor: actors.most(MAX_ACTORS),
        by_day: days.all(),
      };
    },
    async actions(filter) {
      await catchUp();
      const { count, counts } = counter();
      await forEachRow(filter, (row) => count(columns.actionAt(row)));
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
