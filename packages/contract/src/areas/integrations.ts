import * as z from "zod";
import { page, paging, QueryBoolean, Uuid, upper } from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";
import { CodehostConfig, CrmConfig, INTEGRATION_TYPES, TrackerConfig } from "./integrations/config.ts";
import { IntegrationDelivery } from "./integrations/delivery.ts";
import {
  Integration,
  IntegrationCreate,
  IntegrationCreated,
  IntegrationSummary,
  IntegrationTest,
  IntegrationUpdate,
} from "./integrations/integration.ts";
import { CodehostEvent, CrmEvent, TrackerEvent, WebhookAnswer } from "./integrations/webhook.ts";

export * from "./integrations/config.ts";
export * from "./integrations/delivery.ts";
export * from "./integrations/integration.ts";
export * from "./integrations/webhook.ts";

const AnyConfig = z.union([TrackerConfig, CrmConfig, CodehostConfig]);

/** A webhook's unparsed body: its signature is over these bytes. */
const RawBody = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

const params = z.object({ id: Uuid });
const reads = { auth: { user: "ANALYST" }, limit: "api" } as const;
const changes = { auth: { user: "DEVELOPER", orOwner: true }, limit: "api", params } as const;
const webhook = {
  limit: "api",
  params,
  raw: true,
  body: RawBody,
  response: WebhookAnswer,
} as const;
const byToken = { auth: "public", query: z.object({ token: z.string().max(4096).optional() }) } as const;

export const integrations = defineArea({
  "POST /integrations": {
    operationId: "integrations.create",
    summary: "Connect an issue tracker, a CRM or a code host",
    auth: { user: "DEVELOPER" },
    limit: "api",
    body: IntegrationCreate,
    documentedBody: IntegrationCreate.extend({ config: AnyConfig }).meta({ id: "IntegrationCreate" }),
    status: 201,
    response: IntegrationCreated,
  },
  "GET /integrations": {
    ...reads,
    operationId: "integrations.list",
    summary: "List integrations, without their config",
    query: z.object({
      type: upper(INTEGRATION_TYPES).optional(),
      is_active: QueryBoolean.optional(),
      ...paging(200, 50),
      search: z.string().max(255).optional().meta({ description: "Part of a name or description" }),
    }),
    response: z.array(IntegrationSummary),
  },
  "GET /integrations/{id}": {
    ...reads,
    operationId: "integrations.get",
    summary: "Retrieve an integration with its config; secrets are masked",
    params,
    response: Integration,
  },
  "PUT /integrations/{id}": {
    ...changes,
    operationId: "integrations.update",
    summary: "Update an integration: config is merged by key, a masked secret keeps its value",
    body: IntegrationUpdate,
    response: Integration,
  },
  "DELETE /integrations/{id}": {
    ...changes,
    operationId: "integrations.deactivate",
    summary: "Deactivate an integration and erase its secrets; its record stays",
    status: 204,
  },
  "GET /integrations/{id}/deliveries": {
    ...reads,
    operationId: "integrations.deliveries",
    summary: "List the latest 1,000 incoming and outgoing messages of an integration, newest first",
    params,
    query: z.object(paging(500, 100)),
    response: page(IntegrationDelivery),
  },
  "POST /integrations/{id}/test": {
    operationId: "integrations.test",
    summary: "Test an integration: call the other system with the stored credentials",
    auth: { user: "DEVELOPER" },
    limit: "api",
    params,
    response: IntegrationTest,
  },
  "POST /integrations/{id}/webhook/tracker": {
    ...webhook,
    ...byToken,
    operationId: "integrations.trackerWebhook",
    summary: "Receive a webhook of an issue tracker",
    documentedBody: TrackerEvent,
  },
  "POST /integrations/{id}/webhook/crm": {
    ...webhook,
    ...byToken,
    operationId: "integrations.crmWebhook",
    summary: "Receive a webhook of a CRM",
    documentedBody: CrmEvent,
  },
  "POST /integrations/{id}/webhook/codehost": {
    ...webhook,
    auth: "signature",
    operationId: "integrations.codehostWebhook",
    summary: "Receive a signed webhook of a code host",
    documentedBody: CodehostEvent,
  },
});
