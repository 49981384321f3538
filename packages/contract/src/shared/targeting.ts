import { type Condition as CoreCondition, LIMITS, OPERATORS } from "@assay/core";
import * as z from "zod";
import { choice, hasKey, oneOrMore } from "./choice.ts";
import { Json, Name, strict, TimestampInput, UserId, upper } from "./fields.ts";

const VALUES = LIMITS.listValues;
const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

export const TimeRules = strict({
  start_date: TimestampInput.optional(),
  end_date: TimestampInput.optional(),
  timezone: z.string().max(64).optional(),
  day_of_week: z.array(z.enum(DAYS)).max(100).optional(),
  hour_of_day: strict({ start: z.int().min(0).max(23), end: z.int().min(0).max(24) }).optional(),
}).meta({ id: "TimeRules" });

const Scalar = choice([z.string(), z.number(), z.boolean()], {
  pick: (value) => (typeof value === "number" ? 1 : typeof value === "boolean" ? 2 : 0),
});

/** The targeting blocks of the specification. All blocks must match; within a list any value may match. */
export const TargetingRules = strict({
  countries: z.array(z.string()).max(VALUES).optional(),
  browsers: z.array(z.string()).max(VALUES).optional(),
  user_segments: z.array(z.string()).max(VALUES).optional(),
  user_attributes: z.record(z.string(), z.array(Scalar).max(VALUES)).optional(),
  time_rules: TimeRules.optional(),
  rollout_percentage: z.number().min(0).max(100).optional(),
  sticky_assignment: z.boolean().optional(),
  excluded_users: z.array(UserId).max(VALUES).optional(),
  included_users: z.array(UserId).max(VALUES).optional(),
}).meta({ id: "TargetingRules" });
export type TargetingRules = z.infer<typeof TargetingRules>;

const BRANCHES = ["all", "any", "not"] as const;

/** A tree of `all`, `any`, `not` over `{attribute, operator, value}`. The schema checks its size before its shape. */
export const Condition: z.ZodType<CoreCondition> = choice(
  [
    strict({
      get all() {
        return z.array(Condition);
      },
    }),
    strict({
      get any() {
        return z.array(Condition);
      },
    }),
    strict({
      get not() {
        return oneOrMore(Condition, z.array(Condition));
      },
    }),
    strict({
      attribute: z.string().min(1).max(255).optional(),
      operator: upper(OPERATORS),
      value: Json.optional(),
      case_insensitive: z.boolean().optional(),
    }),
  ],
  {
    pick(value) {
      const branch = BRANCHES.findIndex((key) => hasKey(value, key));
      return branch < 0 ? BRANCHES.length : branch;
    },
    refuse: (value) => (isWithin(LIMITS.conditions, value) ? null : `At most ${LIMITS.conditions} conditions`),
  },
).meta({ id: "Condition" });

/** Returns whether a tree has at most this many conditions. Stops counting at the limit. */
function isWithin(most: number, tree: unknown): boolean {
  const waiting = [tree];
  for (let count = 0; waiting.length > 0; count++) {
    if (count + waiting.length > most) return false;
    const condition = waiting.pop();
    const branch = BRANCHES.find((key) => hasKey(condition, key));
    if (branch === undefined) continue;
    const parts = (condition as Record<typeof branch, unknown>)[branch];
    if (!Array.isArray(parts)) waiting.push(parts);
    else if (parts.length > most) return false;
    else waiting.push(...parts);
  }
  return true;
}

export const Serve = choice(
  [
    strict({ variant: z.string() }),
    strict({
      rollout_percentage: z.number().min(0).max(100),
      variants: z
        .array(strict({ key: z.string(), weight: z.number().min(0) }))
        .max(50)
        .optional(),
    }),
  ],
  { pick: (value) => (hasKey(value, "rollout_percentage") ? 1 : 0) },
);

const RuleId = Name.max(100);
export const Rule = strict({ id: RuleId, when: Condition, serve: Serve }).meta({ id: "Rule" });
export type Rule = z.infer<typeof Rule>;

const RuleInput = strict({ id: RuleId.optional(), when: Condition, serve: Serve }).meta({ id: "RuleInput" });

/** The rules of a body. A rule without an id gets one by its place: `rule-1` for the first. */
export const Rules = z.array(RuleInput).max(50).transform(withIds);

function withIds(rules: readonly z.output<typeof RuleInput>[]): Rule[] {
  const taken = new Set(rules.map(({ id }) => id));
  return rules.map((rule, index) => {
    let id = rule.id ?? `rule-${index + 1}`;
    for (let copy = 2; rule.id === undefined && taken.has(id); copy++) id = `rule-${index + 1}-${copy}`;
    taken.add(id);
    return { ...rule, id };
  });
}

export const Prerequisite = strict({
  flag_key: z.string().min(1),
  variant: z.string().optional(),
  value: Json.optional(),
}).meta({ id: "Prerequisite" });
