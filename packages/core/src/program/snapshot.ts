import { isSame } from "../targeting/equality.ts";
import type { LinkedExperiment, linkExperiment } from "./experiment.ts";
import type { LinkedFlag, linkFlag } from "./flag.ts";
import type { Links } from "./links.ts";
import type { Program } from "./program.ts";
import { type LinkedSegment, linkSegment } from "./segment.ts";

/** Something linked, and what it was linked from. */
export type Linked<T> = T & { source: unknown };

/** One set of definitions or one program, linked; never changed once it is made. */
export interface Snapshot<D> {
  definitions: D;
  /** By id and by name; ids win. */
  segments: ReadonlyMap<string, Linked<LinkedSegment>>;
  flags: ReadonlyMap<string, Linked<LinkedFlag>>;
  experiments: ReadonlyMap<string, Linked<LinkedExperiment>>;
}

/** Makes the next snapshot, carrying over from the previous one whatever is the same. */
export type ToSnapshot<D> = (definitions: D, previous: Snapshot<D> | null, links: Links) => Snapshot<D>;

/** What a program is linked by; what an engine does not answer for, bundlers leave out. */
export interface Linkers {
  flag?: typeof linkFlag;
  experiment?: typeof linkExperiment;
}

/** Makes snapshots of programs. */
export function createProgramLinker({ flag, experiment }: Linkers): ToSnapshot<Program> {
  return (program, previous, links) => ({
    definitions: program,
    segments: nameSegments(
      carry(
        program.segments,
        ({ id }) => id,
        previous?.segments,
        (each) => linkSegment(each, links),
      ),
    ),
    flags: carry(
      flag && program.flags,
      ({ key }) => key,
      previous?.flags,
      (each) => flag!(each, links),
    ),
    experiments: carry(
      experiment && program.experiments,
      ({ key }) => key,
      previous?.experiments,
      (each) => experiment!(each, links),
    ),
  });
}

/** Links each source anew, unless there is one of the same key that was linked from the same. */
export function carry<S, T extends object>(
  sources: readonly S[] | undefined,
  keyOf: (source: S) => string,
  previous: ReadonlyMap<string, Linked<T>> | undefined,
  link: (source: S) => T,
): Map<string, Linked<T>> {
  const entries = new Map<string, Linked<T>>();
  for (const source of sources ?? []) {
    const key = keyOf(source);
    const known = previous?.get(key);
    entries.set(key, known && isSame(known.source, source) ? known : { ...link(source), source });
  }
  return entries;
}

/** Adds segments by their names, where no id is in the way. */
export function nameSegments<T extends LinkedSegment>(segments: Map<string, T>): Map<string, T> {
  for (const segment of [...segments.values()]) {
    const { name } = segment.program;
    if (!segments.has(name)) segments.set(name, segment);
  }
  return segments;
}

/** The keys of what is not the same in both, or refers to something that is not. */
export function diffSnapshots(
  before: Snapshot<unknown>,
  after: Snapshot<unknown>,
): { flags: string[]; experiments: string[] } {
  const segments = findChanged(before.segments, after.segments, ({ program }) => program.references);
  const refersTo = ({ references }: { references: string[] }) => references.some((name) => segments.has(name));
  const flags = findChanged(
    before.flags,
    after.flags,
    ({ program }) => program.requires,
    ({ program }) => refersTo(program),
  );
  const experiments = findChanged(
    before.experiments,
    after.experiments,
    () => [],
    ({ program }) =>
      // One that does not run answers NOT_RUNNING whatever it refers to.
      program.status === "ACTIVE" && (refersTo(program) || flags.has(program.feature_flag_key ?? "")),
  );
  return { flags: [...flags].sort(), experiments: [...experiments].sort() };
}

/**
 * The keys of what came, went, is not the same, or refers to something that changed. What is the same is carried over,
 * so identity tells.
 */
function findChanged<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  referencesOf: (linked: T) => readonly string[],
  isConcerned: (linked: T) => boolean = () => false,
): Set<string> {
  const changed = new Set([...before.keys(), ...after.keys()].filter((key) => before.get(key) !== after.get(key)));
  for (const [key, linked] of after) if (isConcerned(linked)) changed.add(key);
  for (let size = -1; size !== changed.size; ) {
    size = changed.size;
    for (const [key, linked] of after) if (referencesOf(linked).some((name) => changed.has(name))) changed.add(key);
  }
  return changed;
}
