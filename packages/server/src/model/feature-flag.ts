import type { FeatureFlag } from "@assay/contract";
import type { CollectionOptions, Document } from "../storage/collection.ts";

/** What is not stored with a flag, because it changes by itself. */
type FlagSighting = "last_evaluated_at" | "stale" | "stale_reasons";

/** A feature flag as it is stored. */
export interface FlagRecord extends Omit<FeatureFlag, "variants" | FlagSighting>, Document {
  variants: (FeatureFlag["variants"][number] & { weight: number })[];
  /** From when on it was given to which share of users, in order; the last one is the current. */
  rollout_history?: { percentage: number; at: string }[];
  /** How often it was rolled back for safety: a schedule that knows of fewer must not go on. */
  rollbacks?: number;
}

export const flagCollection: CollectionOptions<FlagRecord> = {
  name: "feature-flags",
  resource: "feature_flag",
  title: (flag) => flag.key,
  secret: ["rollout_history", "rollbacks"],
  unique: {
    key: { of: (flag) => flag.key, taken: (flag) => `A feature flag with key "${flag.key}" already exists` },
  },
};
