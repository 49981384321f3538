import type { Program } from "../format/program.ts";
import { indexSegments } from "../format/segment-index.ts";
import { type LinkedExperiment, linkExperiment } from "./experiment.ts";
import type { LinkedFlag, linkFlag } from "./flag.ts";
import type { Links } from "./links.ts";
import { type LinkedSegment, linkSegment } from "./segment.ts";

/** One linked set of definitions or linked program; immutable. */
export interface LinkedDefinitions<D> {
  definitions: D;
  /** Segments by id and by name; ids take precedence. */
  segments: ReadonlyMap<string, LinkedSegment>;
  flags: ReadonlyMap<string, LinkedFlag>;
  experiments: ReadonlyMap<string, LinkedExperiment>;
}

/** Links definitions; reuses parts of the previous ones, if there are any. */
export type LinkDefinitions<D, S extends LinkedDefinitions<D> = LinkedDefinitions<D>> = (
  definitions: D,
  links: Links,
  previous?: S,
) => S;

/** Links programs. @param flag absent: without flags, whose code bundlers then drop */
export function createProgramLinker(flag?: typeof linkFlag): LinkDefinitions<Program> {
  return (program, links) => ({
    definitions: program,
    segments: indexSegments(program.segments.map((each) => linkSegment(each, links))),
    flags: new Map(flag && program.flags.map((each) => [each.key, flag(each, links)])),
    experiments: new Map(program.experiments.map((each) => [each.key, linkExperiment(each, links)])),
  });
}
