import { type EvaluationContext, type JsonValue, type Outline, readAttribute } from "@assay/core";
import type { TrackingEvent } from "./event-queue.ts";
import { perDefinitions } from "./per-definitions.ts";
import type { ProviderEngine } from "./session.ts";

/** The type of event that says a user has been shown an arm. */
export const EXPOSURE = "exposure";

/** What {@link createExposures} may be given. */
export interface ExposureOptions {
  /**
   * Attributes of the context that go into the exposure's metadata, for breakdowns of results. The attribute that an
   * experiment buckets by always does.
   * @default none
   */
  attributes?: readonly string[];
  /**
   * Exposures remembered, so that each is recorded once; beyond it the oldest are forgotten, and recorded again if they
   * come again, which changes no result.
   * @default 100000
   */
  exposureCapacity?: number;
}

/** Records who was shown which arm of an experiment over a flag. */
export interface Exposures {
  /** Whether an ACTIVE experiment runs on any flag; while none does, there is nothing to record. */
  readonly isNeeded: boolean;
  /** Records that this user was served this variant, where an ACTIVE experiment runs on the flag. */
  record(flagKey: string, variant: string | undefined, context: EvaluationContext): void;
}

/**
 * Creates the recorder. An exposure is recorded once for a user, experiment and variant; one whose arm was given by
 * name and not drawn says `forced` in its metadata, and is not analysed as randomised.
 *
 * @param send takes an event; answers false where it could not, and the exposure is recorded with the next evaluation
 */
export function createExposures(
  engine: Pick<ProviderEngine, "definitions" | "assign">,
  send: (event: TrackingEvent) => boolean,
  { attributes = [], exposureCapacity = 100_000 }: ExposureOptions = {},
): Exposures {
  // Two generations, of which the older is dropped whole.
  let recent = new Set<string>();
  let older = recent;
  const running = perDefinitions(engine, toRunning);

  return {
    get isNeeded() {
      return running().size > 0;
    },
    record(flagKey, variant, context) {
      const experiment = running().get(flagKey);
      const { targetingKey } = context;
      if (!experiment || variant === undefined || !targetingKey || typeof targetingKey !== "string") return;
      const name = [experiment.id, flagKey, variant, targetingKey].join("\n");
      if (recent.has(name) || older.has(name)) return;
      const assignment = engine.assign(experiment.key, targetingKey, context);
      if (!assignment?.assigned) return;
      const metadata: Record<string, JsonValue> = {};
      const bucketBy = experiment.bucket_by ?? engine.definitions.flags.find(({ key }) => key === flagKey)?.bucket_by;
      for (const attribute of [...attributes, bucketBy ?? ""]) {
        const value = readAttribute(context, attribute);
        if (["string", "number", "boolean"].includes(typeof value)) metadata[attribute] = value as JsonValue;
      }
      // Another arm than the one served was given by name: what the user has seen was not drawn either.
      if (assignment.forced || assignment.variant_key !== variant) metadata.forced = true;
      const isSent = send({
        event_type: EXPOSURE,
        user_id: targetingKey,
        // One that only the server knows by id is reported by its flag.
        experiment_id: experiment.id || undefined,
        variant_id: variant,
        feature_flag_key: flagKey,
        ...(Object.keys(metadata).length > 0 && { event_metadata: metadata }),
      });
      if (!isSent) return;
      if (recent.size >= exposureCapacity / 2) {
        older = recent;
        recent = new Set();
      }
      recent.add(name);
    },
  };
}

/** The ACTIVE experiments, by the flags they run on. */
function toRunning({ experiments }: Outline): Map<string, Outline["experiments"][number]> {
  const active = experiments.filter(({ status, feature_flag_key }) => status === "ACTIVE" && feature_flag_key);
  return new Map(active.map((experiment) => [String(experiment.feature_flag_key), experiment]));
}
