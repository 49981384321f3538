import { crc32 } from "node:zlib";
import type { AuditFilter, AuditLogEntry } from "@assay/contract";

/** The columns that lists and counts read, 32 bytes per entry. The entries themselves stay in the store. */
export interface AuditColumns {
  readonly size: number;
  add(entry: AuditLogEntry): void;
  /** Matching rows, in order. */
  rows(filter: AuditFilter): Iterable<number>;
  /** Rows that may contain the entry with this id. */
  candidates(id: string): number[];
  sequenceAt(row: number): number;
  timeAt(row: number): number;
  actionAt(row: number): string;
  resourceTypeAt(row: number): string;
  /** The id of the actor, or its type if it has no id. */
  actorAt(row: number): string;
}

const NAMES = ["action", "resourceType", "resource", "actor", "id", "sequence"] as const;

export function createAuditColumns(): AuditColumns {
  let size = 0;
  let capacity = 1024;
  const texts: string[] = [];
  const numbers = new Map<string, number>();
  const columns = Object.fromEntries(NAMES.map((name) => [name, new Uint32Array(capacity)])) as Record<
    (typeof NAMES)[number],
    Uint32Array
  >;
  let times = new Float64Array(capacity);

  function numberOf(text: string): number {
    const existing = numbers.get(text);
    if (existing !== undefined) return existing;
    numbers.set(text, texts.length);
    return texts.push(text) - 1;
  }

  function grow(): void {
    capacity *= 2;
    for (const name of NAMES) {
      const larger = new Uint32Array(capacity);
      larger.set(columns[name]);
      columns[name] = larger;
    }
    const later = new Float64Array(capacity);
    later.set(times);
    times = later;
  }

  return {
    get size() {
      return size;
    },
    add(entry) {
      if (size === capacity) grow();
      columns.action[size] = numberOf(entry.action);
      columns.resourceType[size] = numberOf(entry.resource_type);
      columns.resource[size] = numberOf(entry.resource_id ?? "");
      columns.actor[size] = numberOf(entry.actor_id ?? entry.actor_type);
      columns.id[size] = crc32(entry.id);
      columns.sequence[size] = entry.sequence;
      times[size] = Date.parse(entry.timestamp);
      size++;
    },
    *rows({ action, resource_type, resource_id, actor_id, start_date, end_date }) {
      const wanted: [Uint32Array, number][] = [];
      for (const [column, text] of [
        [columns.action, action],
        [columns.resourceType, resource_type],
        [columns.resource, resource_id],
        [columns.actor, actor_id],
      ] as const) {
        if (text === undefined) continue;
        const number = numbers.get(text);
        if (number === undefined) return;
        wanted.push([column, number]);
      }
      const start = start_date === undefined ? Number.NEGATIVE_INFINITY : Date.parse(start_date);
      const end = end_date === undefined ? Number.POSITIVE_INFINITY : Date.parse(end_date);
      for (let row = 0; row < size; row++) {
        if (times[row]! < start || times[row]! > end) continue;
        if (wanted.every(([column, number]) => column[row] === number)) yield row;
      }
    },
    candidates(id) {
      const hash = crc32(id);
      const found: number[] = [];
      for (let row = columns.id.indexOf(hash); row !== -1 && row < size; row = columns.id.indexOf(hash, row + 1)) {
        found.push(row);
      }
      return found;
    },
    sequenceAt: (row) => columns.sequence[row]!,
    timeAt: (row) => times[row]!,
    actionAt: (row) => texts[columns.action[row]!]!,
    resourceTypeAt: (row) => texts[columns.resourceType[row]!]!,
    actorAt: (row) => texts[columns.actor[row]!]!,
  };
}
