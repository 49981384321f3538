import { encodeRecord, type Join, type StoredEvent, withoutEvents } from "@assay/analysis";
import type { Operation } from "@assay/store";
import { assignmentEntry, type NewAssignment } from "./assignment.ts";
import { EVENTS_JOURNAL } from "./journal.ts";

/** The number of days for which an event id is remembered, including today. */
const CLAIM_DAYS = 7;
const CLAIMS = "events";
/** The maximum number of events of a small request. */
const SMALL_EVENTS = 10;
/** The number of events from which a record of small requests takes no further one. */
const SHARED_EVENTS = 100;

/** An event to be written to the journal. */
export interface IncomingEvent extends StoredEvent {
  /** Whether the client knows the id and may send it again, so that the event must be de-duplicated. */
  claimed: boolean;
  /** The assignment to store if there is none, or also if there is one. */
  assignment: NewAssignment | null;
}

/** The events of one request, to be written in one journal record, which small requests share. */
export interface Submission {
  /** Time of receipt in milliseconds since 1970. */
  at: number;
  events: readonly IncomingEvent[];
  joins?: readonly Join[];
  /** Further operations in the same transaction. */
  operations?: readonly Operation[];
}

/** A submission that waits for its commit. */
export interface PreparedSubmission {
  at: number;
  /**
   * Null for a small request without joins: those of one millisecond share a record, because each record takes time to
   * write and to read. Others are encoded at once: while a busy server waits for the disk, the garbage collector would
   * copy the objects of their events again and again.
   */
  record: Uint8Array | null;
  /** The events of a small request; none if they are in its own record. */
  events: readonly StoredEvent[];
  /** The ids of the events, null for those that are not de-duplicated. */
  ids: readonly (string | null)[];
  /** The indexes of the events that are known to be duplicates. */
  duplicates: Set<number>;
  /** With the index of the event of each. */
  assignments: readonly { index: number; assignment: NewAssignment }[];
  operations: readonly Operation[];
}

/** Prepares a submission for the commit of a group. */
export function prepare({ at, events, joins = [], operations = [] }: Submission): PreparedSubmission {
  const isSmall = events.length <= SMALL_EVENTS && joins.length === 0;
  const assignments: PreparedSubmission["assignments"][number][] = [];
  events.forEach(({ assignment }, index) => {
    if (assignment) assignments.push({ index, assignment });
  });
  return {
    at,
    record: isSmall ? null : encodeRecord({ at, events, joins }),
    events: isSmall ? events : [],
    ids: events.map(({ id, claimed }) => (claimed ? id : null)),
    duplicates: new Set(),
    assignments,
    operations,
  };
}

/** Finds repeated ids in a group; the first event counts. */
export function findRepeats(group: readonly PreparedSubmission[]): void {
  const seen = new Set<string>();
  for (const { ids, duplicates } of group) {
    ids.forEach((id, index) => {
      if (id !== null && seen.size === seen.add(id).size) duplicates.add(index);
    });
  }
}

/** Returns the assignments of the events that are stored. */
export function assignmentsOf({ assignments, duplicates }: PreparedSubmission): NewAssignment[] {
  return assignments.flatMap(({ index, assignment }) => (duplicates.has(index) ? [] : [assignment]));
}

/** Lists the operations of a group; a claim comes first. */
export function operationsOf(
  group: readonly PreparedSubmission[],
  generation: number,
): { operations: Operation[]; events: number } {
  const members: string[] = [];
  const records = createRecords();
  const assignments = new Map<string, Operation>();
  const extra: Operation[] = [];
  let events = 0;
  for (const submission of group) {
    const { ids, duplicates, operations } = submission;
    extra.push(...operations);
    const fresh = ids.length - duplicates.size;
    // The joins of duplicates are stored already.
    if (fresh === 0 && ids.length > 0) continue;
    events += fresh;
    records.add(submission);
    ids.forEach((id, index) => {
      if (id !== null && !duplicates.has(index)) members.push(id);
    });
    for (const assignment of assignmentsOf(submission)) {
      const { key, value } = assignmentEntry(assignment);
      if (assignment.replace) assignments.set(key, { type: "put", key, value });
      else if (!assignments.has(key)) assignments.set(key, { type: "put", key, value, ifAbsent: "skip" });
    }
  }
  const operations: Operation[] = [];
  if (members.length > 0) operations.push({ type: "claim", set: CLAIMS, generation, keep: CLAIM_DAYS, members });
  const encoded = records.encode();
  if (encoded.length > 0) operations.push({ type: "append", journal: EVENTS_JOURNAL, records: encoded });
  operations.push(...assignments.values(), ...extra);
  return { operations, events };
}

/** Collects the records of a group, in the order of its requests. */
function createRecords() {
  const records: Uint8Array[] = [];
  let shared: { at: number; events: StoredEvent[]; joins: [] } = { at: 0, events: [], joins: [] };

  function closeShared(): void {
    if (shared.events.length > 0) records.push(encodeRecord(shared));
  }

  return {
    add({ at, record, events, duplicates }: PreparedSubmission): void {
      if (record === null && at === shared.at && shared.events.length < SHARED_EVENTS) {
        for (const [index, event] of events.entries()) if (!duplicates.has(index)) shared.events.push(event);
        return;
      }
      closeShared();
      shared = { at, events: events.filter((_, index) => !duplicates.has(index)), joins: [] };
      if (record !== null) records.push(duplicates.size > 0 ? withoutEvents(record, duplicates) : record);
    },
    encode(): Uint8Array[] {
      closeShared();
      return records;
    },
  };
}
