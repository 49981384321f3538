import type { FlagSafetyUpdate, Rollback, SafetySettings } from "@assay/contract";
import type { CollectionOptions, Document } from "../../storage/collection.ts";

/** The safety settings of all flags. A single record, {@link SETTINGS_ID}. */
export interface SafetySettingsRecord extends Omit<SafetySettings, "updated_at">, Document {}

/** The safety settings of one flag. Its id is the id of the flag. */
export interface FlagSafetyRecord extends Required<FlagSafetyUpdate>, Document {}

/** A completed rollback. */
export interface RollbackRecord extends Rollback, Document {}

export const SETTINGS_ID = "settings";

export const safetySettingsCollection: CollectionOptions<SafetySettingsRecord> = {
  name: "safety-settings",
  resource: "safety_settings",
  title: () => "settings",
};

export const flagSafetyCollection: CollectionOptions<FlagSafetyRecord> = {
  name: "safety-flags",
  resource: "flag_safety",
  title: ({ id }) => id,
};

export const rollbackCollection: CollectionOptions<RollbackRecord> = {
  name: "safety-rollbacks",
  resource: "safety_rollback",
  title: ({ feature_flag_key }) => feature_flag_key,
};
