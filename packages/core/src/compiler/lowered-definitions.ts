import { fingerprint } from "../bucketing/bucket.ts";
import type { Definitions, ExperimentDefinition, FlagDefinition, SegmentDefinition } from "../format/definition.ts";
import { PROGRAM_VERSION, type Program } from "../format/program.ts";
import { indexSegments } from "../format/segment-index.ts";
import { isSame } from "../values/equality.ts";
import { lowerExperiment } from "./experiment.ts";
import { lowerFlag } from "./flag.ts";
import { type CompilerInput, toCompilerInputs } from "./input.ts";
import type { Participation } from "./participation.ts";
import type { Lowered } from "./scope.ts";
import { lowerSegment } from "./segment.ts";

/** Makes programs of definitions that are replaced, never changed: what stays is lowered once. */
export interface ProgramMaker {
  /** Lowers a flag, an experiment or a segment with each step, so that the program is soon made of them. */
  steps(definitions: Definitions): Iterable<void>;
  /** @throws SchemaVersionError where the definitions are of a later format */
  make(definitions: Definitions): Program;
}

/**
 * Lowers definitions to what providers in pages and handlers at the edge evaluate: the same answers, with no code there
 * that understands definitions. A definition that is not understood becomes a flag that serves its default.
 *
 * @throws SchemaVersionError where the definitions are of a later format.
 */
export function toProgram(definitions: Definitions): Program {
  return createProgramMaker().make(definitions);
}

/** Creates a maker of programs, see {@link ProgramMaker}. */
export function createProgramMaker(): ProgramMaker {
  const toSegment = keep((definition: SegmentDefinition) => lowerSegment(definition));
  const toFlag = keep((definition: FlagDefinition, participation) => lowerFlag(definition, participation));
  const toExperiment = keep((definition: ExperimentDefinition, participation) =>
    lowerExperiment(definition, participation),
  );
  const prints = new WeakMap<Lowered<unknown>, string>();
  const printOf = (lowered: Lowered<unknown>): string => {
    const print = prints.get(lowered) ?? toPrint(JSON.stringify(lowered.program));
    prints.set(lowered, print);
    return print;
  };
  const revised = keepRevised();

  return {
    *steps(definitions) {
      const { segments, flags, experiments } = toCompilerInputs(definitions);
      for (const input of segments) yield void printOf(toSegment(input));
      for (const input of flags) yield void printOf(toFlag(input));
      for (const input of experiments) yield void printOf(toExperiment(input));
    },
    make(definitions) {
      const inputs = toCompilerInputs(definitions);
      const segments = inputs.segments.map(toSegment);
      const flags = inputs.flags.map(toFlag);
      const experiments = inputs.experiments.map(toExperiment);
      const { flag_set_id } = definitions;
      const flagsBy = new Map(flags.map((flag) => [flag.program.key, flag]));
      const revisionOf = createRevisions(flagsBy, indexSegments(segments), printOf);
      return {
        program_version: PROGRAM_VERSION,
        ...(flag_set_id === undefined ? {} : { flag_set_id }),
        flags: flags.map((flag) => revised(flag, revisionOf(flag))),
        experiments: experiments.map((experiment) => revised(experiment, revisionOf(experiment))),
        segments: segments.map(({ program }) => program),
      };
    },
  };
}

/** Keeps what a definition was lowered to for as long as there is the definition, and it is lowered for the same. */
function keep<D extends object, P>(lower: (definition: D, participation: Participation) => Lowered<P>) {
  const known = new WeakMap<D, { participation: Participation; lowered: Lowered<P> }>();
  return ({ definition, participation }: CompilerInput<D>): Lowered<P> => {
    const before = known.get(definition);
    if (before && isSame(before.participation, participation)) return before.lowered;
    const lowered = lower(definition, participation);
    known.set(definition, { participation, lowered });
    return lowered;
  };
}

/** Keeps programs with their revision, so that what is the same as before is the same object. */
function keepRevised() {
  const known = new WeakMap<object, { revision: string }>();
  return <P extends object>({ program }: Lowered<P>, revision: string): P & { revision: string } => {
    const before = known.get(program);
    if (before?.revision === revision) return before as P & { revision: string };
    const made = { ...program, revision };
    known.set(program, made);
    return made;
  };
}

/** A function that names something lowered by itself and all that it refers to. */
function createRevisions(
  flags: ReadonlyMap<string, Lowered<unknown>>,
  segments: ReadonlyMap<string, Lowered<unknown>>,
  printOf: (lowered: Lowered<unknown>) => string,
): (lowered: Lowered<unknown>) => string {
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

function toPrint(text: string): string {
  return fingerprint(text, "revision").slice(0, 8);
}
