import type { Segment } from "@assay/client";
import { TEXT } from "../text.ts";

export function SegmentState({ status }: { status: Segment["status"] }) {
  return <span className={`badge state-${status.toLowerCase()}`}>{TEXT.segments.states[status]}</span>;
}
