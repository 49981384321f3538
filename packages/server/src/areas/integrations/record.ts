import type { Integration, SecretConfigField } from "@assay/contract";
import { defineSealed } from "../../secrets/rotation.ts";
import type { CollectionOptions, Document } from "../../storage/collection.ts";

/** An integration as stored, with its secrets encrypted in a separate field. */
export interface IntegrationRecord extends Document, Omit<Integration, keyof Document> {
  /** Encrypted secrets by field. Deactivation empties them. */
  secrets: Partial<Record<SecretConfigField, string>>;
  /** When each secret was set. Lets the audit trail show a change without the secret. */
  secrets_set_at: Partial<Record<SecretConfigField, string>>;
  /** Id of the last editor, on whose behalf its webhooks act. Absent if that is the creator. */
  edited_by?: string;
}

/** Returns the encryption context of a secret. */
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
