import { createColumns, encodeColumns, type RecordColumns, withoutEvents } from "@assay/analysis";
import type { Operation } from "@assay/store";
import { assignmentEntry, type NewAssignment } from "./assignment.ts";
import { EVENTS_JOURNAL } from "./journal.ts";
import type { Submission } from "./submission.ts";

/** The number of days for which an event id is remembered, including today. */
const CLAIM_DAYS = 7;
const CLAIMS = "events";
/** The maximum number of events of a small request. */
const SMALL_EVENTS = 10;
/** The number of events from which a record of small requests takes no further one. */
const SHARED_EVENTS = 100;

/** A submission that waits for its commit. */
export interface PreparedSubmission {
  /** The events of a small request without joins: those of one millisecond share a record. Null for others. */
  small: RecordColumns | null;
  /**
   * The encoded record of another request. It is encoded at once: while a busy server waits for the disk, the garbage
   * collector would copy its columns again and again.
   */
  record: Uint8Array | null;
  claims: Submission["claims"];
  /** The indexes of the events that are known to be duplicates. */
  duplicates: Set<number>;
  assignments: Submission["assignments"];
  operations: Submission["operations"];
}

/** Prepares a submission for the commit of a group. */
export function prepare({ columns, claims, assignments, operations }: Submission): PreparedSubmission {
  const isSmall = claims.length <= SMALL_EVENTS && columns.joins.length === 0;
  const record = isSmall ? null : encodeColumns(columns);
  return { small: isSmall ? columns : null, record, claims, duplicates: new Set(), assignments, operations };
}

/** Finds repeated ids in a group; the first event counts. */
export function findRepeats(group: readonly PreparedSubmission[]): void {
  if (areApart(group)) return;
  const seen = new Set<string>();
  for (const { claims, duplicates } of group) {
    claims.forEach((id, index) => {
      if (id !== null && seen.size === seen.add(id).size) duplicates.add(index);
    });
  }
}

/**
 * Whether the ids of each submission ascend, between those of two others, so that none repeats. Ids that grow with time,
 * such as UUIDs of version 7, mostly do, and a set of them takes several times as long as comparing them.
 */
function areApart(group: readonly PreparedSubmission[]): boolean {
  const ranges: (readonly [first: string, last: string])[] = [];
  for (const { claims } of group) {
    let [first, last] = ["", ""];
    for (const id of claims) {
      if (id === null) continue;
      if (id <= last) return false;
      if (first === "") first = id;
      last = id;
    }
    if (first !== "") ranges.push([first, last]);
  }
  ranges.sort(([one], [other]) => (one < other ? -1 : 1));
  return ranges.every(([first], index) => index === 0 || first > ranges[index - 1]![1]);
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
    const { claims, duplicates, operations } = submission;
    extra.push(...operations);
    const fresh = claims.length - duplicates.size;
    // The joins of duplicates are stored already.
    if (fresh === 0 && claims.length > 0) continue;
    events += fresh;
    records.add(submission);
    claims.forEach((id, index) => {
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
  let shared: { small: RecordColumns; duplicates: ReadonlySet<number> }[] = [];
  let events = 0;

  function closeShared(): void {
    const [first] = shared;
    if (!first) return;
    const columns = createColumns(first.small.at, events);
    for (const { small, duplicates } of shared) columns.addAll(small, duplicates);
    records.push(encodeColumns(columns.build([])));
    shared = [];
    events = 0;
  }

  return {
    add({ small, record, claims, duplicates }: PreparedSubmission): void {
      if (small === null || small.at !== shared[0]?.small.at || events >= SHARED_EVENTS) closeShared();
      if (small !== null) {
        shared.push({ small, duplicates });
        events += claims.length - duplicates.size;
      }
      if (record !== null) records.push(duplicates.size > 0 ? withoutEvents(record, duplicates) : record);
    },
    encode(): Uint8Array[] {
      closeShared();
      return records;
    },
  };
}
