import { lowerExperiment } from "../assignment/experiment.ts";
import { fingerprint } from "../bucketing/bucket.ts";
import { PROGRAM_VERSION, type Program } from "../program/program.ts";
import { nameSegments } from "../program/snapshot.ts";
import type { Lowered } from "../targeting/scope.ts";
import { lowerSegment } from "../targeting/segment.ts";
import type { Definitions } from "./definition.ts";
import { lowerFlag } from "./flag.ts";
import { toSources } from "./source.ts";

/**
 * Lowers definitions to what providers in pages and handlers at the edge evaluate: the same answers, with no code there
 * that understands definitions. A definition that is not understood becomes a flag that serves its default.
 *
 * @throws SchemaVersionError where the definitions are of a later format.
 */
export function toProgram(definitions: Definitions): Program {
  const sources = toSources(definitions);
  const segments = sources.segments.map(({ definition }) => lowerSegment(definition));
  const flags = sources.flags.map(({ definition, participation }) => lowerFlag(definition, participation));
  const experiments = sources.experiments.map(({ definition, participation }) =>
    lowerExperiment(definition, participation),
  );
  const { flag_set_id } = definitions;
  const flagsBy = new Map(flags.map((flag) => [flag.program.key, flag]));
  const revisionOf = createRevisions(flagsBy, nameSegments(segments));
  return {
    program_version: PROGRAM_VERSION,
    ...(flag_set_id === undefined ? {} : { flag_set_id }),
    flags: flags.map((flag) => ({ ...flag.program, revision: revisionOf(flag) })),
    experiments: experiments.map((experiment) => ({ ...experiment.program, revision: revisionOf(experiment) })),
    segments: segments.map(({ program }) => program),
  };
}

/** A function that names something lowered by itself and all that it refers to. */
function createRevisions(
  flags: ReadonlyMap<string, Lowered<unknown>>,
  segments: ReadonlyMap<string, Lowered<unknown>>,
): (lowered: Lowered<unknown>) => string {
  const prints = new Map<Lowered<unknown>, string>();
  const toPrint = (text: string) => fingerprint(text, "revision").slice(0, 8);
  const printOf = (lowered: Lowered<unknown>): string => {
    const print = prints.get(lowered) ?? toPrint(JSON.stringify(lowered.program));
    prints.set(lowered, print);
    return print;
  };
  return (lowered) => {
    const reached = new Set([lowered]);
    // What is added while a set is gone through is gone through too.
    for (const { references, requires } of reached) {
      const referred = [...references.map((name) => segments.get(name)), ...requires.map((key) => flags.get(key))];
      for (const each of referred) if (each) reached.add(each);
    }
    return reached.size === 1 ? printOf(lowered) : toPrint([...reached].map(printOf).join());
  };
}
