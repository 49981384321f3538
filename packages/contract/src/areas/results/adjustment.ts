import * as z from "zod";

export const ADJUSTMENT_METHODS = ["CUPED", "REGRESSION"] as const;
export const ADJUSTMENT_STATUSES = [
  "OK",
  "COMMON_SLOPES",
  "NO_COVARIATE_VARIES",
  "TOO_FEW_CONVERSIONS",
  "INSUFFICIENT_DATA",
  "NOT_APPLICABLE",
  "NOT_AVAILABLE",
] as const;

/** How a row was adjusted by what users were and did before their exposure; rows of experiments that say so have it. */
export const Adjustment = z
  .object({
    method: z.enum(ADJUSTMENT_METHODS),
    covariates: z.array(z.string()).meta({
      description: "Ids of the metrics whose value before the exposure counts, and names of attributes",
    }),
    adjusted_control_mean: z.number().nullable(),
    adjusted_treatment_mean: z.number().nullable(),
    unadjusted_difference: z.number().nullable(),
    unadjusted_standard_error: z.number().nullable(),
    variance_reduction_pct: z.number().nullable().meta({
      description: "100 (1 - (adjusted / unadjusted standard error)^2); null if the row is not adjusted",
    }),
    status: z.enum(ADJUSTMENT_STATUSES).meta({
      description:
        "OK, and COMMON_SLOPES: the row is adjusted, with one slope for both arms where an arm has fewer than 20 users for " +
        "each slope and its mean, or who do not have 0 of a covariate. Otherwise the row is not adjusted. NO_COVARIATE_VARIES: no covariate differs between users. " +
        "TOO_FEW_CONVERSIONS: the smaller arm can expect too few conversions or non-conversions for means to be compared. " +
        "INSUFFICIENT_DATA: too few users. NOT_APPLICABLE: quantiles. NOT_AVAILABLE: the data came from a warehouse, users were drawn in clusters, or a breakdown has more than 10,000 segments x metrics x arms",
    }),
  })
  .meta({ id: "Adjustment" });
export type Adjustment = z.infer<typeof Adjustment>;
