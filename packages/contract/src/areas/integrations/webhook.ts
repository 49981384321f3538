import * as z from "zod";

export const WebhookAnswer = z
  .object({ processed: z.boolean(), duplicate: z.boolean().optional() })
  .meta({ id: "WebhookAnswer" });

export const TrackerEvent = z
  .looseObject({
    webhookEvent: z.string().optional(),
    issue: z.looseObject({
      id: z.union([z.string(), z.number()]).optional(),
      key: z.string(),
      fields: z
        .looseObject({ summary: z.string().nullish(), status: z.looseObject({ name: z.string() }).nullish() })
        .optional(),
    }),
    changelog: z
      .looseObject({
        items: z.array(
          z.looseObject({ field: z.string(), fromString: z.string().nullish(), toString: z.string().nullish() }),
        ),
      })
      .optional(),
  })
  .meta({ id: "TrackerEvent" });

export const CrmEvent = z
  .looseObject({
    event_type: z.string().optional(),
    campaign_id: z.string().optional(),
    campaign_name: z.string().nullish(),
    status: z.string().optional(),
    experiment_key: z.string().optional(),
  })
  .meta({ id: "CrmEvent" });

export const CodehostEvent = z
  .looseObject({
    action: z.string().optional(),
    number: z.int().optional(),
    pull_request: z
      .looseObject({ title: z.string().nullish(), html_url: z.string().nullish(), merged: z.boolean().nullish() })
      .optional(),
    repository: z.looseObject({ full_name: z.string() }).optional(),
  })
  .meta({ id: "CodehostEvent" });
