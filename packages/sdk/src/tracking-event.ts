import type { EvaluationContext } from "@assay/core";
import type { TrackingEvent } from "./event-box.ts";

/** The details of an OpenFeature `track` call. */
export interface TrackDetails {
  value?: number;
  [name: string]: unknown;
}

/** The details that become fields of a tracking event. All others become its metadata. */
const FIELDS = ["experiment_id", "variant_id", "feature_flag_key", "event_id", "timestamp"] as const;

/** Converts an OpenFeature `track` call to a tracking event; undefined without a targeting key. */
export function toTrackingEvent(
  name: string,
  context: EvaluationContext,
  details: TrackDetails = {},
): TrackingEvent | undefined {
  if (!context.targetingKey) return undefined;
  const { value, ...metadata } = details;
  const event: TrackingEvent = { event_type: name, user_id: context.targetingKey };
  if (typeof value === "number") event.value = value;
  for (const field of FIELDS) {
    if (typeof metadata[field] === "string") {
      event[field] = metadata[field];
      delete metadata[field];
    }
  }
  // Dates become ISO 8601 in the JSON that the queue makes at once.
  if (Object.keys(metadata).length > 0) event.event_metadata = metadata as TrackingEvent["event_metadata"];
  return event;
}
