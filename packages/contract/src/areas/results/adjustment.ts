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

/**
 * How a row was adjusted by attributes and earlier behaviour of its users. Present if the experiment has a
 * `variance_reduction`.
 */
export const Adjustment = z
  .object({
    method: z.enum(ADJUSTMENT_METHODS),
    covariates: z.array(z.string()).meta({
      description: "Ids of the metrics whose value before the exposure is a covariate, and names of attributes",
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
        "OK and COMMON_SLOPES: the row is adjusted. COMMON_SLOPES uses one slope for both arms, because an " +
        "arm has fewer than 20 users (or clusters) per coefficient, or fewer than 20 with a covariate other than 0. With " +
        "any other status the row is not adjusted. NO_COVARIATE_VARIES: no " +
        "covariate differs between users. TOO_FEW_CONVERSIONS: the smaller arm expects too few conversions " +
        "or non-conversions to compare means. INSUFFICIENT_DATA: there are too few users or clusters. NOT_APPLICABLE: " +
        "the metric is a quantile. NOT_AVAILABLE: the data comes from a warehouse, " +
        "or a breakdown has more than 10,000 combinations of segment, metric and arm",
    }),
  })
  .meta({ id: "Adjustment" });
export type Adjustment = z.infer<typeof Adjustment>;
