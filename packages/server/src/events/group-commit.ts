import { setImmediate as nextTurn } from "node:timers/promises";
import { encodeRecord, type Join, type StoredEvent, withoutEvents } from "@assay/analysis";
import type { Operation, Store } from "@assay/store";
import { ApiError } from "../ground/errors.ts";
import type { Runtime } from "../ground/runtime.ts";
import { assignmentEntry, type StoredAssignment } from "./assignment.ts";
import { EVENTS_JOURNAL } from "./journal.ts";

const DAY = 86_400_000;
/** The number of days for which an event id is remembered, including today. */
const CLAIM_DAYS = 7;
const CLAIMS = "events";
const GROUP_EVENTS = 10_000;
/**
 * The maximum number of events waiting for a commit. Beyond it requests get a 503, so that a slow disk cannot fill the
 * memory.
 */
const QUEUE_EVENTS = 200_000;
/** The number of waiting events from which a commit starts at once, because batches only take longer if it waits. */
const GATHER_EVENTS = 100;
/** How long a commit waits at most for the requests that are expected, in milliseconds. */
const GATHER_MS = 2;

/** An event to be written to the journal. */
export interface IncomingEvent extends StoredEvent {
  /** Whether the client knows the id and may send it again, so that the event must be de-duplicated. */
  claimed: boolean;
  /** The assignment to store if there is none, or also if there is one. */
  assignment: NewAssignment | null;
}

/** An assignment that is stored with an event. */
export interface NewAssignment extends StoredAssignment {
  /** Whether it replaces a stored one. */
  replace?: boolean;
}

/** The events of one request, to be written in one journal record. */
export interface Submission {
  /** Time of receipt in milliseconds since 1970. */
  at: number;
  events: readonly IncomingEvent[];
  joins?: readonly Join[];
  /** Further operations in the same transaction. */
  operations?: readonly Operation[];
}

/** The outcome of a submission. */
export interface Receipt {
  /** The indexes of the events that were not stored, because they are duplicates. */
  duplicates: ReadonlySet<number>;
  /** The assignments of the stored events. */
  assigned: readonly StoredAssignment[];
}

/** The only writer of the events journal. */
export interface GroupCommit {
  /**
   * Resolves when the submission is durable.
   * @throws StoreUnavailable if the store fails; ApiError 503 if too many events are waiting
   */
  submit(submission: Submission): Promise<Receipt>;
  /** Resolves when no event is waiting. */
  idle(): Promise<void>;
}

/**
 * An encoded submission. It has no objects of events: while a busy server waits for the disk, the garbage collector would
 * copy them again and again.
 */
interface Waiting {
  record: Uint8Array;
  /** The ids of the events, null for those that are not de-duplicated. */
  ids: readonly (string | null)[];
  /** The indexes of the events that are known to be duplicates. */
  duplicates: Set<number>;
  /** With the index of the event of each. */
  assignments: readonly { index: number; assignment: NewAssignment }[];
  hasJoins: boolean;
  operations: readonly Operation[];
  /** Runs work in the span of the request. */
  within: <T>(work: () => T) => T;
  resolve(receipt: Receipt): void;
  reject(error: unknown): void;
}

/**
 * Creates the writer of the events journal. It commits continuously: what arrives during one commit forms the next. A
 * busy server thus shares each disk flush among many requests, and an idle one does not wait. Clients that were just
 * answered often send their next request at once; a commit waits for as many requests as there were, for a moment.
 * @param onCommit called with the number of events after each commit
 */
