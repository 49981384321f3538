import { type ColumnsBuilder, createColumns, type Join } from "@assay/analysis";
import { MAX_EVENTS, type TrackingEvent, type ValidationIssue } from "@assay/contract";
import type { Runtime } from "../ground/runtime.ts";
import { createSlices } from "../ground/slices.ts";
import { earlierEffect, markEffect } from "../storage/once.ts";
import type { Concern } from "./concern.ts";
import { allRejected, checkEvent, openEnvelope } from "./event.ts";
import { type ExposureCheck, type Sender, type Taking, TRUSTED } from "./exposure-check.ts";
import type { GroupCommit } from "./group-commit.ts";
import { newAssignments } from "./new-assignments.ts";
import type { RecentAssignments } from "./recent-assignments.ts";
import type { Reference, References } from "./reference.ts";
import { toUnitJoins } from "./unit-join.ts";

/** A remark about one stored event. */
export interface Warning {
  index: number;
  code: string;
  msg: string;
}

/** The outcome of a batch. */
export interface BatchAnswer {
  accepted: number;
  duplicates: number;
  rejected: number;
  errors: (ValidationIssue & { index: number })[];
  warnings?: Warning[];
}

/** The outcome of one event. */
export interface EventAnswer {
  event_id: string;
  duplicate: boolean;
  warnings?: Warning[];
}

/** The accepted events of a request. Ingestion is hot: they go into columns, without an object for each. */
interface Draft {
  at: number;
  columns: ColumnsBuilder;
  /** The ids to claim: see `Submission`. */
  claims: (string | null)[];
  /** The indexes of the events that assign their user to the arm they name, unless that is stored already. */
  assigning: number[];
  joins: Join[];
}

/** The events of a batch as sent, those accepted, and what the answer says about them. */
interface BatchDraft extends Draft, Pick<BatchAnswer, "errors"> {
  sent: readonly unknown[];
  /** The path of their container. */
  loc: readonly (string | number)[];
  /** Milliseconds to add to their timestamps. */
  offset: number;
  warnings: Warning[];
}

/** The id of the first event, and the number of duplicates. */
interface Outcome {
  id: string;
  duplicates: number;
}

/** Where a request with an `Idempotency-Key` has its effect. */
const PLACE = "events";

const createDraft = (at: number, expected: number): Draft => ({
  at,
  columns: createColumns(at, expected),
  claims: [],
  assigning: [],
  joins: [],
});

const concernsFor = ({ isPublic }: Sender, { concerns, publicConcerns }: Reference) =>
  isPublic ? publicConcerns : concerns;

/** Validates events and writes them to the journal. */
export interface Ingest {
  /** @throws ApiError 422 if the event is invalid */
  one(event: TrackingEvent, sender?: Sender): Promise<EventAnswer>;
  /**
   * Records the valid events. Each invalid one is an error with its index.
   * @throws ApiError 422 if all are invalid
   */
  many(body: unknown, sender?: Sender): Promise<BatchAnswer>;
}

/**
 * Creates the intake over the journal's writer.
 *
 * @param flagSeen called for each flag that an event reports as evaluated, with the time in milliseconds since 1970
 */
