import * as z from "zod";
import { Timestamp } from "../../shared/fields.ts";

export const DELIVERY_STATUSES = ["RECEIVED", "PROCESSED", "IGNORED", "PENDING", "DELIVERED", "FAILED"] as const;

export const IntegrationDelivery = z
  .object({
    id: z.string(),
    direction: z.enum(["INBOUND", "OUTBOUND"]),
    event: z.string().meta({ description: "What came, or what was sent" }),
    subject: z.string().nullable().meta({ description: "Issue, campaign or pull request" }),
    experiment_id: z.string().nullable(),
    experiment_key: z.string().nullable(),
    action: z.string().nullable().meta({ description: "What was done to the experiment" }),
    status: z.enum(DELIVERY_STATUSES),
    reason: z.string().nullable(),
    verified: z.boolean().nullable().meta({ description: "Whether a secret of the webhook was checked" }),
    delivery_id: z.string().nullable().meta({ description: "As the other system calls it" }),
    repeats: z.int().meta({ description: "How often the other system sent it again" }),
    attempts: z.int(),
    next_attempt_at: Timestamp.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "IntegrationDelivery" });
export type IntegrationDelivery = z.output<typeof IntegrationDelivery>;
