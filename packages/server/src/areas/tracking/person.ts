import { createHash } from "node:crypto";
import { decodeDetails, type PersonCursor, type PersonEvent } from "@assay/analysis";
import type { PersonTrace } from "@assay/contract";
import type { JsonValue } from "@assay/core";
import type { Store } from "@assay/store";
import type { Analysis } from "../../analysis/analysis.ts";
import { eraseEvents } from "../../analysis/erasure.ts";
import { findPersonEvents } from "../../analysis/person-events.ts";
import { readDetails } from "../../analysis/storage.ts";
import { listAssignments } from "../../events/assignment.ts";
import { readIds } from "../../events/identity.ts";
import { conflict } from "../../ground/errors.ts";
import { type Runtime, timestampOf } from "../../ground/runtime.ts";
import { createSlices } from "../../ground/slices.ts";
import type { AuditEntry, Change } from "../../storage/change.ts";
import type { Collections } from "../../storage/collections.ts";
import type { Traces } from "./traces.ts";

/**
 * The maximum size of the events in a response, in bytes. A response stays under 10 MB; the rest is for assignments and
 * syntax.
 */
const EXPORT_BYTES = 9 * 1024 * 1024;
/** The maximum number of events held in memory for a response. */
const EXPORT_EVENTS = 50_000;

/** The number of entries in a response. */
const MAX_REMAINING = 1000;

/** The erased data of a person, and what is left. */
export interface Erasure {
  erased_events: number;
  erased_assignments: number;
  /** The segments from which the ids were removed. */
  removed_from: PersonTrace[];
  /** What still contains the person, or may, at most {@link MAX_REMAINING}. */
  remaining: PersonTrace[];
  remaining_total: number;
}

/** One part of the stored data of a person, under all ids. */
export interface PersonRecords {
  aliases: string[];
  /** All assignments, with the first part. */
  assignments: Awaited<ReturnType<typeof listAssignments>>;
  events: Record<string, JsonValue>[];
  /** The start of the next part; null in the last part. */
  next: string | null;
}

/** Reads and erases the stored data of people. */
export interface People {
  /**
   * @param after the `next` of the previous part
   * @throws ApiError 409 if the ids of the person have changed since
   */
  read(userId: string, by: Change, after?: string): Promise<PersonRecords>;
  /** @throws ApiError 503 while the log is being compacted */
  erase(userId: string, by: Change): Promise<Erasure>;
}

/** Returns the SHA-256 under which the audit trail names a person. */
export function hashOfPerson(userId: string): string {
  return createHash("sha256").update(userId).digest("hex");
}

/** Creates the access to people's data. The audit trail records each access with a hash of the id. */
export function createPeople(
  store: Store,
  runtime: Runtime,
  analysis: Analysis,
  collections: Pick<Collections, "record">,
  traces: Traces,
): People {
  const holder = runtime.id();

  function entryOf(userId: string, by: Change, counts: Record<string, number>): AuditEntry {
    return {
      ...by.actor,
      id: runtime.id(),
      timestamp: timestampOf(runtime.now()),
      action: by.action,
      resource_type: "person",
      resource_id: hashOfPerson(userId),
      resource_name: null,
      old_value: null,
      new_value: counts,
      reason: by.reason ?? null,
    };
  }

  async function assignmentsOf(ids: readonly string[]): Promise<PersonRecords["assignments"]> {
    const lists = await Promise.all(ids.map((id) => listAssignments(store, id)));
    return lists.flat();
  }

  /** Adds the metadata to events that are in chunks. */
  async function withMetadata(events: PersonEvent[]): Promise<PersonEvent[]> {
    let through = 0;
    let stored = new Map<string, Record<string, JsonValue>>();
    const complete: PersonEvent[] = [];
    const slices = createSlices();
    for (const event of events) {
      if (slices.isOver()) await slices.next();
      if (event.event_id === null && event.position > through) {
        const details = await readDetails(store, event.position);
        through = details?.through ?? event.position;
        const rows = details ? decodeDetails(details.bytes) : [];
        stored = new Map(rows.map(([position, index, metadata]) => [`${position},${index}`, metadata]));
      }
      const metadata = event.event_metadata ?? stored.get(`${event.position},${event.index}`) ?? null;
      complete.push({ ...event, event_metadata: metadata });
    }
    return complete;
  }

  return {
    async read(userId, by, after) {
      const { ids } = await readIds(store, userId);
      const from = cursorOf(after, ids);
      const found = await findPersonEvents(store, analysis, ids, EXPORT_EVENTS + 1, from);
      const events: Record<string, JsonValue>[] = [];
      let bytes = 0;
      const slices = createSlices();
      for (const event of await withMetadata(found.slice(0, EXPORT_EVENTS))) {
        if (slices.isOver()) await slices.next();
        const { position: _position, index: _index, timestamp, received_at, ...rest } = event;
        const shown = { ...rest, timestamp: timestampOf(timestamp), received_at: timestampOf(received_at) };
        bytes += Buffer.byteLength(JSON.stringify(shown)) + 1;
        if (bytes > EXPORT_BYTES) break;
        events.push(shown);
      }
      const assignments = after === undefined ? await assignmentsOf(ids) : [];
      await collections.record([entryOf(userId, by, { events: events.length, assignments: assignments.length })]);
      const next = events.length < found.length ? toCursor(found.slice(0, events.length), from, ids) : null;
      return { aliases: ids.filter((id) => id !== userId), assignments, events, next };
    },

    async erase(userId, by) {
      const { ids, keys } = await readIds(store, userId);
      const assignments = await assignmentsOf(ids);
      const deleted = [...new Set([...keys, ...assignments.map(({ key }) => key)])];
      const erased_events = await eraseEvents(store, analysis, holder, ids, deleted);
      const removed_from = await traces.remove(ids, by);
      const left = await traces.find(ids);
      const counts = { erased_events, erased_assignments: assignments.length };
      const others = { removed_from: removed_from.length, remaining: left.length };
      await collections.record([entryOf(userId, by, { ...counts, ...others })]);
      return { ...counts, removed_from, remaining: left.slice(0, MAX_REMAINING), remaining_total: left.length };
    },
  };
}

/**
 * The cursor as `position.taken.ids`. It contains the number of ids, because with other ids other events would precede
 * it.
 */
function cursorOf(text: string | undefined, ids: readonly string[]): PersonCursor {
  if (text === undefined) return { position: 0, taken: 0 };
  const [position = 0, taken = 0, known] = text.split(".").map(Number);
  if (known !== ids.length)
    throw conflict("The ids of this person have changed since the first part; start again without after");
  return { position, taken };
}

function toCursor(read: PersonEvent[], from: PersonCursor, ids: readonly string[]): string {
  const position = read.at(-1)?.position ?? from.position;
  const before = position === from.position ? from.taken : 0;
  const taken = before + read.filter((event) => event.position === position).length;
  return [position, taken, ids.length].join(".");
}
