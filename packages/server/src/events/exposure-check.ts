import type { TrackingEvent, ValidationIssue } from "@assay/contract";
import type { Engine } from "@assay/core";
import { forcedArm, type Overrides } from "@assay/core/overrides";
import type { Store } from "@assay/store";
import type { ExperimentRecord } from "../model/experiment.ts";
import type { FlagRecord } from "../model/feature-flag.ts";
import { type Arms, createArms } from "./arms.ts";
import { readAssignment } from "./assignment.ts";
import type { Reference, References } from "./reference.ts";

/** Who sent events. */
export interface Sender {
  /** Whether they used a CLIENT key, which everyone can read: the arms that such events name are checked. */
  isPublic: boolean;
  /** What the request forces by a signed token; null where nothing. */
  overrides: Overrides | null;
}

/** A sender whose events are not checked. */
export const TRUSTED: Sender = { isPublic: false, overrides: null };

/** How an event is taken. */
export interface Taking {
  /** The arm was chosen by name, not by hash. */
  forced: boolean;
  /** Whether the arm is stored as the user's. */
  isStored: boolean;
}

/** Compares the arms that events claim with what this server gives their users. */
export interface ExposureCheck {
  /** How an event is taken, or why it is not; `loc` is relative to the event. */
  judge(
    event: TrackingEvent,
    reference: Reference,
    sender: Sender,
  ): Taking | ValidationIssue | Promise<Taking | ValidationIssue>;
}

/** Creates the check. It computes nothing for trusted senders. */
export function createExposureCheck(
  store: Store,
  engine: Pick<Engine, "assign">,
  references: Pick<References, "flagOf">,
): ExposureCheck {
  const cache = new WeakMap<ExperimentRecord, { flag: FlagRecord | undefined; arms: Arms }>();

  /** Records are replaced, never changed in place. */
  function armsOf(experiment: ExperimentRecord): Arms {
    const flag = references.flagOf(experiment);
    const found = cache.get(experiment);
    if (found && found.flag === flag) return found.arms;
    const arms = createArms(experiment, flag);
    cache.set(experiment, { flag, arms });
    return arms;
  }

  /** Whether this server draws the arm from the user id alone, without any attribute that the sender reports. */
  function isOurs({ key }: ExperimentRecord, arm: string, userId: string, { asksAttributes, bucketBy }: Arms): boolean {
    if (asksAttributes || bucketBy !== null) return false;
    const assignment = engine.assign(key, userId);
    return assignment?.assigned === true && !assignment.forced && assignment.variant_key === arm;
  }

  /** Takes the arm that is stored for the user: a bandit or a backend may have given another one than the draw. */
  async function byAssignment(
    { id, key }: ExperimentRecord,
    arm: string,
    userId: string,
    missing: string | null,
  ): Promise<Taking | ValidationIssue> {
    const stored = await readAssignment(store, userId, id);
    if (stored?.variant_key === arm) return { forced: stored.forced, isStored: false };
    if (missing !== null) {
      const msg = `Experiment "${key}" buckets by "${missing}"; events of a CLIENT key must contain it in event_metadata`;
      return { loc: ["event_metadata", missing], msg, type: "unit_missing" };
    }
    const msg = `Experiment "${key}" does not assign "${arm}" to this user; a CLIENT key can report only the assigned arm`;
    return { loc: ["variant_id"], msg, type: "not_drawn" };
  }

  return {
    judge({ user_id: userId, event_metadata: metadata }, { exposedTo, variantKey }, { isPublic, overrides }) {
      const claimsForced = metadata?.forced === true && variantKey !== null;
      if (!isPublic) return { forced: claimsForced, isStored: true };
      if (!exposedTo || variantKey === null) return { forced: false, isStored: false };
      if (forcedArm(exposedTo, overrides) === variantKey) return { forced: true, isStored: false };
      const arms = armsOf(exposedTo);
      const unit = unitOf(arms.bucketBy, userId, metadata);
      if (unit === null) return byAssignment(exposedTo, variantKey, userId, arms.bucketBy);
      const { isDrawn, givenBy } = arms.waysTo(variantKey, userId, unit);
      if (isDrawn) {
        const forced = givenBy === "USER" || (givenBy === "RULE" && claimsForced);
        return { forced, isStored: !forced && isOurs(exposedTo, variantKey, userId, arms) };
      }
      // What only a rule gives was not drawn, whether the sender says so or not.
      return givenBy ? { forced: true, isStored: false } : byAssignment(exposedTo, variantKey, userId, null);
    },
  };
}

/** What is hashed for the user of an event; null where the event does not say. */
function unitOf(bucketBy: string | null, userId: string, metadata: TrackingEvent["event_metadata"]): string | null {
  if (bucketBy === null || bucketBy === "user_id" || bucketBy === "targetingKey") return userId;
  const unit = metadata && Object.hasOwn(metadata, bucketBy) ? metadata[bucketBy] : undefined;
  const text = typeof unit === "number" ? String(unit) : unit;
  return typeof text === "string" && text !== "" ? text : null;
}
