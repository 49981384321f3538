import type { TrackingEvent } from "../definitions/event-queue.ts";
import type { Definitions, JsonValue } from "../evaluation/definition.ts";
import type { Engine } from "../evaluation/engine.ts";
import type { EvaluationContext } from "../evaluation/result.ts";
import { readAttribute } from "../targeting/attribute.ts";
import { perDefinitions } from "./per-definitions.ts";

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
  capacity?: number;
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
  engine: Pick<Engine, "definitions" | "assign">,
  send: (event: TrackingEvent) => boolean,
  { attributes = [], capacity = 100_000 }: ExposureOptions = {},
): Exposures {
  const seen = createMemory(capacity);
  const running = perDefinitions(engine, toRunning);

  return {
    get isNeeded() {
      return running().size > 0;
    },
    record(flagKey, variant, context) {
      const experiment = running().get(flagKey);
      const userId = context.targetingKey;
      if (!experiment || variant === undefined || typeof userId !== "string" || userId === "") return;
      const name = `${experiment.id}\n${flagKey}\n${variant}\n${userId}`;
      if (seen.has(name)) return;
      const assignment = engine.assign(experiment.key, userId, context);
      if (!assignment?.assigned) return;
      const { bucketBy } = experiment;
      const metadata = toMetadata(context, bucketBy === null ? attributes : [...attributes, bucketBy]);
      // Another arm than the one served was given by name: what the user has seen was not drawn either.
      if (assignment.forced || assignment.variant_key !== variant) metadata.forced = true;
      const event: TrackingEvent = {
        event_type: EXPOSURE,
        user_id: userId,
        // One that only the server knows by id is reported by its flag.
        experiment_id: experiment.id || undefined,
        variant_id: variant,
        feature_flag_key: flagKey,
      };
      if (Object.keys(metadata).length > 0) event.event_metadata = metadata;
      if (send(event)) seen.add(name);
    },
  };
}

/** What an exposure has to know of an experiment. */
interface Running {
  id: string;
  key: string;
  bucketBy: string | null;
}

function toRunning({ experiments, flags }: Definitions): Map<string, Running> {
  const running = new Map<string, Running>();
  for (const { id, key, status, feature_flag_key, bucket_by } of experiments) {
    if (status !== "ACTIVE" || !feature_flag_key) continue;
    const flag = flags.find((each) => each.key === feature_flag_key);
    running.set(feature_flag_key, { id, key, bucketBy: bucket_by ?? flag?.bucket_by ?? null });
  }
  return running;
}

function toMetadata(context: EvaluationContext, names: readonly string[]): Record<string, JsonValue> {
  const metadata: Record<string, JsonValue> = {};
  for (const name of names) {
    const value = readAttribute(context, name);
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") metadata[name] = value;
  }
  return metadata;
}

/** Remembers names in two generations, of which the older is dropped whole. */
function createMemory(capacity: number): { has(name: string): boolean; add(name: string): void } {
  let recent = new Set<string>();
  let older = new Set<string>();
  return {
    has: (name) => recent.has(name) || older.has(name),
    add(name) {
      if (recent.size >= Math.ceil(capacity / 2)) {
        older = recent;
        recent = new Set();
      }
      recent.add(name);
    },
  };
}
