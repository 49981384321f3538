import * as z from "zod";
import { JsonObject, Name, page, paging, QueryBoolean, strict, Text, Timestamp, Uuid, upper } from "../fields.ts";
import { defineArea } from "../route.ts";

export const INTEGRATION_TYPES = ["TRACKER", "CRM", "CODEHOST"] as const;
export type IntegrationType = (typeof INTEGRATION_TYPES)[number];
/** What a status of the other system does to the linked experiment. */
export const LIFECYCLE_ACTIONS = ["START", "PAUSE", "COMPLETE", "ARCHIVE"] as const;
export type LifecycleAction = (typeof LIFECYCLE_ACTIONS)[number];
/** What a secret reads as; sent back, it keeps the secret. */
export const SECRET_MASK = "********";
/** Fields of a `config` that are sealed in the store and masked in every answer. */
export const SECRET_CONFIG_FIELDS = [
  "api_token",
  "client_secret",
  "access_token",
  "token",
  "webhook_secret",
  "webhook_token",
] as const;
export type SecretConfigField = (typeof SECRET_CONFIG_FIELDS)[number];
export const DELIVERY_STATUSES = ["RECEIVED", "PROCESSED", "IGNORED", "PENDING", "DELIVERED", "FAILED"] as const;

const ServiceUrl = z
  .string()
  .max(2048)
  .refine(isPlainUrl, "Expected an http or https URL without user name, query and fragment")
  .transform((url) => url.replace(/\/+$/, ""))
  .meta({ format: "uri" });

function isPlainUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password, search, hash } = new URL(text);
  return username === "" && password === "" && search === "" && hash === "";
}

const Secret = z.string().min(1, "Must not be empty").max(4096);
/** What goes into a header as it is. */
const HeaderSecret = Secret.regex(/^[\x21-\x7e]+$/, "Expected visible ASCII characters without spaces");
const Transitions = z
  .record(z.string().min(1).max(255), upper(LIFECYCLE_ACTIONS))
  .refine((table) => Object.keys(table).length <= 100, "At most 100 statuses")
  .meta({ description: "Replaces the built-in table: a status of the other system, and what it does" });
const webhookFields = {
  webhook_secret: Secret.nullish().meta({ description: "Key of `X-Hub-Signature-256` over the body" }),
  webhook_token: HeaderSecret.nullish().meta({ description: "Expected in `X-Assay-Webhook-Token`, or as `?token=`" }),
  allow_unsigned: z.boolean().nullish().meta({
    description: "Lets webhooks change experiments where neither secret is set",
  }),
  transitions: Transitions.nullish(),
};

export const TrackerConfig = strict({
  base_url: ServiceUrl,
  username: z
    .string()
    .min(1, "Must not be empty")
    .max(320)
    .regex(/^[^:\r\n]*$/, "Must not contain a colon or line break"),
  api_token: Secret,
  ...webhookFields,
}).meta({ id: "TrackerConfig" });

export const CrmConfig = strict({
  instance_url: ServiceUrl,
  client_id: z.string().min(1, "Must not be empty").max(1024),
  client_secret: Secret,
  access_token: HeaderSecret.nullish().meta({ description: "Used until it is refused; then one is asked for" }),
  token_url: ServiceUrl.nullish().meta({ description: "Default: `/services/oauth2/token` of the instance" }),
  api_version: z
    .string()
    .regex(/^v\d{1,3}\.\d$/, 'Expected a version such as "v61.0"')
    .nullish(),
  results_field: z
    .string()
    .regex(/^[A-Za-z]\w{0,79}$/, "Expected the API name of a field")
    .nullish()
    .meta({ description: "Campaign field that takes a summary of the results" }),
  ...webhookFields,
}).meta({ id: "CrmConfig" });

export const CodehostConfig = strict({
  token: HeaderSecret,
  webhook_secret: Secret,
  base_url: ServiceUrl.nullish().meta({ description: "Of the API; default https://api.github.com" }),
}).meta({ id: "CodehostConfig" });

