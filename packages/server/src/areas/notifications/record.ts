import type { NotificationPreferences } from "@assay/contract";
import { defineSealed } from "../../secrets/rotation.ts";
import type { CollectionOptions, Document } from "../../storage/collection.ts";

/** Settings stored encrypted and returned as a mask. */
export const SEALED_FIELDS = ["slack_webhook_url", "webhook_secret"] as const;
export type SealedField = (typeof SEALED_FIELDS)[number];

export type SealedSettings = Record<`${SealedField}_sealed`, string | null>;

/** The stored preferences of one user. Its id is the id of the user. */
export interface PreferencesRecord
  extends Document,
    SealedSettings,
    Omit<NotificationPreferences, "user_id" | "updated_at" | SealedField> {}

/** Maps each encrypted setting of a record. */
export function mapSealed(toSealed: (field: SealedField) => string | null): SealedSettings {
  return Object.fromEntries(SEALED_FIELDS.map((field) => [`${field}_sealed`, toSealed(field)])) as SealedSettings;
}

/** Returns the encryption context of a secret. */
export function contextOf(userId: string, field: SealedField): string {
  return `notifications ${userId} ${field}`;
}

export const preferencesCollection: CollectionOptions<PreferencesRecord> = {
  name: "notification-preferences",
  resource: "notification_preferences",
  title: ({ id }) => id,
  secret: [...SEALED_FIELDS.map((field) => `${field}_sealed` as const), "webhook_url"],
};

export const sealedPreferences = defineSealed(preferencesCollection, (record, reseal) => {
  const again = (field: SealedField) => {
    const sealed = record[`${field}_sealed`] ?? null;
    return sealed === null ? null : reseal(sealed, contextOf(record.id, field));
  };
  return { ...record, ...mapSealed(again) };
});
