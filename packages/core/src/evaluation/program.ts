import { toExperimentProgram } from "../assignment/experiment.ts";
import { PROGRAM_VERSION, type Program } from "../program/program.ts";
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
  const { flags, experiments, segments } = toSources(definitions);
  const { flag_set_id } = definitions;
  return {
    program_version: PROGRAM_VERSION,
    ...(flag_set_id === undefined ? {} : { flag_set_id }),
    flags: flags.map(({ definition, participation }) => toFlagProgram(definition, participation)),
    experiments: experiments.map(({ definition, participation }) => toExperimentProgram(definition, participation)),
    segments: segments.map(({ definition }) => toSegmentProgram(definition)),
  };
}
