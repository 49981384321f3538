import type { FeatureFlag } from "@assay/contract";
import type { CollectionOptions, Document } from "../../storage/collection.ts";

/** A feature flag as it is stored. */
export interface FlagRecord extends Omit<FeatureFlag, "variants">, Document {
  variants: (FeatureFlag["variants"][number] & { weight: number })[];
}

export const flagCollection: CollectionOptions<FlagRecord> = {
  name: "feature-flags",
  resource: "feature_flag",
  title: (flag) => flag.key,
  unique: {
    key: { of: (flag) => flag.key, taken: (flag) => `A feature flag with key "${flag.key}" already exists` },
  },
};
