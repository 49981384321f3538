import type { JsonValue } from "@assay/core";
import { type AttributeLog, type AttributePart, createAttributeLog } from "./attributes.ts";
import {
  createEventColumns,
  createReceiptColumns,
  type EventColumns,
  type ReceiptColumns,
  reserveEvents,
  reserveReceipts,
} from "./columns.ts";
import { isEmploying } from "./crew.ts";
import { createEventKinds, type EventKind, type EventKinds, JOIN } from "./event-kind.ts";
import { MAX_EVENT_VALUE, MIN_EVENT_VALUE } from "./event-record.ts";
import { allocate, allocateShared } from "./memory.ts";
import type { RecordColumns } from "./record-columns.ts";
import type { UserIndex } from "./user-index.ts";

/** All events, in journal order, in columns: the input of the analysis. */
export interface EventLog {
  readonly rows: EventColumns;
  readonly receipts: ReceiptColumns;
  /** User ids by index, in the order of their first row; empty for erased users. */
  readonly users: readonly string[];
  readonly kinds: readonly EventKind[];
  /** Rows that join two ids. */
  readonly joins: readonly number[];
  /** Attributes of exposures, by name. */
  readonly attributes: AttributeLog;
  /**
   * Values that are not analysed as sent, by row, oldest first. A sum could not hold two values beyond the current
   * maximum, so their events count as events without a value. Squares could not hold values closer to 0 than
   * `MIN_EVENT_VALUE`, so these count as 0.
   */
  readonly outliers: ReadonlyMap<number, number>;
  /** Gaps of missing records, oldest first: positions stay when events are erased, so nothing else leaves a gap. */
  readonly gaps: readonly Gap[];
  /** The index of a user whose exposures do not count; absent if everyone's do. */
  readonly ignoredUser?: number;
  /**
   * Of a log whose users are stays: the person of each, by index. Events of persons themselves are those before their
   * first exposure.
   */
  readonly persons?: ArrayLike<number>;
}

/** A log that accepts journal records and chunks, in the order of their positions. */
export interface GrowingLog extends EventLog {
  /** Position of the last record in the log; 0 if it is empty. */
  readonly position: number;
  /** The number of the first of `users`; those before it are in chunks that the log does not have. */
  readonly firstUser: number;
  /** The metadata of events that are not yet in a chunk, by row. */
  readonly details: ReadonlyMap<number, Record<string, JsonValue>>;
  append(position: number, record: RecordColumns): void;
  appendChunk(chunk: ChunkColumns): void;
  /** Drops the details of rows before this one. */
  dropDetails(before: number): void;
  indexOf(userId: string): number | undefined;
}

/** A gap of records that were damaged. */
export interface Gap {
  /** When the record before them was received, in milliseconds since 1970; null if there is none. */
  after: number | null;
  /** When the record after them was received; null if there is none yet. */
  before: number | null;
}

/** A section of a log. */
export interface ChunkColumns {
  /** Positions of its first and last journal record. */
  from: number;
  through: number;
  /** Users that the section introduces, from this index on. */
  userBase: number;
  newUsers: string[];
  /**
   * Kinds from this number on, including all earlier ones, so that a lost chunk does not lose the kinds of later
   * ones.
   */
  kindBase: number;
  newKinds: EventKind[];
  users: Uint32Array;
  times: Float64Array;
  kinds: Uint32Array;
  values: Float64Array;
  /** Per journal record: position, receipt time, number of rows. */
  positions: Float64Array;
  receivedAt: Float64Array;
  counts: Uint32Array;
  attributes: AttributePart[];
}

/** Where a log starts that has only the records after some chunks. */
export interface LogStart {
  /** Position of the last record in the chunks, and when it was received; null without one. */
  position: number;
  receivedAt: number | null;
  users: UserIndex;
  kinds: EventKinds;
  /** Attributes in the chunks, without rows. */
  attributes: readonly AttributePart[];
}

/**
 * Creates an empty log. Its numbers of users and kinds depend on the journal's order alone. With a start, numbers continue
 * those of the chunks before.
 */
