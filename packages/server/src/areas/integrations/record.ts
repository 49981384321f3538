import type { Integration, SecretConfigField } from "@assay/contract";
import { defineSealed } from "../../secrets/rotation.ts";
import type { CollectionOptions, Document } from "../../storage/collection.ts";

/** An integration as stored: what is secret in its config is apart, sealed. */
export interface IntegrationRecord extends Document, Omit<Integration, keyof Document> {
  /** Sealed texts by field; empty ones were erased with the deactivation. */
  secrets: Partial<Record<SecretConfigField, string>>;
  /** When each secret was set; the audit trail shows that one changed, and nothing of it. */
  secrets_set_at: Partial<Record<SecretConfigField, string>>;
  /** Id of the person who changed it last, for whom its webhooks act; absent where that is its creator. */
  edited_by?: string;
}

/** What a secret of an integration is sealed for. */
export function contextOf(id: string, field: string): string {
  return `integration ${id} ${field}`;
}

export const integrationCollection: CollectionOptions<IntegrationRecord> = {
  name: "integrations",
  resource: "integration",
  title: (integration) => integration.name,
  secret: ["secrets"],
  unique: {
    active: {
      of: ({ is_active, integration_type, name }) => (is_active ? `${integration_type} ${name}` : null),
      taken: ({ integration_type, name }) => `An active ${integration_type} integration "${name}" already exists`,
    },
  },
};

export const sealedIntegrations = defineSealed(integrationCollection, (integration, reseal) => ({
  ...integration,
  secrets: Object.fromEntries(
    Object.entries(integration.secrets).map(([field, sealed]) => [
      field,
      sealed === "" ? "" : reseal(sealed, contextOf(integration.id, field)),
    ]),
  ),
}));
