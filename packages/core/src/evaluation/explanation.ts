import type { Links, Notes } from "../program/links.ts";
import type { LinkedSegment } from "../program/segment.ts";
import type { TraceStep } from "./result.ts";

/** Links whose programs explain their answers: every step goes into the trace. */
export function toExplaining(links: Links, trace: TraceStep[]): Links {
  const segments = new Map<string, LinkedSegment | undefined>();
  const explaining: Links = {
    ...links,
    notes: notesIn(trace),
    segment(name) {
      if (!segments.has(name)) {
        const segment = links.segment(name);
        segments.set(name, segment?.explain?.(trace, explaining) ?? segment);
      }
      return segments.get(name);
    },
  };
  return explaining;
}

function notesIn(trace: TraceStep[]): Notes {
  const step: Notes["step"] = (step, subject, matched, detail = matched ? "holds" : "does not hold") => {
    trace.push({ step, subject, matched, detail });
  };
  return {
    step,
    draw: (key, isInside, bucket, rollout) =>
      step("ROLLOUT", key, isInside, `bucket ${bucket.toFixed(6)} at ${rollout} %`),
    slots(key, isInside, bucket) {
      const isHoldout = key.startsWith("holdout:");
      const subject = isHoldout ? key.slice("holdout:".length) : key.replace(":", " ");
      step(isHoldout ? "HOLDOUT" : "BLOCK", subject, isInside, `bucket ${bucket}`);
    },
    prerequisite({ flag_key }, isMet, result) {
      const detail = result ? `served ${JSON.stringify(result.value)} (${result.reason})` : "no such flag";
      step("PREREQUISITE", flag_key, isMet, detail);
    },
  };
}
