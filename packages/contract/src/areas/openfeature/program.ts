import type { Predicate as CorePredicate, Program as CoreProgram } from "@assay/core";
import * as z from "zod";
import { Json } from "../../shared/fields.ts";
import { Prerequisite } from "../../shared/targeting.ts";
import { EXPERIMENT_STATUSES, EXPERIMENT_TYPES } from "../experiments/experiment.ts";
import { REASONS } from "../feature-flags/evaluation.ts";
import { FlagMetadata, VALUE_TYPES } from "../feature-flags/flag.ts";

/** The media type of programs: definitions lowered to the form that pages and edge workers evaluate. */
export const PROGRAM_MEDIA_TYPE = "application/vnd.assay.program+json";

const Scalar = z.union([z.string(), z.number(), z.boolean()]);
const Ordered = z.union([z.number(), z.array(z.union([z.string(), z.number()]))]);
const attribute = z.string();
const caseless = z.boolean();

const described = <T extends z.ZodType>(schema: T, description: string) => schema.meta({ description });

const Pattern = z
  .object({
    source: z.string().meta({ description: "The regular expression as written" }),
    begin: z.int().meta({ description: "Index of the first state" }),
    states: z.array(
      z.union([
        z.string(),
        z.tuple([z.literal("read"), z.int(), z.string()]),
        z.tuple([z.literal("split"), z.int(), z.int()]),
        z.tuple([z.enum(["^", "$", "\\b", "\\B", "accept"]), z.int()]),
      ]),
    ),
  })
  .meta({
    id: "ProgramPattern",
    description:
      "A regular expression and its automaton. The second item of a state is the next state. `read` " +
      "consumes one code point that matches its atom: a character, an escape or a class; a bare atom does " +
      "the same and continues with the previous state. `split` continues with both states. `^`, `$`, `\\b` " +
      "and `\\B` consume nothing, and match where they do in a regular expression. `accept` is the goal",
  });

/** A condition or a part of one: an operation and its operands. */
const Predicate: z.ZodType<CorePredicate> = z
  .union([
    described(z.tuple([z.enum(["all", "any"]), z.array(z.lazy(() => Predicate))]), "All of the parts hold, or any"),
    described(z.tuple([z.literal("not"), z.lazy(() => Predicate)]), "The part does not hold"),
    described(z.tuple([z.literal("exists"), attribute]), "The attribute is present and not null"),
    described(
      z.tuple([z.literal("in"), attribute, z.array(Scalar), caseless]),
      "Attribute, values, caseless: it equals any of the values, in any letter case where `caseless`",
    ),
    described(
      z.tuple([
        z.literal("text"),
        attribute,
        z.enum(["includes", "startsWith", "endsWith"]),
        z.array(z.string()),
        caseless,
      ]),
      "Attribute, how, parts, caseless: its text has any of the parts there",
    ),
    described(
      z.tuple([z.literal("matches"), attribute, z.array(Pattern)]),
      "Attribute, patterns: its text matches any of them",
    ),
    described(
      z.tuple([z.literal("address"), attribute, z.array(z.tuple([z.string(), z.string()]))]),
      "Attribute, ranges: it is an IP address from the first to the last of any range. Ranges are written as the 32 " +
        "hexadecimal digits of IPv6; an IPv4 address `a.b.c.d` counts as `::ffff:a.b.c.d`",
    ),
    described(
      z.tuple([z.literal("one"), attribute, z.lazy(() => Predicate)]),
      "Attribute, predicate: one and the same value of the attribute, which may be a list, passes the predicate on it",
    ),
    described(
      z.tuple([
        z.literal("order"),
        attribute,
        z.enum(["number", "time", "version"]),
        z.array(Ordered),
        z.number(),
        z.boolean(),
      ]),
      "Attribute, order, values, side, or equal: it lies on that side of any of the values (-1 below, 1 above, 0 " +
        "neither), or is equal to one where that counts. Times are milliseconds since the epoch",
    ),
    described(
      z.tuple([z.literal("segment"), z.array(z.string())]),
      "Ids or names: the user is a member of any of the segments",
    ),
    described(z.tuple([z.literal("users"), z.array(z.string())]), "User ids: the user is one of them"),
    described(
      z.tuple([z.literal("users"), z.array(z.string()), z.string(), z.array(z.string())]),
      "User ids, salt, fingerprints: the user is one of them, or has one of the fingerprints with the salt",
    ),
    described(
      z.tuple([
        z.literal("time"),
        z.number().nullable(),
        z.number().nullable(),
        z.string(),
        z.array(z.string()),
        z.number(),
        z.number(),
      ]),
      "From, until, zone, days, start, end: milliseconds since the epoch, start in, end out; the days (none: every day) " +
        "and hours are those of the zone's wall clock",
    ),
    described(
      z.tuple([z.literal("slots"), z.string(), z.array(z.tuple([z.number(), z.number()])), z.boolean()]),
      "Key, slots, outside: the bucket of the user id with the key is in one of the slots, start in, end out; with " +
        "`outside` in none",
    ),
    described(z.tuple([z.literal("nobody")]), "There is no user id to hash"),
    described(z.tuple([z.literal("requires"), z.array(Prerequisite)]), "All of the prerequisites hold"),
    described(
      z.tuple([z.literal("refuse"), z.string()]),
      "Message: the condition is invalid, and all users get the default with PARSE_ERROR",
    ),
  ])
  .meta({
    id: "ProgramPredicate",
    description: "A condition. The first item is its type, the other items are its arguments",
  });

