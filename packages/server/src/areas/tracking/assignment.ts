import { EXPOSURE, toAttribute } from "@assay/analysis";
import type { AssignAnswer } from "@assay/contract";
import type { Engine, JsonValue } from "@assay/core";
import { forcedArm, type Overrides } from "@assay/core/overrides";
import type { Store } from "@assay/store";
import { readAssignment, type StoredAssignment } from "../../events/assignment.ts";
import type { GroupCommit } from "../../events/group-commit.ts";
import type { HoldoutExposures } from "../../events/holdout-exposure.ts";
import type { References } from "../../events/reference.ts";
import { type IncomingEvent, submissionOf } from "../../events/submission.ts";
import { toUnitJoins } from "../../events/unit-join.ts";
import { notFound } from "../../ground/errors.ts";
import { type Runtime, timestampOf } from "../../ground/runtime.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { armsOf } from "../../model/experiment-subject.ts";
import { isWithdrawn } from "../../model/flag-rollout.ts";

/** The user, the experiment and the attributes of an assignment. */
export interface AssignInput {
  experiment_key?: string | undefined;
  experiment_id?: string | undefined;
  user_id: string;
  attributes?: Record<string, JsonValue> | undefined;
}

/** Options of an assignment. */
export interface AssignOptions {
  /** Returns the assignment without storing it. */
  peek: boolean;
  /**
   * The overrides of the request. A forced arm is returned in any status of the experiment, recorded as `forced` while
   * it is ACTIVE, and never stored: without the override, the user has their own arm.
   */
  overrides?: Overrides | null;
}

/** Assigns users to arms. Stored assignments do not change. */
export interface Assignments {
  /** @throws ApiError 404 */
  assign(input: AssignInput, options: AssignOptions): Promise<AssignAnswer>;
}

