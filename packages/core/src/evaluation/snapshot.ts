import { EVERYONE, type Participation, toParticipation } from "../assignment/participation.ts";
import type { LinkedExperiment } from "../program/experiment.ts";
import type { LinkedFlag } from "../program/flag.ts";
import type { Links } from "../program/links.ts";
import type { LinkedSegment } from "../program/segment.ts";
import { nameSegments, type Snapshot, type ToSnapshot } from "../program/snapshot.ts";
import { isSame } from "../targeting/equality.ts";
import { type compileExperimentFor, type compileFlagFor, compileSegmentFor } from "./compilation.ts";
import { type Definitions, type ExperimentDefinition, SCHEMA_VERSION } from "./definition.ts";
import type { DefinitionsChange } from "./live-definitions.ts";

/** What an engine answers for; what it does not, it does not hold, and bundlers leave out. */
export interface Compilers {
  flag?: typeof compileFlagFor;
  experiment?: typeof compileExperimentFor;
}

/** Definitions of a later format than this evaluator knows. */
export class SchemaVersionError extends Error {
  override readonly name = "SchemaVersionError";
  readonly version: number;

  constructor(version: number) {
    super(
      `Definitions of schema version ${version} need a newer evaluator than this one, which knows ${SCHEMA_VERSION}`,
    );
    this.version = version;
  }
}

/** A definition, with what keeps users out of it. */
export interface Source<D> {
  definition: D;
  participation: Participation;
}

/** The definitions of a set that can be told apart by a key, each with what keeps users out of it. */
export interface Sources<D extends Pick<Definitions, "flags" | "experiments" | "segments">> {
  flags: Source<D["flags"][number]>[];
  experiments: Source<D["experiments"][number]>[];
  segments: Source<D["segments"][number]>[];
}

/** Reads definitions apart. @throws SchemaVersionError where they are of a later format */
export function toSources(definitions: Definitions): Sources<Definitions> {
  if (definitions.schema_version > SCHEMA_VERSION) throw new SchemaVersionError(definitions.schema_version);
  const groups = new Map(records(definitions.groups, "id").map((group) => [group.id, group]));
  const experiments = records(definitions.experiments, "key");
  const running = new Map(
    experiments.filter(({ status }) => status === "ACTIVE").map((each) => [each.feature_flag_key, each]),
  );
  const participationIn = (experiment: ExperimentDefinition | undefined) =>
    toParticipation(experiment, definitions.holdout, (id) => groups.get(id));
  return {
    flags: records(definitions.flags, "key").map((definition) => ({
      definition,
      participation: participationIn(running.get(definition.key)),
    })),
    experiments: experiments.map((definition) => ({ definition, participation: participationIn(definition) })),
    segments: records(definitions.segments, "id").map((definition) => ({ definition, participation: EVERYONE })),
  };
}

/** Something compiled, and what from: where that is the same, it is carried over to the next snapshot. */
type Compiled<T> = T & { source: unknown };

/** One set of definitions, compiled. */
export interface CompiledDefinitions extends Snapshot<Definitions> {
  segments: ReadonlyMap<string, Compiled<LinkedSegment>>;
  flags: ReadonlyMap<string, Compiled<LinkedFlag>>;
  experiments: ReadonlyMap<string, Compiled<LinkedExperiment>>;
}

/** Makes snapshots of definitions. */
export function createCompiler({ flag, experiment }: Compilers): ToSnapshot<Definitions, CompiledDefinitions> {
  return (definitions, links, previous) => {
    const sources = toSources(definitions);
    const { flags, experiments } = sources;
    const segments = carry(sources.segments, ({ id }) => id, previous?.segments, compileSegmentFor, links);
    return {
      definitions,
      segments: nameSegments(segments.values()),
      flags: flag ? carry(flags, ({ key }) => key, previous?.flags, flag, links) : new Map(),
      experiments: experiment
        ? carry(experiments, ({ key }) => key, previous?.experiments, experiment, links)
        : new Map(),
    };
  };
}

/** Compiles each source anew, unless there is one of the same key that was compiled from the same. */
function carry<D, T extends object>(
  sources: readonly Source<D>[],
  keyOf: (definition: D) => string,
  previous: ReadonlyMap<string, Compiled<T>> | undefined,
  compile: (definition: D, participation: Participation, links: Links) => T,
  links: Links,
): Map<string, Compiled<T>> {
  const entries = new Map<string, Compiled<T>>();
  for (const source of sources) {
    const { definition, participation } = source;
    const key = keyOf(definition);
    const known = previous?.get(key);
    const isKnown = known !== undefined && isSame(known.source, source);
    entries.set(key, isKnown ? known : { ...compile(definition, participation, links), source });
  }
  return entries;
}

/** The keys of what is not the same in both, or refers to something that is not. */
export function diffCompiled(before: CompiledDefinitions, after: CompiledDefinitions): DefinitionsChange {
  const segments = findChanged(before.segments, after.segments, ({ program }, changed) =>
    program.references.some((name) => changed.has(name)),
  );
  const refersTo = ({ references }: { references: readonly string[] }) => references.some((name) => segments.has(name));
  const flags = findChanged(
    before.flags,
    after.flags,
    ({ program }, changed) => refersTo(program) || program.requires.some((key) => changed.has(key)),
  );
  const experiments = findChanged(
    before.experiments,
    after.experiments,
    ({ program }) =>
      // One that does not run answers NOT_RUNNING whatever it refers to.
      program.status === "ACTIVE" && (refersTo(program) || flags.has(program.feature_flag_key ?? "")),
  );
  return { flags: [...flags].sort(), experiments: [...experiments].sort() };
}

/** Definitions come over the wire: what is no list of objects with their key counts as none. */
function records<K extends string, D extends { [key in K]: string }>(list: readonly D[] | undefined, key: K): D[] {
  return Array.isArray(list) ? list.filter((item) => typeof Object(item)[key] === "string") : [];
}

/**
 * The keys of what came, went, is not the same, or refers to something that changed. What is the same is carried over,
 * so identity tells.
 */
function findChanged<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  refersTo: (compiled: T, changed: ReadonlySet<string>) => boolean,
): Set<string> {
  const changed = new Set([...before.keys(), ...after.keys()].filter((key) => before.get(key) !== after.get(key)));
  for (let size = -1; size !== changed.size; ) {
    size = changed.size;
    for (const [key, compiled] of after) if (refersTo(compiled, changed)) changed.add(key);
  }
  return changed;
}
