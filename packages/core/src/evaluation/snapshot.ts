import { EVERYONE, type Participation, toParticipation } from "../assignment/participation.ts";
import type { Links } from "../program/links.ts";
import { carry, nameSegments, type ToSnapshot } from "../program/snapshot.ts";
import { type compileExperimentFor, type compileFlagFor, compileSegmentFor } from "./compilation.ts";
import { type Definitions, type ExperimentDefinition, SCHEMA_VERSION } from "./definition.ts";

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

/** Makes snapshots of definitions. */
export function createCompiler({ flag, experiment }: Compilers): ToSnapshot<Definitions> {
  return (definitions, previous, links) => {
    const sources = toSources(definitions);
    const compile =
      <D, T>(compileFor: (definition: D, participation: Participation, links: Links) => T) =>
      ({ definition, participation }: Source<D>) =>
        compileFor(definition, participation, links);
    const keyOf = ({ definition }: Source<{ key: string }>) => definition.key;
    return {
      definitions,
      segments: nameSegments(
        carry(sources.segments, ({ definition }) => definition.id, previous?.segments, compile(compileSegmentFor)),
      ),
      flags: carry(flag && sources.flags, keyOf, previous?.flags, compile(flag!)),
      experiments: carry(experiment && sources.experiments, keyOf, previous?.experiments, compile(experiment!)),
    };
  };
}

/** Definitions come over the wire: what is no list of objects with their key counts as none. */
function records<K extends string, D extends { [key in K]: string }>(list: readonly D[] | undefined, key: K): D[] {
  return Array.isArray(list) ? list.filter((item) => typeof Object(item)[key] === "string") : [];
}
