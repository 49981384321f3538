import type { AreaInput } from "../../area.ts";
import { segmentCollection } from "../../model/segment.ts";
import type { Collections } from "../../storage/collections.ts";
import { createSegmentService } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = ({ define }: Collections) => ({ segments: define(segmentCollection) });

export function create({ runtime, records, snapshot }: AreaInput) {
  const { segments, flags, experiments } = records;
  return { services: { segments: createSegmentService({ runtime, segments, flags, experiments, snapshot }) } };
}
