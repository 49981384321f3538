import { describeCondition } from "../compiler/condition-description.ts";
import { lowerExperiment } from "../compiler/experiment.ts";
import { lowerFlag } from "../compiler/flag.ts";
import type { CompilerInput } from "../compiler/input.ts";
import { EVERYONE, toParticipation } from "../compiler/participation.ts";
import type { Describe, Lowered } from "../compiler/scope.ts";
import { lowerSegment } from "../compiler/segment.ts";
import type {
  ExperimentDefinition,
  FlagDefinition,
  GroupDefinition,
  HoldoutDefinition,
  SegmentDefinition,
} from "../format/definition.ts";
import type { ExperimentProgram, FlagProgram, SegmentProgram } from "../format/program.ts";
import type { EvaluationContext, TraceStep } from "../format/result.ts";
import { evaluationState } from "../runtime/evaluation-state.ts";
import { type LinkedExperiment, linkExperiment } from "../runtime/experiment.ts";
import { toExplaining } from "../runtime/explanation.ts";
import { type LinkedFlag, linkFlag } from "../runtime/flag.ts";
import type { Links, Run } from "../runtime/links.ts";
import { type LinkedSegment, linkSegment } from "../runtime/segment.ts";

/** A flag compiled from its definition; evaluate it with `evaluate`. */
export interface CompiledFlag extends LinkedFlag {
  readonly lowered: Lowered<FlagProgram>;
  /** What it was compiled from. The next compilation reuses it if the input is the same. */
  readonly input: CompilerInput<FlagDefinition>;
  /** Links the flag again so that each evaluation adds its steps to `trace`. */
  explain(trace: TraceStep[]): LinkedFlag;
}

/** An experiment compiled from its definition; assign users with `assign`. */
export interface CompiledExperiment extends LinkedExperiment {
  readonly lowered: Lowered<ExperimentProgram>;
  /** See {@link CompiledFlag.input}. */
  readonly input: CompilerInput<ExperimentDefinition>;
}

/** A segment compiled from its definition; check members with `isMember`. */
export interface CompiledSegment extends LinkedSegment {
  readonly lowered: Lowered<SegmentProgram>;
  /** See {@link CompiledFlag.input}. */
  readonly input: CompilerInput<SegmentDefinition>;
}

/** The definitions that a flag or an experiment refers to; each is optional. */
export interface Environment extends Partial<Omit<Links, "explain">> {
  /** Returns the ACTIVE experiment over a flag; called at compilation. */
  experiment?(flagKey: string): ExperimentDefinition | undefined;
  holdout?: HoldoutDefinition | null;
  /** Returns a mutual exclusion group by id; called at compilation. */
  group?(id: string): GroupDefinition | undefined;
}

/**
 * Compiles a flag definition for `evaluate`. Never throws: an invalid definition compiles to a flag that serves
 * everyone the default.
 *
 * @example evaluate(compileFlag(definition), { targetingKey: "user-123", country: "DE" }).value
 */
export function compileFlag(definition: FlagDefinition, environment: Environment = {}): CompiledFlag {
  const experiment = environment.experiment?.(definition?.key);
  const participation = toParticipation(experiment, environment.holdout, environment.group);
  return compileFlagFor({ definition, participation }, toLinks(environment), EXPLAINING);
}

/** The code of explanations; bundles without traces do not contain it. */
export interface Explaining {
  /** Creates the links that record an explanation. */
  toLinks: typeof toExplaining;
  describe: Describe;
}

/** The code of explanations. */
export const EXPLAINING: Explaining = { toLinks: toExplaining, describe: describeCondition };

/**
 * {@link compileFlag} with a known participation of the experiment over the flag.
 * @param explaining absent: explanations stay empty
 */
export function compileFlagFor(
  input: CompilerInput<FlagDefinition>,
  links: Links,
  explaining?: Explaining,
): CompiledFlag {
  const { definition, participation } = input;
  const lowered = lowerFlag(definition, participation);
  return linkLater(linkFlag, lowered, links, {
    input,
    explain: (trace: TraceStep[]) =>
      linkFlag(
        lowerFlag(definition, participation, explaining?.describe).program,
        explaining?.toLinks(links, trace) ?? links,
      ),
  });
}

/** Compiles an experiment definition for `assign`. Never throws: an invalid definition assigns no users. */
export function compileExperiment(definition: ExperimentDefinition, environment: Environment = {}): CompiledExperiment {
  const participation = toParticipation(definition, environment.holdout, environment.group);
  return compileExperimentFor({ definition, participation }, toLinks(environment));
}

/** {@link compileExperiment} with a known participation. */
export function compileExperimentFor(input: CompilerInput<ExperimentDefinition>, links: Links): CompiledExperiment {
  const lowered = lowerExperiment(input.definition, input.participation);
  return linkLater(linkExperiment, lowered, links, { input });
}

/** Compiles one segment for `isMember`; other segments are looked up at evaluation. Never throws. */
export function compileSegment(definition: SegmentDefinition, environment: Environment = {}): CompiledSegment {
  return compileSegmentFor({ definition, participation: EVERYONE }, toLinks(environment), EXPLAINING);
}

/** {@link compileSegment} with its links. */
export function compileSegmentFor(
  input: CompilerInput<SegmentDefinition>,
  links: Links,
  explains?: Explaining,
): CompiledSegment {
  const { definition } = input;
  const lowered = lowerSegment(definition);
  return {
    ...linkSegment(lowered.program, links),
    lowered,
    input,
    explain: (trace, explaining = explains?.toLinks(links, trace) ?? links) =>
      linkSegment(lowerSegment(definition, explains?.describe).program, explaining),
  };
}

/**
 * Returns whether a context belongs to a segment; `trace` collects the conditions that were checked.
 *
 * @throws DefinitionError if the segment, or one it refers to, is invalid; RangeError if evaluating it takes too many
 * steps
 */
export function isMember(
  segment: LinkedSegment,
  context: EvaluationContext,
  { now, trace }: { now?: number; trace?: TraceStep[] } = {},
): boolean {
  const tested = (trace && segment.explain?.(trace)) ?? segment;
  evaluationState[1] = 0;
  return tested.test(context, now);
}

/**
 * Links a program at its first evaluation, so that an update does not link flags that are never evaluated. `run` then
 * replaces itself: one call less in every evaluation.
 */
function linkLater<P, T, R>(
  link: (program: P, links: Links) => { run: Run<T> },
  lowered: Lowered<P>,
  links: Links,
  rest: R,
) {
  const { program } = lowered;
  const compiled = {
    program,
    lowered,
    ...rest,
    run(context: EvaluationContext, now: number | undefined): T {
      compiled.run = link(program, links).run;
      return compiled.run(context, now);
    },
  };
  return compiled;
}

function toLinks({ flag = none, segment = none, now = Date.now, limit }: Environment): Links {
  return { flag, segment, now, limit };
}

function none(): undefined {
  return undefined;
}
