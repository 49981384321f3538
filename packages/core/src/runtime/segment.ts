import { refuse, toMessage } from "../format/definition-error.ts";
import type { SegmentProgram } from "../format/program.ts";
import type { TraceStep } from "../format/result.ts";
import type { Links, Test } from "./links.ts";
import { linkPredicate } from "./predicate.ts";
import { guardReentry } from "./reentry.ts";

/** A segment linked to one function. */
export interface LinkedSegment {
  readonly program: SegmentProgram;
  /** Throws if the segment is invalid, so that a flag over it answers its default. */
  readonly test: Test;
  /** The same segment with explained steps; only if compiled from its definition. */
  readonly explain?: (trace: TraceStep[], links?: Links) => LinkedSegment;
}

/** Links a segment. Never throws. */
export function linkSegment(program: SegmentProgram, links: Links): LinkedSegment {
  try {
    return { program, test: guardReentry(linkPredicate(program.when, links)) };
  } catch (error) {
    return { program, test: () => refuse(`Segment ${JSON.stringify(program.id)}: ${toMessage(error)}`) };
  }
}
