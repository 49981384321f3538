import type { Program } from "../format/program.ts";
import { indexSegments } from "../format/segment-index.ts";
import type { LinkedExperiment, linkExperiment } from "./experiment.ts";
import type { LinkedFlag, linkFlag } from "./flag.ts";
import type { Links } from "./links.ts";
import { type LinkedSegment, linkSegment } from "./segment.ts";

/** One linked set of definitions or linked program; immutable. */
export interface Snapshot<D> {
  definitions: D;
  /** By id and by name; ids win. */
  segments: ReadonlyMap<string, LinkedSegment>;
  flags: ReadonlyMap<string, LinkedFlag>;
  experiments: ReadonlyMap<string, LinkedExperiment>;
}

/** Creates an engine's next snapshot, from the previous one if there is one. */
export type ToSnapshot<D, S extends Snapshot<D> = Snapshot<D>> = (definitions: D, links: Links, previous?: S) => S;

/** The linkers of a program; bundlers drop those that an engine does not use. */
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
