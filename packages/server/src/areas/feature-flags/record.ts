import type { FeatureFlag } from "@assay/contract";
import type { Document } from "../../storage/collection.ts";

/** A feature flag as it is stored. */
export interface FlagRecord extends FeatureFlag, Document {}