export function createEventLog(start?: LogStart): GrowingLog {
  // Threads read the rows where they are. The garbage collector does not see shared memory, so only a log that stays has it.
  const rows = createEventColumns(!start && isEmploying() ? allocateShared : allocate);
  const receipts = createReceiptColumns();
  const users: string[] = [];
  const indexes = new Map<string, number>();
  const firstUser = start?.users.length ?? 0;
  const kinds: EventKinds = start?.kinds ?? createEventKinds();
  const joins: number[] = [];
  const details = new Map<number, Record<string, JsonValue>>();
  const attributes = createAttributeLog();
  const outliers = new Map<number, number>();
  const gaps: Gap[] = [];
  let position = start?.position ?? 0;
  if (start) attributes.append(0, start.attributes);

  function userIndex(userId: string): number {
    const known = indexOf(userId);
    if (known !== undefined) return known;
    const own = copyOf(userId);
    if (start) {
      users.push(own);
      return start.users.add(own);
    }
    indexes.set(own, users.length);
    return users.push(own) - 1;
  }

  function indexOf(userId: string): number | undefined {
    return start ? start.users.indexOf(userId) : indexes.get(userId);
  }

  function add(user: number, time: number, kind: number, value: number): void {
    const row = rows.length++;
    rows.users[row] = user;
    rows.times[row] = time;
    rows.kinds[row] = kind;
    rows.values[row] = value;
    setOutlierAside(row);
  }

  function setOutlierAside(row: number): void {
    const value = rows.values[row]!;
    const analysed = analysedValue(value);
    if (Object.is(analysed, value)) return;
    outliers.set(row, value);
    rows.values[row] = analysed;
  }

  function addReceipt(at: number, time: number, userBase: number, kindBase: number): void {
    const next = receipts.length++;
    const previous = next > 0 ? receipts.positions[next - 1]! : (start?.position ?? 0);
    const after = next > 0 ? receipts.times[next - 1]! : (start?.receivedAt ?? null);
    if (at > previous + 1) gaps.push({ after, before: time });
    receipts.positions[next] = at;
    receipts.times[next] = time;
    receipts.starts[next] = rows.length;
    receipts.userBases[next] = userBase;
    receipts.kindBases[next] = kindBase;
  }

  return {
    rows,
    receipts,
    users,
    firstUser,
    kinds: kinds.list,
    joins,
    details,
    attributes,
    outliers,
    gaps,
    get position() {
      return position;
    },
    append(at, record) {
      const { at: receivedAt, userIds, kindOf, times, values, joins: joined } = record;
      reserveReceipts(receipts, 1);
      reserveEvents(rows, userIds.length + joined.length);
      addReceipt(at, receivedAt, firstUser + users.length, kinds.list.length);
      for (const { userId, unitId, experimentId, time = receivedAt } of joined) {
        joins.push(rows.length);
        const user = userIndex(userId);
        const kind = kinds.numberOf({ type: JOIN, experimentId, variantKey: null, flagKey: null, forced: false });
        add(user, time, kind, userIndex(unitId));
      }
      const numbers = record.kinds.map(kinds.numberOf);
      for (const [index, metadata] of record.metadata) {
        const row = rows.length + index;
        details.set(row, metadata);
        const { experimentId, variantKey } = record.kinds[kindOf[index]!]!;
        if (experimentId !== null && variantKey !== null) attributes.add(row, experimentId, metadata);
      }
      for (let index = 0; index < userIds.length; index++) {
        add(userIndex(userIds[index]!), times[index]!, numbers[kindOf[index]!]!, values[index]!);
      }
      position = at;
    },
    appendChunk(chunk) {
      if (chunk.userBase < users.length) {
        throw new Error(`Chunk ${chunk.from}-${chunk.through} does not continue the log`);
      }
      // Users of a lost chunk keep their index, like erased ones.
      while (users.length < chunk.userBase) users.push("");
      for (const user of chunk.newUsers) {
        // An erased user keeps the index, not the name.
        if (user !== "") indexes.set(user, users.length);
        users.push(user);
      }
      kinds.restore(chunk.kindBase, chunk.newKinds);
      reserveReceipts(receipts, chunk.counts.length);
      reserveEvents(rows, chunk.users.length);
      let start = rows.length;
      const first = start;
      for (let index = 0; index < chunk.counts.length; index++) {
        addReceipt(chunk.positions[index]!, chunk.receivedAt[index]!, users.length, kinds.list.length);
        receipts.starts[receipts.length - 1] = start;
        start += chunk.counts[index]!;
      }
      rows.users.set(chunk.users, first);
      rows.times.set(chunk.times, first);
      rows.kinds.set(chunk.kinds, first);
      rows.values.set(chunk.values, first);
      rows.length = start;
      for (let row = first; row < start; row++) setOutlierAside(row);
      attributes.append(first, chunk.attributes);
      if (kinds.list.some((kind) => kind.type === JOIN)) {
        for (let row = first; row < start; row++) if (kinds.list[rows.kinds[row]!]!.type === JOIN) joins.push(row);
      }
      position = chunk.through;
    },
    dropDetails(before) {
      for (const row of details.keys()) {
        if (row >= before) break;
        details.delete(row);
      }
    },
    indexOf,
  };
}

/** Copies a text that may be a part of a record's: V8 would keep all of the record as long as the part. */
function copyOf(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}

/** Returns a value as it counts: see {@link EventLog.outliers}. */
export function analysedValue(value: number): number {
  const size = Math.abs(value);
  if (size > MAX_EVENT_VALUE) return Number.NaN;
  return size < MIN_EVENT_VALUE && size > 0 ? 0 : value;
}
