import * as z from "zod";
import { Timestamp } from "../../shared/fields.ts";

export const DELIVERY_STATUSES = ["RECEIVED", "PROCESSED", "IGNORED", "PENDING", "DELIVERED", "FAILED"] as const;

export const IntegrationDelivery = z
  .object({
    id: z.string(),
    direction: z.enum(["INBOUND", "OUTBOUND"]),
    event: z.string().meta({ description: "Type of the incoming or outgoing message" }),
    subject: z.string().nullable().meta({ description: "Key or id of the issue, campaign or pull request" }),
    experiment_id: z.string().nullable(),
    experiment_key: z.string().nullable(),
    action: z.string().nullable().meta({ description: "Effect on the experiment" }),
    status: z.enum(DELIVERY_STATUSES),
    reason: z.string().nullable(),
    verified: z.boolean().nullable().meta({ description: "Whether the signature or token of the webhook was checked" }),
    delivery_id: z.string().nullable().meta({ description: "Id of the delivery in the other system" }),
    repeats: z.int().meta({ description: "Number of repeated deliveries of the same message" }),
    attempts: z.int(),
    next_attempt_at: Timestamp.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "IntegrationDelivery" });
export type IntegrationDelivery = z.output<typeof IntegrationDelivery>;
