import type { TargetingRules } from "../format/definition.ts";
import { checkKeys, isAbsent, toPercentage, toRecord, toScalars, toStrings } from "../format/definition-error.ts";
import type { Predicate } from "../format/program.ts";
import { isCaseless } from "../values/attribute.ts";
import { toMembers } from "./members.ts";
import { noted, type Scope } from "./scope.ts";
import { toMembership } from "./segment.ts";
import { toTimePredicate } from "./time-rule.ts";

/** The lowered targeting blocks of a flag or an experiment. */
export interface Targeting {
  /** All blocks combined; null if there are none. */
  blocks: Predicate | null;
  excluded: Predicate | null;
  included: Predicate | null;
  /** Rollout in percent. */
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
 * Lowers the targeting blocks of the specification, which must all match. An empty list means no block.
 *
 * @throws DefinitionError for an invalid block, RangeError for an invalid time zone
 */
export function toTargeting(rules: TargetingRules, scope: Scope): Targeting {
  checkKeys(rules, KEYS);
  const blocks: Predicate[] = [];
  const add = (subject: string, block: Predicate) => blocks.push(noted(scope, block, "BLOCK", subject));
  const addAttribute = (subject: string, attribute: string, listed: unknown) => {
    const values = toScalars(listed);
    if (values.length > 0) add(subject, ["in", attribute, values, isCaseless(attribute)]);
  };
  addAttribute("countries", "country", rules.countries);
  addAttribute("browsers", "browser", rules.browsers);
  for (const [name, values] of Object.entries(toRecord(rules.user_attributes ?? {}))) {
    addAttribute(`user_attributes.${name}`, name, values);
  }
  if (toStrings(rules.user_segments).length > 0) add("user_segments", toMembership(rules.user_segments, scope));
  if (!isAbsent(rules.time_rules)) add("time_rules", toTimePredicate(rules.time_rules));
  return {
    blocks: blocks.length > 0 ? ["all", blocks] : null,
    excluded: toMembers(rules.excluded_users, rules.excluded_users_hashed),
    included: toMembers(rules.included_users, rules.included_users_hashed),
    rollout: toPercentage(rules.rollout_percentage),
  };
}
