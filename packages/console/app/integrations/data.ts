import type { Integration } from "@assay/client";
import { useQuery } from "@tanstack/react-query";
import { SERVER_URL } from "../base.ts";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";

const { integrations: text } = TEXT;

export type IntegrationType = Integration["integration_type"];
export type ConfigField = keyof typeof text.fields;

/** How a field of the config is typed. Secrets are sent and never read. */
interface Kind {
  name: ConfigField;
  kind: "text" | "secret" | "check" | "transitions";
  isRequired?: boolean;
}

const WEBHOOK: Kind[] = [
  { name: "webhook_secret", kind: "secret" },
  { name: "webhook_token", kind: "secret" },
  { name: "allow_unsigned", kind: "check" },
  { name: "transitions", kind: "transitions" },
];

/** The config of each type, in the order of the form. */
export const CONFIGS: Record<IntegrationType, Kind[]> = {
  CODEHOST: [
    { name: "token", kind: "secret", isRequired: true },
    { name: "webhook_secret", kind: "secret", isRequired: true },
    { name: "base_url", kind: "text" },
  ],
  TRACKER: [
    { name: "base_url", kind: "text", isRequired: true },
    { name: "username", kind: "text", isRequired: true },
    { name: "api_token", kind: "secret", isRequired: true },
    ...WEBHOOK,
  ],
  CRM: [
    { name: "instance_url", kind: "text", isRequired: true },
    { name: "client_id", kind: "text", isRequired: true },
    { name: "client_secret", kind: "secret", isRequired: true },
    { name: "access_token", kind: "secret" },
    { name: "token_url", kind: "text" },
    { name: "api_version", kind: "text" },
    { name: "results_field", kind: "text" },
    ...WEBHOOK,
  ],
};

export function useIntegration(id: string) {
  return useQuery({
    queryKey: ["integration", id],
    queryFn: () => api.request("GET /integrations/{id}", { params: { id } }),
  });
}

/** The address to which the other system sends its webhooks. */
export function webhookOf({ id, integration_type }: Pick<Integration, "id" | "integration_type">): string {
  return new URL(`api/v1/integrations/${id}/webhook/${integration_type.toLowerCase()}`, SERVER_URL).href;
}
