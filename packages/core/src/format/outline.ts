import type { ExperimentDefinition, FlagDefinition, FlagVariant } from "./definition.ts";

/** The fields that definitions and programs share. They are enough to list flags, experiments and arms. */
export interface Outline {
  flag_set_id?: string;
  flags: (Pick<FlagDefinition, "key" | "version" | "metadata" | "bucket_by" | "value_type" | "default_value"> & {
    variants: Pick<FlagVariant, "key" | "value">[];
  })[];
  experiments: (Pick<ExperimentDefinition, "id" | "key" | "status" | "feature_flag_key" | "bucket_by"> & {
    experiment_type: string;
    variants: { key: string; url?: string }[];
  })[];
}