/** Creates the assignments over the store, the engine and the journal. */
export function createAssignments(
  store: Store,
  runtime: Runtime,
  engine: Pick<Engine, "assign" | "evaluate">,
  references: References,
  commit: GroupCommit,
  holdoutExposures: HoldoutExposures,
): Assignments {
  // Two requests at once for the same user are one assignment, with one exposure.
  const inFlight = new Map<string, Promise<AssignAnswer>>();

  async function decide(record: ExperimentRecord, input: AssignInput, peek: boolean): Promise<AssignAnswer> {
    const userId = input.user_id;
    const settled = settledArm(record, input);
    if (settled !== undefined) return toRefusal(record, userId, "NOT_RUNNING", settled);
    if (!peek && record.status === "ACTIVE") await holdoutExposures.note(userId);
    const flag = references.flagOf(record);
    // An INACTIVE or withdrawn flag withdraws the arm. The arm stays stored, for when the flag is rolled out again.
    const isTakenBack = flag !== undefined && isWithdrawn(flag);
    const stored = await readAssignment(store, userId, record.id);
    const isSticky = record.targeting_rules?.sticky_assignment !== false;
    const kept = stored && record.variants.some(({ key }) => key === stored.variant_key) ? stored : null;
    if (kept && isSticky && !isTakenBack) return toAnswer(record, kept);
    const drawn = engine.assign(record.key, userId, input.attributes);
    if (!drawn?.assigned) return toRefusal(record, userId, drawn?.reason);
    if (isTakenBack) return toRefusal(record, userId, "TARGETING");
    if (kept?.variant_key === drawn.variant_key) {
      // The same arm may be that of another period, which only the exposure says.
      if (record.switchback && !peek) await expose(record, input, kept.variant_key, drawn.forced);
      return toAnswer(record, kept);
    }
    const assignment: StoredAssignment = {
      user_id: userId,
      experiment_id: record.id,
      variant_key: drawn.variant_key,
      forced: drawn.forced,
      at: runtime.now(),
    };
    if (peek) return { ...toAnswer(record, assignment), assignment_date: null };
    await storeAssignment(record, assignment, input.attributes ?? {}, { replace: !isSticky });
    // Another node may have been first; what is stored is what counts.
    return toAnswer(record, (await readAssignment(store, userId, record.id)) ?? assignment);
  }

  /**
   * The arm of all users after an experiment has ended: the one that its flag serves now, or else the winner. Undefined
   * if neither decides; users who have an arm then keep it.
   */
  function settledArm(
    { status, feature_flag_key, variants, winner }: ExperimentRecord,
    { user_id, attributes }: AssignInput,
  ): string | null | undefined {
    if (status !== "COMPLETED" && status !== "ARCHIVED") return undefined;
    if (feature_flag_key !== null) {
      const { variant, error_code } = engine.evaluate(feature_flag_key, { ...attributes, targetingKey: user_id }, null);
      if (error_code === undefined) return variants.some(({ key }) => key === variant) ? variant : null;
    }
    return winner ?? undefined;
  }

  async function storeAssignment(
    record: ExperimentRecord,
    assignment: StoredAssignment,
    attributes: Record<string, JsonValue>,
    stored: { replace: boolean } | null,
  ): Promise<void> {
    const { user_id: userId, variant_key: variantKey, forced, at } = assignment;
    const exposure: IncomingEvent = {
      id: runtime.id(),
      claimed: false,
      type: EXPOSURE,
      userId,
      time: at,
      experimentId: record.id,
      variantKey,
      flagKey: record.feature_flag_key,
      value: null,
      forced,
      metadata: toMetadata(attributes),
      assignment: stored && { ...assignment, ...stored },
    };
    const joins = toUnitJoins(userId, record, references.flagOf(record), attributes, at);
    await commit.submit(submissionOf({ at, events: [exposure], joins }));
  }

  /** Records an exposure, and stores no arm. */
  async function expose(record: ExperimentRecord, input: AssignInput, variant_key: string, forced: boolean) {
    const assignment = { user_id: input.user_id, experiment_id: record.id, variant_key, forced, at: runtime.now() };
    await storeAssignment(record, assignment, input.attributes ?? {}, null);
  }

  async function force(record: ExperimentRecord, variant: string, input: AssignInput, peek: boolean) {
    if (!peek && record.status === "ACTIVE") await expose(record, input, variant, true);
    const assignment = { user_id: input.user_id, experiment_id: record.id, variant_key: variant, forced: true, at: 0 };
    return { ...toAnswer(record, assignment), assignment_date: null };
  }

  return {
    async assign(input, { peek, overrides }) {
      const record = references.experiment(input.experiment_id ?? input.experiment_key ?? "");
      if (!record) throw notFound();
      const forced = forcedArm(record, overrides);
      if (forced !== undefined) return force(record, forced, input, peek);
      if (peek) return decide(record, input, true);
      const key = JSON.stringify([record.id, input.user_id]);
      const running = inFlight.get(key);
      if (running) await running.catch(() => {});
      const answer = decide(record, input, false).finally(() => {
        if (inFlight.get(key) === answer) inFlight.delete(key);
      });
      inFlight.set(key, answer);
      return answer;
    },
  };
}

/** Returns the attributes that results can be broken down by; null if there are none. */
function toMetadata(attributes: Record<string, JsonValue>): Record<string, JsonValue> | null {
  const kept = Object.entries(attributes).filter(([, value]) => toAttribute(value) !== null);
  return kept.length > 0 ? Object.fromEntries(kept) : null;
}

function toAnswer(record: ExperimentRecord, { user_id, variant_key, forced, at }: StoredAssignment): AssignAnswer {
  return {
    ...describe(record, user_id, variant_key),
    assigned: true,
    reason: forced ? "OVERRIDE" : "ASSIGNED",
    assignment_date: timestampOf(at),
  };
}

function toRefusal(
  record: ExperimentRecord,
  userId: string,
  reason: AssignAnswer["reason"] = "NOT_RUNNING",
  variantKey: string | null = null,
): AssignAnswer {
  const control = armsOf(record)[0]?.key ?? "";
  return { ...describe(record, userId, variantKey ?? control), assigned: false, reason, assignment_date: null };
}

function describe(record: ExperimentRecord, userId: string, variantKey: string) {
  const variant = record.variants.find(({ key }) => key === variantKey);
  return {
    experiment_id: record.id,
    experiment_key: record.key,
    user_id: userId,
    variant_id: variant?.id ?? variantKey,
    variant_key: variantKey,
    configuration: variant?.configuration ?? null,
  };
}
