import type { SegmentDefinition } from "../format/definition.ts";
import { isAbsent, refuse, toMessage, toStrings } from "../format/definition-error.ts";
import type { Predicate, SegmentProgram } from "../format/program.ts";
import { toPredicate } from "./condition.ts";
import { toMembers } from "./members.ts";
import type { Describe, Lowered, Scope } from "./scope.ts";

/** Lowers one segment. Never throws: evaluating an invalid segment fails. */
export function lowerSegment(definition: SegmentDefinition, describe?: Describe): Lowered<SegmentProgram> {
  const scope: Scope = { references: [], describe };
  const { id, name } = Object(definition) as SegmentDefinition;
  const lowered = { references: scope.references, requires: [] };
  try {
    return { ...lowered, program: { id, name, when: toUsersOrWhen(definition, scope) }, error: null };
  } catch (cause) {
    const error = `Segment ${JSON.stringify(id)}: ${toMessage(cause)}`;
    return { ...lowered, program: { id, name, when: ["refuse", error] }, error };
  }
}

/**
 * Lowers membership of any of some segments: stored ones by id or name, or named by the context's own `user_segments`.
 *
 * @throws DefinitionError if `names` is neither a name nor a list of names
 */
export function toMembership(names: unknown, scope: Scope): Predicate {
  const wanted = toStrings(typeof names === "string" ? [names] : names);
  if (wanted.length === 0) refuse("Expected the id or name of a segment");
  scope.references.push(...wanted);
  return ["segment", wanted];
}

function toUsersOrWhen({ user_ids, user_ids_hashed, when }: SegmentDefinition, scope: Scope): Predicate {
  const users = toMembers(user_ids, user_ids_hashed);
  const matches = isAbsent(when) ? null : toPredicate(when, scope);
  return ["any", [users, matches].filter((part) => part !== null)];
}