/** The reasons of a result: those of a program without errors, and KEY_MISSING if there is no user id to hash. */
const FLAG_REASONS = [...z.enum(REASONS).exclude(["ERROR"]).options, "KEY_MISSING"] as const;
const EXPERIMENT_REASONS = [
  "ASSIGNED",
  "OVERRIDE",
  "TARGETING",
  "HOLDOUT",
  "EXCLUDED",
  "NOT_RUNNING",
  "ERROR",
  "FLAG",
] as const;

function decisionOf<const R extends readonly string[]>(name: string, reasons: R) {
  const Outcome = z
    .object({
      variant: z.string().optional().meta({ description: "Key of the variant; absent if no variant applies" }),
      reason: z.enum(reasons),
      rule_id: z.string().optional(),
      forced: z.literal(true).optional().meta({ description: "True if the variant was chosen by name, not by hash" }),
    })
    .meta({ id: `${name}Outcome`, description: "The result for a user and its reason" });
  const Draw = z
    .object({
      ends: z.array(z.number()).meta({ description: "Upper ends of the variants' intervals, in [0, 1]" }),
      fills: z
        .array(z.number())
        .meta({ description: "End of the part of each interval that is inside the rollout, in [0, 1]" }),
      outcomes: z
        .array(Outcome)
        .meta({ description: "One outcome for each interval, and one for users outside of the rollout" }),
    })
    .meta({ id: `${name}Draw`, description: "The outcome by bucket of the hashed user id or attribute" });
  const Then = z.union([Draw, Outcome]);
  return z
    .object({
      steps: z
        .array(z.tuple([Predicate, Then]))
        .meta({ description: "Steps in order; the first whose predicate is true decides" }),
      otherwise: Then,
    })
    .meta({ id: `${name}Decision` });
}

const drawn = {
  key: z.string().meta({ description: "Key of the definition; it is part of the hash" }),
  bucket_by: z.string().optional().meta({ description: "Attribute that is hashed instead of the user id" }),
  revision: z.string().meta({
    description: "Changes whenever a result can change, because of this definition or one that it refers to",
  }),
};

/** The schema of core's `Program`. */
export const Program: z.ZodType<CoreProgram> = z
  .object({
    program_version: z.int().meta({ description: "Version of the program format; evaluators reject other versions" }),
    flag_set_id: z
      .string()
      .optional()
      .meta({ description: "Name of the environment; providers report it as `flagSetId`" }),
    flags: z.array(
      z
        .object({
          ...drawn,
          version: z.int().optional(),
          metadata: FlagMetadata.optional(),
          value_type: z.enum(VALUE_TYPES).optional(),
          default_value: Json.meta({
            description: "Null if the flag has no default; the default of the caller then applies",
          }),
          variants: z
            .array(z.object({ key: z.string(), value: Json }))
            .meta({ description: "Key and value of each variant; a boolean flag has `on` and `off`" }),
          control: z.string().meta({ description: "Key of the control in an experiment over the flag" }),
          decision: decisionOf("FlagProgram", FLAG_REASONS),
          error: z.string().optional().meta({
            description: "Why the definition is invalid; all users then get the default with PARSE_ERROR",
          }),
        })
        .meta({ id: "FlagProgram" }),
    ),
    experiments: z.array(
      z
        .object({
          ...drawn,
          id: z.string(),
          status: z.enum(EXPERIMENT_STATUSES),
          experiment_type: z.enum(EXPERIMENT_TYPES),
          variants: z.array(z.object({ key: z.string(), url: z.string().optional() })),
          control: z
            .string()
            .meta({ description: "Key of the control; empty if the experiment uses the control of its flag" }),
          feature_flag_key: z.string().optional(),
          sticky_assignment: z
            .literal(false)
            .optional()
            .meta({ description: "Whether assignments are stored; if false, every request computes the arm again" }),
          decision: decisionOf("ExperimentProgram", EXPERIMENT_REASONS),
        })
        .meta({ id: "ExperimentProgram" }),
    ),
    segments: z.array(
      z
        .object({
          id: z.string(),
          name: z.string(),
          when: Predicate.meta({ description: "The condition of membership" }),
        })
        .meta({ id: "SegmentProgram" }),
    ),
  })
  .meta({ id: "Program" });
