import { note } from "#platform";
import type { TargetingRules } from "../evaluation/definition.ts";
import { isCaseless } from "./attribute.ts";
import { every, passes } from "./condition.ts";
import { checkKeys, isAbsent, toPercentage, toRecord, toScalars, toStrings } from "./definition-error.ts";
import { createMembership } from "./equality.ts";
import { type Members, toMembers } from "./members.ts";
import type { Scope, Test } from "./scope.ts";
import { createSegmentTest } from "./segment.ts";
import { compileTimeRules } from "./time-rule.ts";

/** The targeting blocks of a flag or an experiment, compiled. */
export interface CompiledTargeting {
  /** All blocks together; null where there are none. */
  blocks: Test | null;
  excluded: Members | null;
  included: Members | null;
  /** Percentage. */
  rollout: number;
}

const KEYS = [
  "countries",
  "browsers",
  "user_segments",
  "user_attributes",
  "time_rules",
  "rollout_percentage",
  "sticky_assignment",
  "excluded_users",
  "included_users",
  "excluded_users_hashed",
  "included_users_hashed",
];

/**
 * Compiles the specification's targeting blocks, which combine with AND; an empty list is no block.
 *
 * @throws DefinitionError, or RangeError for a time zone, for what is not understood.
 */
export function compileTargeting(rules: TargetingRules, scope: Scope): CompiledTargeting {
  checkKeys(rules, KEYS);
  const tests: Test[] = [];
  const add = (subject: string, test: Test) => {
    tests.push((context, now, trace) => {
      const matched = test(context, now, trace);
      note(trace, "BLOCK", subject, matched);
      return matched;
    });
  };
  const addAttribute = (subject: string, attribute: string, listed: unknown) => {
    const values = toScalars(listed);
    if (values.length === 0) return;
    const check = createMembership(values, isCaseless(attribute));
    add(subject, (context) => passes(context, attribute, check));
  };
  addAttribute("countries", "country", rules.countries);
  addAttribute("browsers", "browser", rules.browsers);
  for (const [name, values] of Object.entries(toRecord(rules.user_attributes ?? {}))) {
    addAttribute(`user_attributes.${name}`, name, values);
  }
  if (toStrings(rules.user_segments).length > 0) add("user_segments", createSegmentTest(rules.user_segments, scope));
  if (!isAbsent(rules.time_rules)) add("time_rules", compileTimeRules(rules.time_rules, scope));
  return {
    blocks: tests.length > 0 ? every(tests) : null,
    excluded: toMembers(rules.excluded_users, rules.excluded_users_hashed),
    included: toMembers(rules.included_users, rules.included_users_hashed),
    rollout: toPercentage(rules.rollout_percentage),
  };
}
