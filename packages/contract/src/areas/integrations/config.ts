import * as z from "zod";
import { strict, upper } from "../../shared/fields.ts";

export const INTEGRATION_TYPES = ["TRACKER", "CRM", "CODEHOST"] as const;
export type IntegrationType = (typeof INTEGRATION_TYPES)[number];
/** The effects that a status of the other system can have on the linked experiment. */
export const LIFECYCLE_ACTIONS = ["START", "PAUSE", "COMPLETE", "ARCHIVE"] as const;
export type LifecycleAction = (typeof LIFECYCLE_ACTIONS)[number];
/** The text that responses contain instead of a secret. A request that sends it back keeps the secret. */
export const SECRET_MASK = "********";
/** Fields of a `config` that are encrypted in the store and masked in every answer. */
export const SECRET_CONFIG_FIELDS = [
  "api_token",
  "client_secret",
  "access_token",
  "token",
  "webhook_secret",
  "webhook_token",
] as const;
export type SecretConfigField = (typeof SECRET_CONFIG_FIELDS)[number];

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
/** Values that are sent in a header unchanged. */
const HeaderSecret = Secret.regex(/^[\x21-\x7e]+$/, "Expected visible ASCII characters without spaces");
const Transitions = z
  .record(z.string().min(1).max(255), upper(LIFECYCLE_ACTIONS))
  .refine((table) => Object.keys(table).length <= 100, "At most 100 statuses")
  .meta({ description: "Maps statuses of the other system to actions; replaces the built-in table" });
const webhookFields = {
  webhook_secret: Secret.nullish().meta({ description: "Key of the HMAC in `X-Hub-Signature-256` over the body" }),
  webhook_token: HeaderSecret.nullish().meta({
    description: "Token expected in the `X-Assay-Webhook-Token` header or as `?token=`",
  }),
  allow_unsigned: z.boolean().nullish().meta({
    description: "Allows webhooks to change experiments if neither webhook_secret nor webhook_token is set",
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
  access_token: HeaderSecret.nullish().meta({
    description: "OAuth access token, used until the other system rejects it; the server then requests a new one",
  }),
  token_url: ServiceUrl.nullish().meta({
    description: "Address for access tokens; default: `/services/oauth2/token` of the instance",
  }),
  api_version: z
    .string()
    .regex(/^v\d{1,3}\.\d$/, 'Expected a version such as "v61.0"')
    .nullish(),
  results_field: z
    .string()
    .regex(/^[A-Za-z]\w{0,79}$/, "Expected the API name of a field")
    .nullish()
    .meta({ description: "Name of the campaign field for a summary of the results" }),
  ...webhookFields,
}).meta({ id: "CrmConfig" });

export const CodehostConfig = strict({
  token: HeaderSecret,
  webhook_secret: Secret,
  base_url: ServiceUrl.nullish().meta({ description: "Base URL of the API; default https://api.github.com" }),
}).meta({ id: "CodehostConfig" });

/** The shape of `config` by type. */
export const INTEGRATION_CONFIGS = { TRACKER: TrackerConfig, CRM: CrmConfig, CODEHOST: CodehostConfig } as const;
