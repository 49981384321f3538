import type { Segment } from "@assay/contract";
import type { CollectionOptions, Document } from "../storage/collection.ts";

/** A segment as stored, without `used_by`, which the service finds on request. */
export interface SegmentRecord extends Omit<Segment, "used_by">, Document {}

export const segmentCollection: CollectionOptions<SegmentRecord> = {
  name: "segments",
  resource: "segment",
  title: (segment) => segment.name,
  unique: {
    name: { of: (segment) => segment.name, taken: (segment) => `A segment with name "${segment.name}" already exists` },
  },
};
