import { lowerExperiment } from "../assignment/experiment.ts";
import { EVERYONE, type Participation, toParticipation } from "../assignment/participation.ts";
import { type LinkedExperiment, linkExperiment } from "../program/experiment.ts";
import { type LinkedFlag, linkFlag } from "../program/flag.ts";
import type { Links } from "../program/links.ts";
import { type LinkedSegment, linkSegment } from "../program/segment.ts";
import { toSegmentProgram } from "../targeting/segment.ts";
import type {
  ExperimentDefinition,
  FlagDefinition,
  GroupDefinition,
  HoldoutDefinition,
  SegmentDefinition,
} from "./definition.ts";
import { toExplaining } from "./explanation.ts";
import { toFlagProgram } from "./flag.ts";
import type { EvaluationContext, TraceStep } from "./result.ts";

/** What a flag or an experiment refers to beyond its own definition; each part may be left out. */
export interface Environment extends Partial<Omit<Links, "notes">> {
  /** The ACTIVE experiment over a flag, asked at compilation. */
  experiment?(flagKey: string): ExperimentDefinition | undefined;
  holdout?: HoldoutDefinition | null;
  /** A mutual-exclusion group by id, asked at compilation. */
  group?(id: string): GroupDefinition | undefined;
}

/**
 * Compiles a flag definition for `evaluate`. Never throws: a definition that is not understood compiles to a flag
 * that serves everyone the default.
 *
 * @example evaluate(compileFlag(definition), { targetingKey: "user-123", country: "DE" }).value
 */
export function compileFlag(definition: FlagDefinition, environment: Environment = {}): LinkedFlag {
  const experiment = environment.experiment?.(definition?.key);
  const participation = toParticipation(experiment, environment.holdout, environment.group);
  return compileFlagFor(definition, participation, toLinks(environment));
}

/** {@link compileFlag} where the participation of the experiment over the flag is known already. */
export function compileFlagFor(definition: FlagDefinition, participation: Participation, links: Links): LinkedFlag {
  return {
    ...linkFlag(toFlagProgram(definition, participation), links),
    explain: (trace) => linkFlag(toFlagProgram(definition, participation, true), toExplaining(links, trace)).run,
  };
}

/** Compiles an experiment definition for `assign`. Never throws: what is not understood assigns nobody. */
export function compileExperiment(definition: ExperimentDefinition, environment: Environment = {}): LinkedExperiment {
  const participation = toParticipation(definition, environment.holdout, environment.group);
  return compileExperimentFor(definition, participation, toLinks(environment));
}

/** {@link compileExperiment} where the participation is known already. */
export function compileExperimentFor(
  definition: ExperimentDefinition,
  participation: Participation,
  links: Links,
): LinkedExperiment {
  return {
    ...linkExperiment(lowerExperiment(definition, participation).program, links),
    explain: (trace) =>
      linkExperiment(lowerExperiment(definition, participation, true).program, toExplaining(links, trace)).run,
  };
}

/** Compiles one segment for `isMember`; other segments it refers to are looked up when it is asked. Never throws. */
export function compileSegment(definition: SegmentDefinition, environment: Environment = {}): LinkedSegment {
  return compileSegmentFor(definition, EVERYONE, toLinks(environment));
}

/** {@link compileSegment} with its links; nothing keeps users out of a segment. */
export function compileSegmentFor(definition: SegmentDefinition, _: Participation, links: Links): LinkedSegment {
  return {
    ...linkSegment(toSegmentProgram(definition), links),
    explain: (trace, explaining = toExplaining(links, trace)) =>
      linkSegment(toSegmentProgram(definition, true), explaining),
  };
}

/**
 * Whether a context belongs to a segment; `trace` collects the conditions that were checked.
 *
 * @throws DefinitionError where the segment, or one it refers to, is not understood.
 */
export function isMember(
  segment: LinkedSegment,
  context: EvaluationContext,
  { now, trace }: { now?: number; trace?: TraceStep[] } = {},
): boolean {
  const asked = (trace && segment.explain?.(trace)) ?? segment;
  return asked.test(context, now);
}

function toLinks({ flag, segment, now = Date.now }: Environment): Links {
  return { flag: flag ?? (() => undefined), segment: segment ?? (() => undefined), now };
}
