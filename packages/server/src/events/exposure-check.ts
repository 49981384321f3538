import type { TrackingEvent, ValidationIssue } from "@assay/contract";
import type { Engine } from "@assay/core";
import { forcedArm, type Overrides } from "@assay/core/overrides";
import type { Store } from "@assay/store";
import type { ExperimentRecord } from "../model/experiment.ts";
import type { FlagRecord } from "../model/feature-flag.ts";
import { type Arms, createArms } from "./arms.ts";
import { readAssignment } from "./assignment.ts";
import type { Reference, References } from "./reference.ts";

/** The sender of events. */
export interface Sender {
  /** Whether the sender used a CLIENT key, which anyone can read. The arms in such events are checked. */
  isPublic: boolean;
  /** The overrides of the request's signed token; null without one. */
  overrides: Overrides | null;
}

/** A sender whose events are not checked. */
export const TRUSTED: Sender = { isPublic: false, overrides: null };

/** How an accepted event counts. */
export interface Taking {
  /** Whether the arm was forced instead of drawn. */
  forced: boolean;
  /** Whether to store the arm as the user's assignment. */
  isStored: boolean;
}

/** How most events count. Ingestion is hot, so these are not created for each event. */
const STORED: Taking = { forced: false, isStored: true };
const FORCED: Taking = { forced: true, isStored: true };

/** Compares the arms in events with the arms that this server assigns. */
export interface ExposureCheck {
  /** Returns how an event counts, or its error; `loc` is relative to the event. */
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

  /** Caches the arms by record, because records are replaced and never changed. */
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

  /**
   * Compares the arm with the stored assignment, which may differ from the draw if a bandit or a backend assigned it.
   */
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
      if (!isPublic) return claimsForced ? FORCED : STORED;
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

/** Returns the value that is hashed for the user of an event; null if the event does not contain it. */
function unitOf(bucketBy: string | null, userId: string, metadata: TrackingEvent["event_metadata"]): string | null {
  if (bucketBy === null || bucketBy === "user_id" || bucketBy === "targetingKey") return userId;
  const unit = metadata && Object.hasOwn(metadata, bucketBy) ? metadata[bucketBy] : undefined;
  const text = typeof unit === "number" ? String(unit) : unit;
  return typeof text === "string" && text !== "" ? text : null;
}
