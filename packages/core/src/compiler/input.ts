import {
  type Definitions,
  type ExperimentDefinition,
  type FlagDefinition,
  SCHEMA_VERSION,
  type SegmentDefinition,
} from "../format/definition.ts";
import { SchemaVersionError } from "../format/definition-error.ts";
import { EVERYONE, type Participation, toParticipation } from "./participation.ts";

/** A definition, with what keeps users out of it. */
export interface CompilerInput<D> {
  definition: D;
  participation: Participation;
}

/** The definitions of a set that have a key. */
export interface CompilerInputs {
  flags: CompilerInput<FlagDefinition>[];
  experiments: CompilerInput<ExperimentDefinition>[];
  segments: CompilerInput<SegmentDefinition>[];
}

/** Splits a set of definitions by kind. @throws SchemaVersionError if the definitions have a later format */
export function toCompilerInputs(definitions: Definitions): CompilerInputs {
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

/** Definitions come over the wire: a value that is not a list of keyed objects counts as an empty list. */
function records<K extends string, D extends { [key in K]: string }>(list: readonly D[] | undefined, key: K): D[] {
  return Array.isArray(list) ? list.filter((item) => typeof Object(item)[key] === "string") : [];
}
