import { createColumns, type Join, type RecordColumns, type StoredEvent } from "@assay/analysis";
import type { Operation } from "@assay/store";
import type { NewAssignment } from "./assignment.ts";

/** The events of one request, to be written in one journal record, which small requests share. */
export interface Submission {
  /** The events and joins, with the time of receipt. */
  columns: RecordColumns;
  /** The id of each event; null if the sender does not know it and cannot send it again, so that it is not claimed. */
  claims: readonly (string | null)[];
  assignments: readonly PlacedAssignment[];
  /** Further operations in the same transaction. */
  operations: readonly Operation[];
}

/** The assignment to store if an event is stored, by the index of the event. */
export interface PlacedAssignment {
  index: number;
  assignment: NewAssignment;
}

/** A single event to be written to the journal. */
export interface IncomingEvent extends StoredEvent {
  /** Whether the client knows the id and may send it again, so that the event must be de-duplicated. */
  claimed: boolean;
  /** The assignment to store if there is none, or also if there is one. */
  assignment: NewAssignment | null;
}

/** The parts of a submission of single events. */
export interface Parts {
  /** Time of receipt in milliseconds since 1970. */
  at: number;
  events: readonly IncomingEvent[];
  joins?: readonly Join[];
  operations?: readonly Operation[];
}

/** Creates a submission of single events. Batches go into columns event by event: see `ingest.ts`. */
export function submissionOf({ at, events, joins = [], operations = [] }: Parts): Submission {
  const columns = createColumns(at, events.length);
  const assignments: PlacedAssignment[] = [];
  for (const [index, event] of events.entries()) {
    const { id, userId, time, value, metadata, assignment } = event;
    columns.add(columns.kind(event.type, event, event.forced), id, userId, time, value, metadata);
    if (assignment) assignments.push({ index, assignment });
  }
  const claims = events.map(({ id, claimed }) => (claimed ? id : null));
  return { columns: columns.build(joins), claims, assignments, operations };
}
