import * as z from "zod";
import { ValidationIssue } from "../shared/errors.ts";
import {
  IdOrKey,
  Json,
  JsonObject,
  MAX_METRIC_VALUE,
  QueryBoolean,
  Timestamp,
  TimestampInput,
  UserId,
} from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";

/** The maximum number of events in one request. */
export const MAX_EVENTS = 5000;

export const TrackingEvent = z
  .object({
    event_type: z.string().min(1).max(255),
    user_id: UserId,
    experiment_id: IdOrKey.nullish(),
    variant_id: z.string().min(1).max(255).nullish(),
    feature_flag_key: z.string().min(1).max(255).nullish(),
    value: z.number().min(-MAX_METRIC_VALUE).max(MAX_METRIC_VALUE).nullish().meta({
      description: "Value for sums, means and quantiles, from -1e15 to 1e15. Absolute values below 1e-100 count as 0",
    }),
    event_metadata: JsonObject.nullish(),
    event_id: z
      .string()
      .min(1)
      .max(255)
      .nullish()
      .meta({ description: "Your id of the event; events with the same id count once. UUIDv7 is fastest" }),
    timestamp: TimestampInput.nullish().meta({
      description: "Time of the event, at most 1 hour ahead and 90 days back; default: now",
    }),
  })
  .meta({ id: "TrackingEvent" });
export type TrackingEvent = z.infer<typeof TrackingEvent>;

/**
 * The body of `POST /tracking/events`. Events are validated one by one, so an invalid event does not reject the others;
 * so are the fields of an object with `events`.
 */
export const EventBatch = z.union([z.array(z.unknown()).min(1).max(MAX_EVENTS), z.record(z.string(), z.unknown())]);

/** The documented form of {@link EventBatch}: one event, an array, or an object with `events` and `sent_at`. */
export const EventBatchDocumented = z.union([
  TrackingEvent,
  z.array(TrackingEvent).min(1).max(MAX_EVENTS),
  z.object({ events: z.array(TrackingEvent).min(1).max(MAX_EVENTS), sent_at: TimestampInput.optional() }),
]);

const Warning = z.object({ index: z.int(), code: z.string(), msg: z.string() });

export const TrackAnswer = z
  .object({ event_id: z.string(), duplicate: z.boolean(), warnings: z.array(Warning).optional() })
  .meta({ id: "TrackAnswer" });

export const EventsAnswer = z
  .object({
    accepted: z.int(),
    duplicates: z.int(),
    rejected: z.int(),
    errors: z.array(ValidationIssue.extend({ index: z.int() })),
    warnings: z.array(Warning).optional(),
  })
  .meta({ id: "EventsAnswer" });
export type EventsAnswer = z.infer<typeof EventsAnswer>;

export const Assignment = z
  .object({
    experiment_id: z.string(),
    experiment_key: z.string(),
    variant_id: z.string(),
    variant_key: z.string(),
    assignment_date: Timestamp,
    status: z.string(),
  })
  .meta({ id: "Assignment" });

export const AssignAnswer = z
  .object({
    experiment_id: z.string(),
    experiment_key: z.string(),
    user_id: z.string(),
    variant_id: z.string(),
    variant_key: z.string(),
    configuration: Json,
    assigned: z.boolean(),
    reason: z.string(),
    assignment_date: Timestamp.nullable(),
  })
  .meta({ id: "AssignAnswer" });
export type AssignAnswer = z.infer<typeof AssignAnswer>;

export const PersonExport = z
  .object({
    user_id: z.string(),
    aliases: z.array(z.string()),
    assignments: z.array(Assignment).meta({ description: "Stored assignments; only in the first part" }),
    events: z.array(JsonObject).meta({ description: "Events in order of receipt, oldest first" }),
    next: z.string().nullable().meta({ description: "Value of `after` for the next part; null in the last part" }),
  })
  .meta({ id: "PersonExport" });

const byUser = z.object({ user_id: UserId });

