import type { SegmentDefinition } from "../evaluation/definition.ts";
import type { EvaluationContext, TraceStep } from "../evaluation/result.ts";
import { readAttribute } from "./attribute.ts";
import { compileCondition } from "./condition.ts";
import { DefinitionError, describeProblem, isAbsent, isRecord, isString, own, type Problem } from "./problem.ts";
import { createScope, never, type Scope, type SegmentLookup, type Test } from "./scope.ts";

/** A segment ready to be asked. */
export interface CompiledSegment {
  readonly definition: SegmentDefinition;
  /** What could not be understood; asking such a segment throws, so that a flag over it answers its default. */
  readonly problems: readonly Problem[];
  /** Ids or names of the segments that this one refers to. */
  readonly references: readonly string[];
  readonly test: Test;
}

/** Compiles one segment; other segments it refers to are looked up when it is asked. */
export function compileSegment(
  definition: SegmentDefinition,
  environment: { segment?: SegmentLookup; now?: () => number } = {},
): CompiledSegment {
  const scope = createScope(environment);
  const { problems, references } = scope;
  const fields: unknown = definition;
  const refused = (): CompiledSegment => ({ definition, problems, references, test: refuse(definition, problems) });
  if (!isRecord(fields)) {
    problems.push({ path: [], message: "Expected a segment" });
    return refused();
  }
  const users = new Set(readMembers(own(fields, "user_ids"), scope));
  const when = own(fields, "when");
  const matches = isAbsent(when) ? never : compileCondition(when, scope, ["when"]);
  if (problems.length > 0) return refused();

  // A segment that is met again while it is being asked (a cycle) does not hold there, so that asking ends.
  let asking = false;
  const test: Test = (context, now, trace) => {
    if (isString(context.targetingKey) && users.has(context.targetingKey)) return true;
    if (asking) return false;
    asking = true;
    try {
      return matches(context, now, trace);
    } finally {
      asking = false;
    }
  };
  return { definition, problems, references, test };
}

/** No limit on the number of members: a segment is where a long list belongs. */
function readMembers(value: unknown, scope: Scope): string[] {
  if (isAbsent(value)) return [];
  if (Array.isArray(value) && value.every(isString)) return value;
  scope.problems.push({ path: ["user_ids"], message: "Expected a list of user ids" });
  return [];
}

function refuse(definition: SegmentDefinition, problems: readonly Problem[]): Test {
  return () => {
    throw new DefinitionError(`Segment ${definition?.id}: ${describeProblem(problems[0]!)}`);
  };
}

/**
 * Whether a context belongs to a segment; `trace` collects the conditions that were checked.
 *
 * @throws DefinitionError where the segment, or one it refers to, could not be understood.
 */
export function isMember(
  segment: CompiledSegment,
  context: EvaluationContext,
  options: { now?: number; trace?: TraceStep[] } = {},
): boolean {
  return segment.test(context, options.now, options.trace ?? null);
}

/** Membership of any of some segments: stored ones by id or name, or named by the context's own `user_segments`. */
export function createSegmentTest(names: readonly string[], scope: Scope): Test {
  const { segment } = scope;
  scope.references.push(...names);
  return (context, now, trace) => {
    const claimed = readAttribute(context, "user_segments");
    for (const name of names) {
      if (claimed === name || (Array.isArray(claimed) && claimed.includes(name))) return true;
      if (segment(name)?.(context, now, trace)) return true;
    }
    return false;
  };
}
