import type { Program } from "../format/program.ts";
import { indexSegments } from "../format/segment-index.ts";
import type { LinkedExperiment, linkExperiment } from "./experiment.ts";
import type { LinkedFlag, linkFlag } from "./flag.ts";
import type { Links } from "./links.ts";
import { type LinkedSegment, linkSegment } from "./segment.ts";

/** One set of definitions or one program, linked; never changed once it is made. */
export interface Snapshot<D> {
  definitions: D;
  /** By id and by name; ids win. */
  segments: ReadonlyMap<string, LinkedSegment>;
  flags: ReadonlyMap<string, LinkedFlag>;
  experiments: ReadonlyMap<string, LinkedExperiment>;
}

/** How an engine makes its next snapshot, from the previous one where there is one. */
export type ToSnapshot<D, S extends Snapshot<D> = Snapshot<D>> = (definitions: D, links: Links, previous?: S) => S;

/** What a program is linked by; what an engine does not answer for, bundlers leave out. */
export interface Linkers {
  flag?: typeof linkFlag;
  experiment?: typeof linkExperiment;
}

/** Makes snapshots of programs. */
export function createProgramLinker({ flag, experiment }: Linkers): ToSnapshot<Program> {
  return (program, links) => ({
    definitions: program,
    segments: indexSegments(program.segments.map((each) => linkSegment(each, links))),
    flags: new Map(flag && program.flags.map((each) => [each.key, flag(each, links)])),
    experiments: new Map(experiment && program.experiments.map((each) => [each.key, experiment(each, links)])),
  });
}
