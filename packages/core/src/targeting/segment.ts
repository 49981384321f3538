import type { SegmentDefinition } from "../evaluation/definition.ts";
import type { EvaluationContext, TraceStep } from "../evaluation/result.ts";
import { readAttribute } from "./attribute.ts";
import { compileCondition } from "./condition.ts";
import { isAbsent, refuse, toMessage, toStrings } from "./definition-error.ts";
import { toMembers } from "./members.ts";
import { guardReentry } from "./reentry.ts";
import type { Scope, SegmentLookup, Test } from "./scope.ts";

/** A segment ready to be asked, through `isMember`. */
export interface CompiledSegment {
  readonly definition: SegmentDefinition;
  /** Ids or names of the segments that this one refers to. */
  readonly references: readonly string[];
  /** Throws where the definition is not understood, so that a flag over it answers its default. */
  readonly test: Test;
}

/** Compiles one segment; other segments it refers to are looked up when it is asked. Never throws. */
export function compileSegment(
  definition: SegmentDefinition,
  environment: { segment?: SegmentLookup; now?: () => number } = {},
): CompiledSegment {
  const references: string[] = [];
  try {
    return { definition, references, test: compileMembers(definition, { ...environment, references }) };
  } catch (error) {
    const message = `Segment ${JSON.stringify(definition?.id)}: ${toMessage(error)}`;
    return { definition, references, test: () => refuse(message) };
  }
}

/**
 * Whether a context belongs to a segment; `trace` collects the conditions that were checked.
 *
 * @throws DefinitionError where the segment, or one it refers to, is not understood.
 */
export function isMember(
  segment: CompiledSegment,
  context: EvaluationContext,
  options: { now?: number; trace?: TraceStep[] } = {},
): boolean {
  return segment.test(context, options.now, options.trace ?? null);
}

/**
 * Membership of any of some segments: stored ones by id or name, or named by the context's own `user_segments`.
 *
 * @throws DefinitionError where `names` is neither a name nor a list of them.
 */
export function createSegmentTest(names: unknown, scope: Scope): Test {
  const wanted = toStrings(typeof names === "string" ? [names] : names);
  if (wanted.length === 0) refuse("Expected the id or name of a segment");
  scope.references.push(...wanted);
  const { segment } = scope;
  return (context, now, trace) => {
    const claimed = readAttribute(context, "user_segments");
    return wanted.some(
      (name) =>
        (Array.isArray(claimed) ? claimed.includes(name) : claimed === name) || segment?.(name)?.(context, now, trace),
    );
  };
}

function compileMembers({ user_ids, user_ids_hashed, when }: SegmentDefinition, scope: Scope): Test {
  const users = toMembers(user_ids, user_ids_hashed);
  const matches = isAbsent(when) ? () => false : guardReentry(compileCondition(when, scope));
  return (context, now, trace) => users?.has(context.targetingKey) || matches(context, now, trace);
}