export function createIngest(
  commit: GroupCommit,
  references: References,
  check: ExposureCheck,
  recent: RecentAssignments,
  runtime: Runtime,
  flagSeen: (key: string, at: number) => void,
): Ingest {
  /** Adds an accepted event. `isAnswered` says that the answer contains its id. */
  function accept(
    { at, columns, claims, assigning, joins }: Draft,
    event: TrackingEvent,
    time: number,
    reference: Reference,
    { forced, isStored }: Taking,
    isAnswered: boolean,
  ): void {
    const { flagKey, exposedTo } = reference;
    const { user_id, event_metadata } = event;
    const index = claims.length;
    const seen = flagKey ?? exposedTo?.feature_flag_key;
    if (seen) flagSeen(seen, Math.min(time, at));
    const id = event.event_id ?? runtime.id();
    const kind = columns.kind(event.event_type, reference, forced);
    columns.add(kind, id, user_id, time, event.value ?? null, event_metadata ?? null);
    // A client can repeat a generated id only if the response contains it.
    claims.push(isAnswered || event.event_id != null ? id : null);
    if (!exposedTo) return;
    if (isStored) assigning.push(index);
    // An exposure may contain the bucketing unit of its user.
    if (event_metadata)
      joins.push(...toUnitJoins(user_id, exposedTo, references.flagOf(exposedTo), event_metadata, time));
  }

  /**
   * Writes events and remembers which assignments are stored with them. A repeat of an interrupted request writes
   * nothing; its first event has the id that it had. While the disk is written, nothing holds the events.
   */
  function submit(draft: Draft): Promise<Outcome> {
    const { claims } = draft;
    const columns = draft.columns.build(draft.joins);
    const id = columns.ids()[0]!;
    const earlier = earlierEffect(PLACE);
    if (earlier !== undefined) return Promise.resolve({ id: earlier, duplicates: 0 });
    const mark = markEffect(PLACE, id);
    // Without its condition, which would fail the events of other requests.
    const operations = mark ? [{ ...mark.operation, ifVersion: undefined }] : [];
    const assignments = newAssignments(columns, draft.assigning, recent, draft.at);
    return commit.submit({ columns, claims, assignments, operations }).then(({ duplicates, assigned }) => {
      mark?.committed();
      for (const { user_id, experiment_id } of assigned) recent.add(user_id, experiment_id);
      return { id, duplicates: duplicates.size };
    });
  }

  function refused(issues: ValidationIssue[]) {
    runtime.metrics.events("rejected", 1);
    return allRejected(issues);
  }

  async function draftOne(
    event: TrackingEvent,
    sender: Sender,
  ): Promise<{ draft: Draft; concerns: readonly Concern[] }> {
    const at = runtime.now();
    const time = checkEvent(event, at, 0);
    if (typeof time !== "number") throw refused(time.map((issue) => ({ ...issue, loc: ["body", ...issue.loc] })));
    const reference = references.resolve(event);
    const taking = await check.judge(event, reference, sender);
    if ("msg" in taking) throw refused([{ ...taking, loc: ["body", ...taking.loc] }]);
    const draft = createDraft(at, 1);
    accept(draft, event, time, reference, taking, true);
    return { draft, concerns: concernsFor(sender, reference) };
  }

  /** Adds an event to a draft, or its errors. A plain function without a wait, because a batch has thousands. */
  function take(draft: BatchDraft, index: number, sender: Sender): Promise<void> | undefined {
    const sent = draft.sent[index];
    const time = checkEvent(sent, draft.at, draft.offset);
    if (typeof time !== "number") return reject(draft, index, time);
    const event = sent as TrackingEvent;
    const reference = references.resolve(event);
    const judged = check.judge(event, reference, sender);
    if (judged instanceof Promise) return addLater(draft, index, sender, event, time, reference, judged);
    return add(draft, index, sender, event, time, reference, judged);
  }

  /** Adds an event that waits for a stored assignment. Apart, because its variables would be an object for each event. */
  async function addLater(
    draft: BatchDraft,
    index: number,
    sender: Sender,
    event: TrackingEvent,
    time: number,
    reference: Reference,
    judged: Promise<Taking | ValidationIssue>,
  ): Promise<void> {
    add(draft, index, sender, event, time, reference, await judged);
  }

  function add(
    draft: BatchDraft,
    index: number,
    sender: Sender,
    event: TrackingEvent,
    time: number,
    reference: Reference,
    taking: Taking | ValidationIssue,
  ): undefined {
    if ("msg" in taking) return reject(draft, index, [taking]);
    for (const concern of concernsFor(sender, reference)) draft.warnings.push({ index, ...concern });
    accept(draft, event, time, reference, taking, false);
  }

  async function draftMany(body: unknown, sender: Sender): Promise<BatchDraft> {
    const at = runtime.now();
    const { events: sent, sentAt, loc } = openEnvelope(body, MAX_EVENTS);
    const offset = sentAt === null ? 0 : at - sentAt;
    const draft: BatchDraft = { ...createDraft(at, sent.length), offset, sent, loc, errors: [], warnings: [] };
    const slices = createSlices();
    for (let index = 0; index < sent.length; index++) {
      if (slices.isOver()) await slices.next();
      const waiting = take(draft, index, sender);
      if (waiting) await waiting;
    }
    const accepted = draft.claims.length;
    runtime.metrics.events("rejected", sent.length - accepted);
    if (accepted === 0) throw allRejected(draft.errors);
    return draft;
  }

  return {
    async one(event, sender = TRUSTED) {
      const { draft, concerns } = await draftOne(event, sender);
      const { id, duplicates } = await submit(draft);
      const answer = { event_id: id, duplicate: duplicates > 0 };
      const warnings = concerns.map((concern) => ({ index: 0, ...concern }));
      return warnings.length > 0 ? { ...answer, warnings } : answer;
    },

    many: (body, sender = TRUSTED) =>
      draftMany(body, sender).then((draft) => {
        const { errors, warnings } = draft;
        const { length } = draft.claims;
        const rejected = draft.sent.length - length;
        return submit(draft).then(({ duplicates }): BatchAnswer => {
          const answer = { accepted: length - duplicates, duplicates, rejected, errors };
          return warnings.length > 0 ? { ...answer, warnings } : answer;
        });
      }),
  };
}

function reject({ errors, loc }: BatchDraft, index: number, issues: readonly ValidationIssue[]): undefined {
  const path = loc.length === 0 ? ["body"] : [...loc, index];
  for (const issue of issues) errors.push({ ...issue, loc: [...path, ...issue.loc], index });
}