export function createGroupCommit(store: Store, runtime: Runtime, onCommit: (events: number) => void): GroupCommit {
  const queue: Waiting[] = [];
  let queued = 0;
  let running: Promise<void> | null = null;
  /** The number of requests that were answered by the last commit or waited at its end. */
  let expected = 0;
  let onGathered: (() => void) | null = null;

  const isGathered = () => queue.length >= expected || queued >= GATHER_EVENTS;

  async function gather(): Promise<void> {
    // A turn of the event loop gathers what arrived together, on all connections.
    await nextTurn();
    // A commit in memory costs less than the wait.
    if (!store.capabilities.durable || isGathered()) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GATHER_MS);
      onGathered = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    onGathered = null;
  }

  function takeGroup(): Waiting[] {
    let events = 0;
    let count = 0;
    while (count < queue.length && (count === 0 || events + queue[count]!.ids.length <= GROUP_EVENTS)) {
      events += queue[count++]!.ids.length;
    }
    queued -= events;
    return queue.splice(0, count);
  }

  async function run(): Promise<void> {
    while (queue.length > 0) {
      await gather();
      const group = takeGroup();
      try {
        // The commit is part of the trace of its first request.
        await group[0]!.within(() => commit(group));
        for (const waiting of group) {
          const { ids, duplicates } = waiting;
          runtime.metrics.events("stored", ids.length - duplicates.size);
          runtime.metrics.events("duplicate", duplicates.size);
          waiting.resolve({ duplicates, assigned: assignmentsOf(waiting) });
        }
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
      expected = group.length + queue.length;
    }
    running = null;
  }

  async function commit(group: Waiting[]): Promise<void> {
    findRepeats(group);
    for (;;) {
      const { operations, events } = operationsOf(group, dayOf(runtime));
      if (operations.length === 0) return;
      const result = await store.batch(operations);
      if (result.ok) {
        onCommit(events);
        return;
      }
      const claimed = new Set(result.claimed.get(0));
      if (claimed.size === 0) throw new Error("A batch of events failed, although it has no condition");
      for (const { ids, duplicates } of group) {
        ids.forEach((id, index) => {
          if (id !== null && claimed.has(id)) duplicates.add(index);
        });
      }
    }
  }

  return {
    submit({ at, events, joins = [], operations = [] }) {
      if (queued + events.length > QUEUE_EVENTS) {
        return Promise.reject(new ApiError(503, "Too many events are waiting to be stored", { "Retry-After": "1" }));
      }
      queued += events.length;
      const record = encodeRecord({ at, events, joins });
      const ids = events.map(({ id, claimed }) => (claimed ? id : null));
      const assignments = events.flatMap(({ assignment }, index) => (assignment ? [{ index, assignment }] : []));
      const duplicates = new Set<number>();
      const hasJoins = joins.length > 0;
      const within = runtime.tracing.capture();
      return new Promise((resolve, reject) => {
        // Field by field: a spread takes a sixteenth of the time of a request with one event.
        queue.push({ record, ids, duplicates, assignments, hasJoins, operations, within, resolve, reject });
        running ??= run();
        if (isGathered()) onGathered?.();
      });
    },
    async idle() {
      while (running) await running;
    },
  };
}

/**
 * Today, as a number since 1970. If the clock was set forward while this process ran, tomorrow at the latest: a later day
 * would forget ids of the week.
 */
function dayOf(runtime: Runtime): number {
  return Math.floor(Math.min(runtime.now(), runtime.steady() + DAY) / DAY);
}

/** Finds repeated ids in a group; the first event counts. */
function findRepeats(group: Waiting[]): void {
  const seen = new Set<string>();
  for (const { ids, duplicates } of group) {
    ids.forEach((id, index) => {
      if (id !== null && seen.size === seen.add(id).size) duplicates.add(index);
    });
  }
}

function assignmentsOf({ assignments, duplicates }: Waiting): NewAssignment[] {
  return assignments.flatMap(({ index, assignment }) => (duplicates.has(index) ? [] : [assignment]));
}

/** Lists the operations of a group; a claim comes first. */
function operationsOf(group: Waiting[], generation: number): { operations: Operation[]; events: number } {
  const members: string[] = [];
  const records: Uint8Array[] = [];
  const assignments = new Map<string, Operation>();
  const extra: Operation[] = [];
  let events = 0;
  for (const waiting of group) {
    const { record, ids, duplicates, hasJoins, operations } = waiting;
    extra.push(...operations);
    const fresh = ids.length - duplicates.size;
    if (fresh === 0 && (!hasJoins || ids.length > 0)) continue;
    events += fresh;
    records.push(duplicates.size > 0 ? withoutEvents(record, duplicates) : record);
    ids.forEach((id, index) => {
      if (id !== null && !duplicates.has(index)) members.push(id);
    });
    for (const assignment of assignmentsOf(waiting)) {
      const { key, value } = assignmentEntry(assignment);
      if (assignment.replace) assignments.set(key, { type: "put", key, value });
      else if (!assignments.has(key)) assignments.set(key, { type: "put", key, value, ifAbsent: "skip" });
    }
  }
  const operations: Operation[] = [];
  if (members.length > 0) operations.push({ type: "claim", set: CLAIMS, generation, keep: CLAIM_DAYS, members });
  if (records.length > 0) operations.push({ type: "append", journal: EVENTS_JOURNAL, records });
  operations.push(...assignments.values(), ...extra);
  return { operations, events };
}
