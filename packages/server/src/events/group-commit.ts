import { setImmediate as nextTurn } from "node:timers/promises";
import type { Store } from "@assay/store";
import { ApiError } from "../ground/errors.ts";
import type { Runtime } from "../ground/runtime.ts";
import type { StoredAssignment } from "./assignment.ts";
import { assignmentsOf, findRepeats, operationsOf, type PreparedSubmission, prepare } from "./group-operations.ts";
import type { Submission } from "./submission.ts";

const DAY = 86_400_000;
const GROUP_EVENTS = 10_000;
/**
 * The maximum number of events waiting for a commit. Beyond it requests get a 503, so that a slow disk cannot fill the
 * memory.
 */
const QUEUE_EVENTS = 200_000;
/** The number of waiting events from which a commit starts at once: a wait did not help batches. */
const GATHER_EVENTS = 100;
/** How long a commit waits at most for the requests that are expected, in milliseconds. */
const GATHER_MS = 2;

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

interface Waiting {
  prepared: PreparedSubmission;
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
    const eventsOf = ({ prepared }: Waiting) => prepared.claims.length;
    while (count < queue.length && (count === 0 || events + eventsOf(queue[count]!) <= GROUP_EVENTS)) {
      events += eventsOf(queue[count++]!);
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
        await group[0]!.within(() => commit(group.map(({ prepared }) => prepared)));
        for (const { prepared, resolve } of group) {
          const { claims, duplicates } = prepared;
          runtime.metrics.events("stored", claims.length - duplicates.size);
          runtime.metrics.events("duplicate", duplicates.size);
          resolve({ duplicates, assigned: assignmentsOf(prepared) });
        }
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
      expected = group.length + queue.length;
    }
    running = null;
  }

  async function commit(group: PreparedSubmission[]): Promise<void> {
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
      for (const { claims, duplicates } of group) {
        claims.forEach((id, index) => {
          if (id !== null && claimed.has(id)) duplicates.add(index);
        });
      }
    }
  }

  return {
    submit(submission) {
      const { length } = submission.claims;
      if (queued + length > QUEUE_EVENTS) {
        return Promise.reject(new ApiError(503, "Too many events are waiting to be stored", { "Retry-After": "1" }));
      }
      queued += length;
      const prepared = prepare(submission);
      const within = runtime.tracing.capture();
      return new Promise((resolve, reject) => {
        queue.push({ prepared, within, resolve, reject });
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
