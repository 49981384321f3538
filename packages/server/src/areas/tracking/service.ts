import type { AssignAnswer, PersonExport, TrackingEvent, tracking } from "@assay/contract";
import type { Engine } from "@assay/core";
import type { Store } from "@assay/store";
import type { z } from "zod";
import type { Analysis } from "../../analysis/analysis.ts";
import type { FlagUsage } from "../../definitions/flag-usage.ts";
import { listAssignments, type StoredAssignment } from "../../events/assignment.ts";
import { createExposureCheck, type Sender } from "../../events/exposure-check.ts";
import { createGroupCommit } from "../../events/group-commit.ts";
import { createHoldoutExposures } from "../../events/holdout-exposure.ts";
import { joinOperations, readOwner, readPerson } from "../../events/identity.ts";
import { type BatchAnswer, createIngest, type EventAnswer } from "../../events/ingest.ts";
import { createRecentAssignments } from "../../events/recent-assignments.ts";
import { createReferences } from "../../events/reference.ts";
import { submissionOf } from "../../events/submission.ts";
import { type Runtime, timestampOf } from "../../ground/runtime.ts";
import type { Trail } from "../../identity/trail.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import type { FlagRecord } from "../../model/feature-flag.ts";
import type { Actor, Change } from "../../storage/change.ts";
import type { Collection } from "../../storage/collection.ts";
import type { Collections } from "../../storage/collections.ts";
import { type AssignInput, type AssignOptions, createAssignments } from "./assignment.ts";
import { createPeople, type Erasure, hashOfPerson } from "./person.ts";
import type { Traces } from "./traces.ts";

type Assignment = z.input<(typeof tracking)["GET /tracking/assignments/{user_id}"]["response"]>[number];

/** Dependencies of the tracking service. */
export interface TrackingDependencies {
  store: Store;
  runtime: Runtime;
  collections: Pick<Collections, "announce" | "record" | "watch">;
  /** With a unique index `key`. */
  experiments: Collection<ExperimentRecord>;
  /** With a unique index `key`. */
  flags: Collection<FlagRecord>;
  engine: Pick<Engine, "assign" | "evaluate" | "definitions">;
  analysis: Analysis;
  flagUsage: Pick<FlagUsage, "note">;
  trail: Pick<Trail, "record">;
  traces: Traces;
}

/** What nodes announce to each other when they have erased a person, whose assignments are stored no longer. */
const ERASURES = "erasures";

/** Records events, assigns users, and exports and erases people's data. */
export interface TrackingService {
  /** Resolves once the event is durable. @throws ApiError 422 */
  track(event: TrackingEvent, sender?: Sender): Promise<EventAnswer>;
  /**
   * Records one event, an array or `{events, sent_at}`.
   * @throws ApiError 422 if no event is valid
   */
  events(body: unknown, sender?: Sender): Promise<BatchAnswer>;
  /** @throws ApiError 404 */
  assign(input: AssignInput, options: AssignOptions): Promise<AssignAnswer>;
  /** Records a new join in the audit trail, with hashes of the ids. */
  identify(
    join: { anonymous_id: string; user_id: string },
    actor: Actor,
  ): Promise<{ anonymous_id: string; user_id: string }>;
  assignments(userId: string, options: { activeOnly: boolean }): Promise<Assignment[]>;
  /**
   * @param after the `next` of the previous part
   * @throws ApiError 409 if the ids of the person have changed since
   */
  exportUser(userId: string, by: Change, after?: string): Promise<z.input<typeof PersonExport>>;
  /** Erases events and assignments, and the ids from segments. Lists what is left. */
  eraseUser(userId: string, by: Change): Promise<Erasure>;
  /** Resolves when no event is waiting to be written. */
  close(): Promise<void>;
}

/** Creates the tracking service over one store. */
export function createTrackingService(dependencies: TrackingDependencies): TrackingService {
  const { store, runtime, collections, experiments, flags, engine, analysis, flagUsage, trail, traces } = dependencies;
  const references = createReferences(experiments, flags);
  const commit = createGroupCommit(store, runtime, analysis.grown);
  const recent = createRecentAssignments(runtime.now());
  collections.watch(ERASURES, recent.clear);
  const check = createExposureCheck(store, engine, references);
  const ingest = createIngest(commit, references, check, recent, runtime, flagUsage.note);
  const holdoutExposures = createHoldoutExposures(store, runtime, commit, recent, () => engine.definitions.holdout);
  const assignments = createAssignments(store, runtime, engine, references, commit, holdoutExposures);
  const people = createPeople(store, runtime, analysis, collections, traces);

  function toAssignment(stored: StoredAssignment): Assignment[] {
    const record = experiments.get(stored.experiment_id);
    if (!record) return [];
    const variant = record.variants.find(({ key }) => key === stored.variant_key);
    return [
      {
        experiment_id: record.id,
        experiment_key: record.key,
        variant_id: variant?.id ?? stored.variant_key,
        variant_key: stored.variant_key,
        assignment_date: timestampOf(stored.at),
        status: record.status,
      },
    ];
  }

  return {
    track: ingest.one,
    events: ingest.many,
    async assign(input, options) {
      const answer = await assignments.assign(input, options);
      const flagKey = experiments.get(answer.experiment_id)?.feature_flag_key;
      if (flagKey && !options.peek) flagUsage.note(flagKey);
      return answer;
    },
    async identify({ anonymous_id, user_id }, actor) {
      const owner = await readOwner(store, anonymous_id);
      // The first join stays. A join in the other direction would add no user.
      if (owner === null && (await readPerson(store, user_id)) !== anonymous_id) {
        const joins = [{ userId: anonymous_id, unitId: user_id, experimentId: null }];
        const operations = joinOperations(anonymous_id, user_id);
        await commit.submit(submissionOf({ at: runtime.now(), events: [], joins, operations }));
        const of = { resource_type: "person", resource_id: hashOfPerson(user_id) };
        trail.record({ action: "person.identify", actor, ...of, detail: { anonymous: hashOfPerson(anonymous_id) } });
      }
      return { anonymous_id, user_id };
    },
    async assignments(userId, { activeOnly }) {
      const stored = await listAssignments(store, userId);
      const listed = stored.flatMap(({ assignment }) => toAssignment(assignment));
      return activeOnly ? listed.filter(({ status }) => status === "ACTIVE") : listed;
    },
    async exportUser(userId, by, after) {
      const { assignments, ...rest } = await people.read(userId, by, after);
      return {
        user_id: userId,
        ...rest,
        assignments: assignments.flatMap(({ assignment }) => toAssignment(assignment)),
      };
    },
    async eraseUser(userId, by) {
      const erasure = await people.erase(userId, by);
      recent.clear();
      await collections.announce(ERASURES);
      return erasure;
    },
    close: commit.idle,
  };
}