/** A place outside assignments and events that contains an id of a person. */
export const PersonTrace = z
  .object({
    resource_type: z
      .string()
      .meta({ description: "As in the audit trail, or `export_file`, `kept_answer`, `audit_entry`" }),
    resource_id: z.string().nullable().meta({ description: "For an export file, the run that wrote it" }),
    resource_name: z.string().nullable(),
    advice: z.string().meta({ description: "What was done, or what to do" }),
  })
  .meta({ id: "PersonTrace" });
export type PersonTrace = z.infer<typeof PersonTrace>;

export const PersonErasure = z
  .object({
    erased_events: z.int(),
    erased_assignments: z.int(),
    removed_from: z
      .array(PersonTrace)
      .meta({ description: "The segments from whose `user_ids` the person was removed" }),
    remaining: z
      .array(PersonTrace)
      .meta({ description: "What still contains an id of the person, or may; at most 1,000 entries" }),
    remaining_total: z.int().meta({ description: "The number of all such places" }),
  })
  .meta({ id: "PersonErasure" });

export const tracking = defineArea({
  "GET /tracking/assignments/{user_id}": {
    operationId: "tracking.assignments",
    summary: "List the stored assignments of a user",
    auth: { key: "read" },
    limit: "api",
    params: byUser,
    query: z.object({ active_only: QueryBoolean.default(true) }),
    response: z.array(Assignment),
  },
  "POST /tracking/assign": {
    operationId: "tracking.assign",
    summary: "Assign a user to a variant of an experiment; a stored assignment does not change",
    auth: { key: "write" },
    limit: "api",
    query: z.object({ peek: QueryBoolean.default(false) }),
    body: z
      .object({
        experiment_key: IdOrKey.optional(),
        experiment_id: IdOrKey.optional(),
        user_id: UserId,
        attributes: JsonObject.optional(),
      })
      .refine((body) => body.experiment_key !== undefined || body.experiment_id !== undefined, {
        message: "experiment_key or experiment_id is required",
        path: ["experiment_key"],
      }),
    response: AssignAnswer,
  },
  "POST /tracking/identify": {
    operationId: "tracking.identify",
    summary: "Link an anonymous id to a user id for analysis; the first exposure counts",
    auth: { key: "write" },
    limit: "api",
    body: z.object({ anonymous_id: UserId, user_id: UserId }),
    response: z.object({ anonymous_id: z.string(), user_id: z.string() }),
  },
  "GET /tracking/users/{user_id}": {
    operationId: "tracking.exportUser",
    summary:
      "Export all stored data of one person, in parts of less than 10 MB; the `Link` header leads to the next part",
    auth: { user: "ADMIN" },
    limit: "admin",
    params: byUser,
    query: z.object({
      after: z
        .string()
        .regex(/^\d{1,15}\.\d{1,15}\.\d{1,15}$/, "Expected `next` of the previous part")
        .optional()
        .meta({ description: "`next` of the previous part" }),
    }),
    response: PersonExport,
  },
  "DELETE /tracking/users/{user_id}": {
    operationId: "tracking.eraseUser",
    summary: "Erase the assignments and events of one person, and list what is left; results are computed again",
    auth: { user: "ADMIN" },
    limit: "admin",
    params: byUser,
    status: 202,
    response: PersonErasure,
  },
  "POST /tracking/track": {
    operationId: "tracking.track",
    summary: "Record one event; a 201 means that it is stored durably",
    auth: { key: "write" },
    limit: "api",
    client: true,
    body: TrackingEvent,
    status: 201,
    response: TrackAnswer,
  },
  "POST /tracking/events": {
    operationId: "tracking.events",
    summary: "Record up to 5,000 events; a 201 means that the accepted events are stored durably",
    description:
      "The body is at most 1 MB, as JSON or as NDJSON (`application/x-ndjson`) with one event a line, and may be compressed with `Content-Encoding: gzip`; 1 MB is its size after decompression.",
    auth: { key: "write" },
    limit: "api",
    client: true,
    body: EventBatch,
    documentedBody: EventBatchDocumented,
    bulk: true,
    status: 201,
    response: EventsAnswer,
  },
});
