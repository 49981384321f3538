import * as z from "zod";
import { page, paging, Timestamp, upper } from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";
import { SECRET_MASK } from "./integrations.ts";
import { Email } from "./users.ts";

/** The events that can trigger a notification. */
export const NOTIFICATION_EVENTS = [
  "EXPERIMENT_STARTED",
  "EXPERIMENT_PAUSED",
  "EXPERIMENT_COMPLETED",
  "EXPERIMENT_ARCHIVED",
  "SAFETY_ROLLBACK",
  "ROLLOUT_ADVANCED",
  "RESULT_SIGNIFICANT",
  "KEY_STALE",
  "PROPOSAL_CREATED",
  "PROPOSAL_APPROVED",
  "PROPOSAL_REJECTED",
] as const;
export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number];

/** The channels of notifications. */
export const NOTIFICATION_CHANNELS = ["EMAIL", "SLACK", "WEBHOOK"] as const;
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number];

export const NOTIFICATION_STATUSES = ["PENDING", "SENT", "FAILED", "CANCELLED"] as const;

const wanted = Object.fromEntries(NOTIFICATION_EVENTS.map((event) => [event, z.boolean()])) as Record<
  NotificationEvent,
  z.ZodBoolean
>;

/** The notification preferences of one user: events and channels. */
export const NotificationPreferences = z
  .object({
    user_id: z.string(),
    email_enabled: z.boolean(),
    email_address: z.string().nullable().meta({ description: "Null: use the e-mail address of the account" }),
    slack_enabled: z.boolean(),
    slack_webhook_url: z
      .string()
      .nullable()
      .meta({ description: `${SECRET_MASK} if one is set` }),
    webhook_enabled: z.boolean(),
    webhook_url: z.string().nullable(),
    webhook_secret: z
      .string()
      .nullable()
      .meta({ description: `${SECRET_MASK} if one is set` }),
    events: z.object(wanted).meta({ description: "Subscribed events; all by default" }),
    updated_at: Timestamp.nullable().meta({ description: "Null if the preferences were never changed" }),
  })
  .meta({ id: "NotificationPreferences" });
export type NotificationPreferences = z.infer<typeof NotificationPreferences>;

const Address = z
  .url({ protocol: /^https?$/i, error: "Expected an http or https address" })
  .max(2048)
  .refine((url) => !/^https?:\/\/[^/?#]*@/i.test(url), "The address must not contain a user name or password");
const Masked = z.literal(SECRET_MASK);

export const NotificationPreferencesUpdate = z
  .object({
    email_enabled: z.boolean().optional(),
    email_address: Email.nullish().meta({ description: "An address other than the account's requires DEVELOPER" }),
    slack_enabled: z.boolean().optional(),
    slack_webhook_url: z
      .union([Masked, Address])
      .nullish()
      .meta({ description: `An incoming webhook of Slack, or of what speaks like it; ${SECRET_MASK} keeps it` }),
    webhook_enabled: z.boolean().optional(),
    webhook_url: Address.nullish(),
    webhook_secret: z
      .union([Masked, z.string().min(16).max(1024)])
      .nullish()
      .meta({ description: `Signs the messages; at least 16 characters; ${SECRET_MASK} keeps it` }),
    events: z.object(wanted).partial().optional().meta({ description: "Absent events keep their value" }),
  })
  .meta({ id: "NotificationPreferencesUpdate" });
export type NotificationPreferencesUpdate = z.infer<typeof NotificationPreferencesUpdate>;

const event = z.enum([...NOTIFICATION_EVENTS, "TEST"]);

/** The delivery of one notification to one user over one channel. */
export const NotificationDelivery = z
  .object({
    id: z.string(),
    user_id: z.string(),
    channel: z.enum(NOTIFICATION_CHANNELS),
    event,
    title: z.string(),
    recipient: z.string().meta({ description: "E-mail address, or host of the webhook" }),
    status: z
      .enum(NOTIFICATION_STATUSES)
      .meta({ description: "CANCELLED: the channel was switched off before it was sent" }),
    attempts: z.int(),
    error: z
      .string()
      .nullable()
      .meta({ description: "Error of the last attempt; never contains an address or a secret" }),
    next_attempt_at: Timestamp.nullable(),
    created_at: Timestamp,
    sent_at: Timestamp.nullable(),
  })
  .meta({ id: "NotificationDelivery" });
export type NotificationDelivery = z.infer<typeof NotificationDelivery>;

export const NotificationTest = z
  .object({
    results: z.array(
      z.object({
        channel: z.enum(NOTIFICATION_CHANNELS),
        status: z.enum(["SENT", "FAILED", "SKIPPED"]).meta({ description: "SKIPPED: the channel is switched off" }),
        recipient: z.string().nullable(),
        error: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: "NotificationTest" });
export type NotificationTest = z.infer<typeof NotificationTest>;

const own = { auth: { user: true }, limit: "api" } as const;
const administers = { auth: { user: "ADMIN" }, limit: "admin" } as const;

export const notifications = defineArea({
  "GET /notifications/preferences": {
    ...own,
    operationId: "notifications.getPreferences",
    summary: "Retrieve the caller's notification preferences: events and channels",
    response: NotificationPreferences,
  },
  "PUT /notifications/preferences": {
    ...own,
    operationId: "notifications.updatePreferences",
    summary: "Update the caller's notification preferences: absent fields keep their value, null clears a field",
    body: NotificationPreferencesUpdate,
    response: NotificationPreferences,
  },
  "GET /notifications/admin/preferences": {
    ...administers,
    operationId: "notifications.listPreferences",
    summary: "List the notification preferences of all users who changed them",
    query: z.object(paging(500, 100)),
    response: page(NotificationPreferences),
  },
  "GET /notifications/delivery-log": {
    ...administers,
    operationId: "notifications.listDeliveries",
    summary: "List sent and failed notifications with their recipients, newest first; kept for 30 days, at most 10,000",
    query: z.object({
      status: upper(NOTIFICATION_STATUSES).optional(),
      channel: upper(NOTIFICATION_CHANNELS).optional(),
      event: upper([...NOTIFICATION_EVENTS, "TEST"]).optional(),
      user_id: z.string().max(255).optional(),
      ...paging(500, 100),
    }),
    response: page(NotificationDelivery).extend({
      total_is_exact: z.boolean().meta({
        description:
          "Whether `total` is exact. The server counts at most 1,000 matches after the page, so false means " +
          "that there are more",
      }),
    }),
  },
  "POST /notifications/test": {
    auth: { user: "DEVELOPER" },
    limit: "api",
    operationId: "notifications.test",
    summary: "Send a test notification to the caller's channels and report the outcome of each",
    response: NotificationTest,
  },
});
