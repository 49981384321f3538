import type { FeatureFlag } from "@assay/contract";
import type { Authored, CollectionOptions, Document } from "../storage/collection.ts";

/** Fields not stored with a flag, because they change without a write. */
type FlagUsageField = "last_evaluated_at" | "stale" | "stale_reasons";

/** A feature flag as stored. */
export interface FlagRecord extends Omit<FeatureFlag, "variants" | FlagUsageField>, Document, Authored {
  variants: (FeatureFlag["variants"][number] & { weight: number })[];
  /** Rollout percentages over time, in order. The last one applies now. */
  rollout_history?: { percentage: number; at: string }[];
  /** Number of safety rollbacks. A schedule that knows of fewer must stop. */
  rollbacks?: number;
}

export const flagCollection: CollectionOptions<FlagRecord> = {
  name: "feature-flags",
  resource: "feature_flag",
  title: (flag) => flag.key,
  secret: ["rollout_history", "rollbacks", "changed_by"],
  keepsAuthor: true,
  unique: {
    key: { of: (flag) => flag.key, taken: (flag) => `A feature flag with key "${flag.key}" already exists` },
  },
};