/** The shape of `config` by type. */
export const INTEGRATION_CONFIGS = { TRACKER: TrackerConfig, CRM: CrmConfig, CODEHOST: CodehostConfig } as const;

const AnyConfig = z.union([TrackerConfig, CrmConfig, CodehostConfig]);

export const IntegrationCreate = z.object({
  name: Name,
  integration_type: upper(INTEGRATION_TYPES),
  description: Text.default(""),
  config: JsonObject.default({}),
});
export type IntegrationCreate = z.output<typeof IntegrationCreate>;

export const IntegrationUpdate = z
  .object({ name: Name.optional(), description: Text.nullish(), config: JsonObject.optional() })
  .meta({ id: "IntegrationUpdate" });
export type IntegrationUpdate = z.output<typeof IntegrationUpdate>;

const summaryFields = {
  id: z.string(),
  name: z.string(),
  integration_type: z.enum(INTEGRATION_TYPES),
  description: z.string(),
  is_active: z.boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
  created_by: z.string(),
};

export const IntegrationSummary = z.object(summaryFields).meta({ id: "IntegrationSummary" });

export const Integration = z
  .object({
    ...summaryFields,
    config: JsonObject.meta({ description: `Secrets read as ${SECRET_MASK}` }),
    version: z.int(),
  })
  .meta({ id: "Integration" });
export type Integration = z.output<typeof Integration>;

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

export const IntegrationTest = z
  .object({
    success: z.boolean(),
    status: z.int().nullable().meta({ description: "HTTP status of the other side, null where it did not answer" }),
    reason: z.string().nullable(),
    latency_ms: z.number(),
  })
  .meta({ id: "IntegrationTest" });
export type IntegrationTest = z.output<typeof IntegrationTest>;

export const WebhookAnswer = z
  .object({ processed: z.boolean(), duplicate: z.boolean().optional() })
  .meta({ id: "WebhookAnswer" });

/** A webhook's body as it came: its signature is over these bytes. */
const RawBody = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

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
    response: IntegrationSummary,
  },
  "GET /integrations": {
    ...reads,
    operationId: "integrations.list",
    summary: "Integrations, without their config",
    query: z.object({
      type: upper(INTEGRATION_TYPES).optional(),
      is_active: QueryBoolean.optional(),
      ...paging(200, 50),
    }),
    response: z.array(IntegrationSummary),
  },
  "GET /integrations/{id}": {
    ...reads,
    operationId: "integrations.get",
    summary: "An integration with its config, secrets masked",
    params,
    response: Integration,
  },
  "PUT /integrations/{id}": {
    ...changes,
    operationId: "integrations.update",
    summary: "Change an integration: config is merged by key, a masked secret keeps its value",
    body: IntegrationUpdate,
    response: Integration,
  },
  "DELETE /integrations/{id}": {
    ...changes,
    operationId: "integrations.deactivate",
    summary: "Deactivate an integration: its secrets are erased, the record stays",
    status: 204,
  },
  "GET /integrations/{id}/deliveries": {
    ...reads,
    operationId: "integrations.deliveries",
    summary: "What came in and went out, newest first; the last 1,000 are kept",
    params,
    query: z.object(paging(500, 100)),
    response: page(IntegrationDelivery),
  },
  "POST /integrations/{id}/test": {
    operationId: "integrations.test",
    summary: "Call the other system with the stored credentials",
    auth: { user: "DEVELOPER" },
    limit: "api",
    params,
    response: IntegrationTest,
  },
  "POST /integrations/{id}/webhook/tracker": {
    ...webhook,
    ...byToken,
    operationId: "integrations.trackerWebhook",
    summary: "An event of the issue tracker",
    documentedBody: TrackerEvent,
  },
  "POST /integrations/{id}/webhook/crm": {
    ...webhook,
    ...byToken,
    operationId: "integrations.crmWebhook",
    summary: "An event of the CRM",
    documentedBody: CrmEvent,
  },
  "POST /integrations/{id}/webhook/codehost": {
    ...webhook,
    auth: "signature",
    operationId: "integrations.codehostWebhook",
    summary: "An event of the code host, signed",
    documentedBody: CodehostEvent,
  },
});
