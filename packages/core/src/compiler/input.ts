import {
  type Definitions,
  type ExperimentDefinition,
  type FlagDefinition,
  SCHEMA_VERSION,
  type SegmentDefinition,
} from "../format/definition.ts";
import { SchemaVersionError } from "../format/definition-error.ts";
import { EVERYONE, type Participation, toParticipation } from "./participation.ts";

/** A definition with the participation of its experiment. */
export interface CompilerInput<D> {
  definition: D;
  participation: Participation;
}

/** The keyed definitions of a set. */
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

/** Reads a list of keyed objects; any other value counts as an empty list, because definitions are unchecked JSON. */
function records<K extends string, D extends { [key in K]: string }>(list: readonly D[] | undefined, key: K): D[] {
  return Array.isArray(list) ? list.filter((item) => typeof item?.[key] === "string") : [];
}
