import type { NotificationPreferences } from "@assay/contract";
import { defineSealed } from "../../secrets/rotation.ts";
import type { CollectionOptions, Document } from "../../storage/collection.ts";

/** One person's preferences as stored; its id is the user's. What is secret is sealed. */
export interface PreferencesRecord
  extends Document,
    Omit<NotificationPreferences, "user_id" | "updated_at" | "slack_webhook_url" | "webhook_secret"> {
  slack_webhook_url_sealed: string | null;
  webhook_secret_sealed: string | null;
}

export type SealedField = "slack_webhook_url" | "webhook_secret";

/** What a secret of somebody's preferences is sealed for. */
export function contextOf(userId: string, field: SealedField): string {
  return `notifications ${userId} ${field}`;
}

export const preferencesCollection: CollectionOptions<PreferencesRecord> = {
  name: "notification-preferences",
  resource: "notification_preferences",
  title: ({ id }) => id,
  secret: ["slack_webhook_url_sealed", "webhook_secret_sealed", "webhook_url"],
};

export const sealedPreferences = defineSealed(preferencesCollection, (record, reseal) => {
  const again = (sealed: string | null, field: SealedField) =>
    sealed === null ? null : reseal(sealed, contextOf(record.id, field));
  return {
    ...record,
    slack_webhook_url_sealed: again(record.slack_webhook_url_sealed, "slack_webhook_url"),
    webhook_secret_sealed: again(record.webhook_secret_sealed, "webhook_secret"),
  };
});
