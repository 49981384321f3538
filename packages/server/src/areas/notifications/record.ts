import type { NotificationPreferences } from "@assay/contract";
import { defineSealed } from "../../secrets/rotation.ts";
import type { CollectionOptions, Document } from "../../storage/collection.ts";

/** The settings that are stored encrypted, and answered as a mask. */
export const SEALED_FIELDS = ["slack_webhook_url", "webhook_secret"] as const;
export type SealedField = (typeof SEALED_FIELDS)[number];

export type SealedSettings = Record<`${SealedField}_sealed`, string | null>;

/** One person's preferences as stored; its id is the user's. */
export interface PreferencesRecord
  extends Document,
    SealedSettings,
    Omit<NotificationPreferences, "user_id" | "updated_at" | SealedField> {}

/** Makes the sealed settings of a record, one by one. */
export function mapSealed(toSealed: (field: SealedField) => string | null): SealedSettings {
  return Object.fromEntries(SEALED_FIELDS.map((field) => [`${field}_sealed`, toSealed(field)])) as SealedSettings;
}

/** What a secret of somebody's preferences is sealed for. */
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
