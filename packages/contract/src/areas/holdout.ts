import * as z from "zod";
import { Name, page, paging, Text, Timestamp, UserId, Uuid, upper } from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";
import { METRIC_KINDS } from "./experiments.ts";
import { Interval } from "./results/fields.ts";
import { MetricResult, SampleRatioMismatch } from "./results.ts";

export const HOLDOUT_STATUSES = ["DRAFT", "ACTIVE", "ENDED"] as const;

const holdoutFields = {
  id: z.string(),
  name: z.string(),
  description: z.string(),
  percentage: z.number().meta({ description: "Percentage of all users held out, above 0 and up to 50" }),
  status: z.enum(HOLDOUT_STATUSES),
  started_at: Timestamp.nullable(),
  ended_at: Timestamp.nullable(),
  created_by: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: z.int(),
};

export const Holdout = z.object(holdoutFields).meta({ id: "Holdout" });
export type Holdout = z.infer<typeof Holdout>;

/** The combined effect of all experiments: users who may take part compared with held-out users. */
export const HoldoutEffect = z
  .object({
    population: z.enum(["ASKED_OR_SEEN", "EVENT"]).meta({
      description:
        "Which users count: those who requested an arm or sent any event, or those who sent an event of " +
        "`event_type`",
    }),
    event_type: z.string().nullable(),
    sample_size: z.object({ held_out: z.int(), not_held_out: z.int() }),
    srm: SampleRatioMismatch,
    metrics: z.array(MetricResult).meta({
      description: "The control is the held-out users; the treatment `not_held_out` is all other users",
    }),
    analysis_warnings: z.array(z.string()).meta({
      description:
        "SAMPLE_RATIO_MISMATCH: the group sizes differ from the configured percentage. EVENTS_REMOVED: " +
        "events of the holdout were removed because of their age. EVENTS_DAMAGED: events of the holdout are " +
        "lost because their record failed its checksum",
    }),
    computed_at: Timestamp,
  })
  .meta({ id: "HoldoutEffect" });
export type HoldoutEffect = z.infer<typeof HoldoutEffect>;

/** The lifts of shipped experiments on one metric, added up. */
const ProgrammeEffect = z.object({
  event_type: z.string(),
  kind: z.enum(METRIC_KINDS),
  shipped: z.int().meta({ description: "Lifts of PRIMARY metrics with this event type and kind, of what was shipped" }),
  observed_lift: z.number().meta({ description: "Their sum, as the experiments measured them" }),
  corrected_lift: z.number().nullable().meta({
    description:
      "Their sum, drawn towards the lifts of all completed experiments with this kind of metric; null for fewer than 6",
  }),
  corrected_interval: Interval.nullable().meta({ description: "At 95 %" }),
  expected_false: z.number().nullable().meta({ description: "How many of them do nothing or harm, in expectation" }),
  holdout_lift: z.number().nullable().meta({
    description: "What the holdout measures on this event type and kind; null where it does not",
  }),
  holdout_interval: Interval.nullable(),
});

/** Everything that was shipped while the holdout was active. */
export const HoldoutProgramme = z
  .object({
    shipped: z.int().meta({ description: "Experiments that were completed with a winner other than control" }),
    assessed: z.int().meta({
      description: "Of these, with a lift of a PRIMARY metric whose kind at least 21 completed experiments have",
    }),
    expected_false: z.number().nullable().meta({
      description:
        "How many of those assessed do nothing or harm, in expectation, by their first PRIMARY metric with a lift",
    }),
    false_discovery_rate: z.number().nullable().meta({ description: "expected_false over assessed" }),
    effects: z.array(ProgrammeEffect),
  })
  .meta({ id: "HoldoutProgramme" });
export type HoldoutProgramme = z.infer<typeof HoldoutProgramme>;

export const HoldoutReport = z
  .object({
    ...holdoutFields,
    effect: HoldoutEffect.nullable().meta({ description: "Combined effect of the experiments; null for a DRAFT" }),
    programme: HoldoutProgramme.optional().meta({ description: "Absent while it is a DRAFT" }),
  })
  .meta({ id: "HoldoutReport" });
export type HoldoutReport = z.infer<typeof HoldoutReport>;

const inputFields = {
  name: Name,
  description: Text.nullish(),
  percentage: z.number().gt(0).max(50),
  status: upper(HOLDOUT_STATUSES).optional(),
};

export const HoldoutCreate = z.object(inputFields).meta({ id: "HoldoutCreate" });
export type HoldoutCreate = z.infer<typeof HoldoutCreate>;

export const HoldoutUpdate = z.object(inputFields).partial().meta({ id: "HoldoutUpdate" });
export type HoldoutUpdate = z.infer<typeof HoldoutUpdate>;

export const HoldoutCheck = z
  .object({
    user_id: z.string(),
    in_holdout: z.boolean(),
    holdout_id: z.string().nullable().meta({ description: "Id of the active holdout, or null" }),
    bucket: z.number().nullable().meta({ description: "The user's bucket in the holdout, in [0, 1)" }),
  })
  .meta({ id: "HoldoutCheck" });

const byId = z.object({ id: Uuid });
const reads = { auth: { user: true }, limit: "api" } as const;
const administers = { auth: { user: "ADMIN" }, limit: "admin" } as const;

export const holdout = defineArea({
  "GET /holdout": {
    ...reads,
    operationId: "holdout.active",
    summary: "Retrieve the active holdout, or null",
    response: Holdout.nullable(),
  },
  "GET /holdout/all": {
    ...administers,
    operationId: "holdout.list",
    summary: "List holdouts in order of creation",
    query: z.object(paging(500, 100)),
    response: page(Holdout),
  },
  "POST /holdout": {
    ...administers,
    operationId: "holdout.create",
    summary:
      "Create a holdout, which keeps a share of all users out of every experiment; it is ACTIVE unless created as a DRAFT",
    body: HoldoutCreate,
    status: 201,
    response: Holdout,
  },
  "PUT /holdout/{id}": {
    ...administers,
    operationId: "holdout.update",
    summary: "Rename, start (ACTIVE) or end (ENDED) a holdout",
    params: byId,
    body: HoldoutUpdate,
    response: Holdout,
  },
  "GET /holdout/{id}": {
    ...reads,
    operationId: "holdout.get",
    summary: "Retrieve a holdout with the combined effect of the experiments",
    params: byId,
    query: z.object({
      event_type: z.string().min(1).max(255).optional().meta({
        description: "Counts only users who sent this event, from their first one on",
      }),
    }),
    response: HoldoutReport,
  },
  "GET /holdout/check/{uid}": {
    operationId: "holdout.check",
    summary: "Check whether a user is held out",
    auth: { user: true, key: "read" },
    limit: "api",
    params: z.object({ uid: UserId }),
    response: HoldoutCheck,
  },
});
