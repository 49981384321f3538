import { type Condition as CoreCondition, OPERATORS } from "@assay/core";
import * as z from "zod";
import { Json, Name, strict, TimestampInput, UserId, upper } from "./fields.ts";

const VALUES = 10_000;
const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

export const TimeRules = strict({
  start_date: TimestampInput.optional(),
  end_date: TimestampInput.optional(),
  timezone: z.string().optional(),
  day_of_week: z.array(z.enum(DAYS)).optional(),
  hour_of_day: strict({ start: z.int().min(0).max(23), end: z.int().min(0).max(24) }).optional(),
}).meta({ id: "TimeRules" });

/** The specification's targeting blocks; blocks combine with AND, inside a list any value matches. */
export const TargetingRules = strict({
  countries: z.array(z.string()).max(VALUES).optional(),
  browsers: z.array(z.string()).max(VALUES).optional(),
  user_segments: z.array(z.string()).max(VALUES).optional(),
  user_attributes: z.record(z.string(), z.array(z.union([z.string(), z.number(), z.boolean()])).max(VALUES)).optional(),
  time_rules: TimeRules.optional(),
  rollout_percentage: z.number().min(0).max(100).optional(),
  sticky_assignment: z.boolean().optional(),
  excluded_users: z.array(UserId).max(VALUES).optional(),
  included_users: z.array(UserId).max(VALUES).optional(),
}).meta({ id: "TargetingRules" });
export type TargetingRules = z.infer<typeof TargetingRules>;

/** A tree of `all`, `any`, `not` over `{attribute, operator, value}`. */
export const Condition: z.ZodType<CoreCondition> = z
  .union([
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
        return z.union([Condition, z.array(Condition)]);
      },
    }),
    strict({
      attribute: z.string().min(1).max(255).optional(),
      operator: upper(OPERATORS),
      value: Json.optional(),
    }),
  ])
  .meta({ id: "Condition" });

export const Serve = z.union([
  strict({ variant: z.string() }),
  strict({
    rollout_percentage: z.number().min(0).max(100),
    variants: z.array(strict({ key: z.string(), weight: z.number().min(0) })).optional(),
  }),
]);

export const Rule = strict({ id: Name.max(100), when: Condition, serve: Serve }).meta({ id: "Rule" });
export type Rule = z.infer<typeof Rule>;

export const Prerequisite = strict({
  flag_key: z.string().min(1),
  variant: z.string().optional(),
  value: Json.optional(),
}).meta({ id: "Prerequisite" });
