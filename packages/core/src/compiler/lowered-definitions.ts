import { fingerprint } from "../bucketing/bucket.ts";
import type { Definitions, SegmentDefinition } from "../format/definition.ts";
import { PROGRAM_VERSION, type Program } from "../format/program.ts";
import { indexSegments } from "../format/segment-index.ts";
import { isSame } from "../values/equality.ts";
import { lowerExperiment } from "./experiment.ts";
import { lowerFlag } from "./flag.ts";
import { type CompilerInput, toCompilerInputs } from "./input.ts";
import type { Participation } from "./participation.ts";
import type { Lowered } from "./scope.ts";
import { lowerSegment } from "./segment.ts";

/** Creates programs from definitions that are replaced, never mutated. Unchanged definitions are lowered once. */
export interface ProgramMaker {
  /** Lowers one flag, experiment or segment per step, to spread the work before a program is made. */
  steps(definitions: Definitions): Iterable<void>;
  /** @throws SchemaVersionError if the definitions have a later format */
  make(definitions: Definitions): Program;
}

/**
 * Lowers definitions to a program, which pages and edge workers evaluate with the same results and without the
 * compiler's code. An invalid definition becomes a flag that serves its default.
 *
 * @throws SchemaVersionError if the definitions have a later format
 */
export function toProgram(definitions: Definitions): Program {
  return createProgramMaker().make(definitions);
}

/** Creates a maker of programs, see {@link ProgramMaker}. */
export function createProgramMaker(): ProgramMaker {
  const toSegment = keep((definition: SegmentDefinition) => lowerSegment(definition));
  const toFlag = keep(lowerFlag);
  const toExperiment = keep(lowerExperiment);
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
        flag_set_id,
        flags: flags.map((flag) => revised(flag, revisionOf(flag))),
        experiments: experiments.map((experiment) => revised(experiment, revisionOf(experiment))),
        segments: segments.map(({ program }) => program),
      };
    },
  };
}

/** Caches the lowered form of a definition and its participation. */
function keep<D extends object, P>(lower: (definition: D, participation: Participation) => Lowered<P>) {
  const cached = new WeakMap<D, { participation: Participation; lowered: Lowered<P> }>();
  return ({ definition, participation }: CompilerInput<D>): Lowered<P> => {
    const before = cached.get(definition);
    if (before && isSame(before.participation, participation)) return before.lowered;
    const lowered = lower(definition, participation);
    cached.set(definition, { participation, lowered });
    return lowered;
  };
}

/** Caches programs with their revision, so that equal programs are the same object. */
function keepRevised() {
  const cached = new WeakMap<object, { revision: string }>();
  return <P extends object>({ program }: Lowered<P>, revision: string): P & { revision: string } => {
    const before = cached.get(program);
    if (before?.revision === revision) return before as P & { revision: string };
    const made = { ...program, revision };
    cached.set(program, made);
    return made;
  };
}

/** Returns a function that computes the revision of a lowered definition and everything it refers to. */
function createRevisions(
  flags: ReadonlyMap<string, Lowered<unknown>>,
  segments: ReadonlyMap<string, Lowered<unknown>>,
  printOf: (lowered: Lowered<unknown>) => string,
): (lowered: Lowered<unknown>) => string {
  return (lowered) => {
    const reached = new Set([lowered]);
    // Items added to a set during iteration are visited too.
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
