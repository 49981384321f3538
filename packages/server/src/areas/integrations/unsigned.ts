import type { IntegrationCreated } from "@assay/contract";
import type { IntegrationRecord } from "./record.ts";

/** What an integration without a webhook secret needs. */
export const SET_SECRET = "set webhook_secret or webhook_token";

/** Returns the warnings about a new integration; without the field if there are none. */
export function warningsOf({
  integration_type,
  config,
  secrets,
}: IntegrationRecord): Pick<IntegrationCreated, "warnings"> {
  if (integration_type === "CODEHOST" || secrets.webhook_secret || secrets.webhook_token) return {};
  const msg =
    config.allow_unsigned === true
      ? `Everyone who knows the address of the webhook can change experiments; ${SET_SECRET}`
      : `Webhooks of this integration change nothing; ${SET_SECRET}, or allow_unsigned`;
  return { warnings: [{ code: "UNSIGNED_WEBHOOKS", msg }] };
}
