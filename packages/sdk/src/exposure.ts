import { type EvaluationContext, type JsonValue, readAttribute } from "@assay/core";
import type { TrackingEvent } from "./event-box.ts";
import type { ProviderEngine, ProviderOutline } from "./format.ts";
import { perDefinitions } from "./per-definitions.ts";

/** The event type of exposures: a user saw an arm of an experiment. */
export const EXPOSURE = "exposure";

/** Options of {@link createExposures}. */
export interface ExposureOptions {
  /**
   * Attributes of the context to add to the exposure's metadata, for breakdowns of results. The attribute that an
   * experiment buckets by is always added.
   * @default none
   */
  attributes?: readonly string[];
  /**
   * Number of exposures to remember, so that each is recorded once. Beyond it, the oldest are forgotten; recording them
   * again does not change results.
   * @default 100000
   */
  exposureCapacity?: number;
}

/** Records which arm of an experiment a user saw. */
export interface Exposures {
  /** Whether an ACTIVE experiment runs on any flag. If not, there is nothing to record. */
  readonly isNeeded: boolean;
  /** Records that a user got a variant, if an ACTIVE experiment runs on the flag. */
  record(flagKey: string, variant: string | undefined, context: EvaluationContext): void;
}

/**
 * Creates the recorder. An exposure is recorded once for a user, experiment, variant and value of the attribute that the
 * experiment buckets by: in a switchback, once in each period. If the arm was given by name
 * and not drawn, its metadata has `forced`, which excludes it from randomised analysis.
 *
 * @param send queues an event; returns false on failure, and the exposure is recorded with the next evaluation
 */
export function createExposures(
  engine: Pick<ProviderEngine, "definitions" | "assign">,
  send: (event: TrackingEvent) => boolean,
  { attributes = [], exposureCapacity = 100_000 }: ExposureOptions = {},
): Exposures {
  const recorded = new Set<string>();
  const running = perDefinitions(engine, toRunning);

  return {
    get isNeeded() {
      return running().size > 0;
    },
    record(flagKey, variant, context) {
      const experiment = running().get(flagKey);
      const { targetingKey } = context;
      if (!experiment || variant === undefined || !targetingKey || typeof targetingKey !== "string") return;
      const metadata: Record<string, JsonValue> = {};
      for (const attribute of [...attributes, experiment.bucket_by]) {
        const value = readAttribute(context, attribute);
        if (["string", "number", "boolean"].includes(typeof value)) metadata[attribute] = value as JsonValue;
      }
      const name = [experiment.id, flagKey, variant, targetingKey, metadata[experiment.bucket_by]].join("\n");
      if (recorded.has(name)) return;
      const assignment = engine.assign(experiment.key, targetingKey, context);
      if (!assignment?.assigned) return;
      // An arm was forced by name and another one served, so the served arm was not drawn either.
      if (assignment.forced || assignment.variant_key !== variant) metadata.forced = true;
      const isSent = send({
        event_type: EXPOSURE,
        user_id: targetingKey,
        // An experiment whose id only the server knows is reported by its flag.
        experiment_id: experiment.id || undefined,
        variant_id: variant,
        feature_flag_key: flagKey,
        ...(Object.keys(metadata).length > 0 && { event_metadata: metadata }),
      });
      if (!isSent) return;
      // The first one is the oldest.
      if (recorded.size >= exposureCapacity) recorded.delete(recorded.values().next().value!);
      recorded.add(name);
    },
  };
}

/** Returns the ACTIVE experiments, by the flags they run on, with the attribute that these bucket by. */
function toRunning({ experiments, flags }: ProviderOutline) {
  const running = new Map<string, ProviderOutline["experiments"][number] & { bucket_by: string }>();
  for (const experiment of experiments) {
    const { status, feature_flag_key: flagKey } = experiment;
    if (status !== "ACTIVE" || !flagKey) continue;
    running.set(flagKey, { ...experiment, bucket_by: flags.find(({ key }) => key === flagKey)?.bucket_by ?? "" });
  }
  return running;
}
