import { toExperimentProgram } from "../assignment/experiment.ts";
import { fingerprint } from "../bucketing/bucket.ts";
import {
  type ExperimentProgram,
  type FlagProgram,
  PROGRAM_VERSION,
  type Program,
  type SegmentProgram,
} from "../program/program.ts";
import { nameSegments } from "../program/snapshot.ts";
import { toSegmentProgram } from "../targeting/segment.ts";
import type { Definitions } from "./definition.ts";
import { toFlagProgram } from "./flag.ts";
import { toSources } from "./snapshot.ts";

/**
 * Lowers definitions to what providers in pages and handlers at the edge evaluate: the same answers, with no code there
 * that understands definitions. A definition that is not understood becomes a flag that serves its default.
 *
 * @throws SchemaVersionError where the definitions are of a later format.
 */
export function toProgram(definitions: Definitions): Program {
  const sources = toSources(definitions);
  const segments = sources.segments.map(({ definition }) => toSegmentProgram(definition));
  const flags = sources.flags.map(({ definition, participation }) => toFlagProgram(definition, participation));
  const experiments = sources.experiments.map(({ definition, participation }) =>
    toExperimentProgram(definition, participation),
  );
  const { flag_set_id } = definitions;
  const revisions = createRevisions({ flags, segments });
  return {
    program_version: PROGRAM_VERSION,
    ...(flag_set_id === undefined ? {} : { flag_set_id }),
    flags: flags.map((flag) => ({ ...flag, revision: revisions.of(flag, [flag.key]) })),
    experiments: experiments.map((experiment) => ({
      ...experiment,
      revision: revisions.of(experiment, experiment.feature_flag_key ? [experiment.feature_flag_key] : []),
    })),
    segments,
  };
}

/** Tells programs of flags and experiments apart, by themselves and all that they refer to. */
function createRevisions({ flags, segments }: Pick<Program, "flags" | "segments">) {
  const flagsBy = new Map(flags.map((flag) => [flag.key, flag]));
  const segmentsBy = nameSegments(segments.map((program) => ({ program })));
  const prints = new Map<object, string>();
  const printOf = (program: object): string => {
    const print = prints.get(program) ?? fingerprint(JSON.stringify(program), "revision");
    prints.set(program, print);
    return print;
  };
  return {
    of(program: FlagProgram | ExperimentProgram, flagKeys: readonly string[]): string {
      const reached = new Set<FlagProgram | ExperimentProgram | SegmentProgram>([program]);
      for (const key of flagKeys) if (flagsBy.has(key)) reached.add(flagsBy.get(key)!);
      // What is added while a set is gone through is gone through too.
      for (const each of reached) {
        for (const name of each.references) if (segmentsBy.has(name)) reached.add(segmentsBy.get(name)!.program);
        for (const key of "requires" in each ? each.requires : []) {
          if (flagsBy.has(key)) reached.add(flagsBy.get(key)!);
        }
      }
      return reached.size === 1 ? printOf(program) : fingerprint([...reached].map(printOf).join(), "revision");
    },
  };
}
