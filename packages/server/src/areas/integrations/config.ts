import {
  INTEGRATION_CONFIGS,
  type Integration,
  type IntegrationType,
  SECRET_CONFIG_FIELDS,
  SECRET_MASK,
  type SecretConfigField,
} from "@assay/contract";
import type * as z from "zod";
import { ApiError, badRequest, invalid } from "../../ground/errors.ts";
import { check } from "../../http/validate.ts";
import type { IntegrationRecord } from "./record.ts";

type Config = Integration["config"];

/** Fields with addresses that receive our credentials. */
const ADDRESSES = ["base_url", "instance_url", "token_url"];
/** Secrets that the server sends in requests. It only receives webhook secrets. */
const CREDENTIALS: SecretConfigField[] = ["api_token", "client_secret", "access_token", "token"];

/** A valid config, split into public and secret fields. */
export interface SplitConfig {
  shown: Config;
  secrets: Partial<Record<SecretConfigField, string>>;
}

/** @throws ApiError 400 naming missing required fields, 422 for other problems, unknown keys first */
export function toConfig(type: IntegrationType, given: Config): SplitConfig {
  const schema: z.ZodObject = INTEGRATION_CONFIGS[type];
  const result = check(schema, present(given), ["body", "config"]);
  if (!result.issues) return split(result.data as Config);
  const { issues } = result;
  const missing = issues.filter((issue) => issue.type === "missing" && issue.loc.length === 3);
  if (missing.length > 0 && !issues.some((issue) => issue.type === "unknown_key")) {
    throw badRequest(`Missing required config fields: ${missing.map((issue) => issue.loc[2]).join(", ")}`);
  }
  throw new ApiError(422, issues);
}

/**
 * Merges changes into a stored config by key: `null` clears, the mask keeps a secret. If an address changes, its
 * credentials must be given again, because the editor may not know them.
 * @throws ApiError 400, 422
 */
export function mergeConfig(
  current: IntegrationRecord,
  given: Config,
  open: (field: SecretConfigField) => string | null,
): SplitConfig {
  const kept = Object.fromEntries(
    Object.entries(given).filter(([field, value]) => !(isSecretField(field) && value === SECRET_MASK)),
  );
  const stored = Object.fromEntries(
    SECRET_CONFIG_FIELDS.filter((field) => current.secrets[field] && kept[field] === undefined).map((field) => {
      const text = open(field);
      if (text === null)
        throw invalid(["body", "config", field], `Send ${field} again; the key that encrypted it is missing`);
      return [field, text];
    }),
  );
  const merged = toConfig(current.integration_type, { ...current.config, ...stored, ...kept });
  if (ADDRESSES.some((field) => current.config[field] !== merged.shown[field])) {
    const unsaid = CREDENTIALS.find((field) => merged.secrets[field] !== undefined && kept[field] === undefined);
    if (unsaid) throw invalid(["body", "config", unsaid], `Send ${unsaid} again; its destination has changed`);
  }
  return merged;
}

/** Returns the config as the API returns it, with masked secrets. */
export function maskedConfig({ config, secrets }: IntegrationRecord): Config {
  return { ...config, ...Object.fromEntries(Object.keys(secrets).map((field) => [field, SECRET_MASK])) };
}

function split(config: Config): SplitConfig {
  const entries = Object.entries(config);
  return {
    shown: Object.fromEntries(entries.filter(([field]) => !isSecretField(field))),
    secrets: Object.fromEntries(entries.filter(([field]) => isSecretField(field))) as SplitConfig["secrets"],
  };
}

function isSecretField(field: string): field is SecretConfigField {
  return SECRET_CONFIG_FIELDS.some((secret) => secret === field);
}

/** Drops cleared fields and masks. A mask refers to the stored secret and is never a secret itself. */
function present(config: Config): Config {
  return Object.fromEntries(
    Object.entries(config).filter(
      ([field, value]) => value !== null && !(isSecretField(field) && value === SECRET_MASK),
    ),
  );
}
