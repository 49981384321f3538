import * as z from "zod";
import { Name, strict, upper } from "../../shared/fields.ts";

export const VARIANCE_REDUCTION_METHODS = ["NONE", "CUPED", "REGRESSION"] as const;

/** The most metrics whose earlier values adjust the others, and the most attributes. */
const MAX_COVARIATES = 5;
const MAX_ATTRIBUTES = 3;
const DEFAULT_LOOKBACK_DAYS = 14;
/** How long before a user's first exposure events may count. */
const MAX_LOOKBACK_DAYS = 90;

const METHOD = {
  description:
    "CUPED: each metric by the same users' value of it before their first exposure, with one slope for both arms. " +
    "REGRESSION: also by `covariates` and `attributes`, with slopes per arm (Lin's interacted estimator)",
};
const COVARIATES = {
  description: "Ids of metrics of the experiment whose value before the exposure is a covariate of every metric",
};
const ATTRIBUTES = {
  description:
    "Attributes of users' first exposures to post-stratify by; the 19 largest groups of each, and the rest together",
};

/** How the metrics of an experiment are adjusted by what is known of users before their exposure, as a request says. */
export const VarianceReductionInput = strict({
  method: upper(VARIANCE_REDUCTION_METHODS).meta(METHOD),
  lookback_days: z.int().min(1).max(MAX_LOOKBACK_DAYS).default(DEFAULT_LOOKBACK_DAYS),
  covariates: z.array(z.string().min(1).max(255)).max(MAX_COVARIATES).optional().meta(COVARIATES),
  attributes: z.array(Name).max(MAX_ATTRIBUTES).optional().meta(ATTRIBUTES),
})
  .refine(({ method, covariates = [] }) => method === "REGRESSION" || covariates.length === 0, {
    message: "Only method REGRESSION has covariates",
    path: ["covariates"],
  })
  .refine(({ method, attributes = [] }) => method === "REGRESSION" || attributes.length === 0, {
    message: "Only method REGRESSION has attributes",
    path: ["attributes"],
  })
  .meta({ id: "VarianceReductionInput" });

/** The same as stored. */
export const VarianceReduction = z
  .object({
    method: z.enum(VARIANCE_REDUCTION_METHODS).meta(METHOD),
    lookback_days: z.int(),
    covariates: z.array(z.string()).optional().meta(COVARIATES),
    attributes: z.array(z.string()).optional().meta(ATTRIBUTES),
  })
  .meta({ id: "VarianceReduction" });
export type VarianceReduction = z.infer<typeof VarianceReduction>;
