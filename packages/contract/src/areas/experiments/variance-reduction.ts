import * as z from "zod";
import { Name, strict, upper } from "../../shared/fields.ts";

export const VARIANCE_REDUCTION_METHODS = ["NONE", "CUPED", "REGRESSION"] as const;

/** The maximum number of covariates, and of attributes. */
const MAX_COVARIATES = 5;
const MAX_ATTRIBUTES = 3;
const DEFAULT_LOOKBACK_DAYS = 14;
/** The maximum number of days before a user's first exposure in which events count. */
const MAX_LOOKBACK_DAYS = 90;

const METHOD = {
  description:
    "CUPED adjusts each metric by the same metric of the same users before their first exposure, with " +
    "one slope for both arms. REGRESSION also adjusts by `covariates` and `attributes`, with a slope per " +
    "arm (Lin's interacted estimator)",
};
const COVARIATES = {
  description: "Ids of metrics of the experiment. Their values before the exposure are covariates of every metric",
};
const ATTRIBUTES = {
  description:
    "Attributes of the users' first exposures to post-stratify by. Each has at most 20 strata: its 19 " +
    "largest groups and the rest",
};

/** The variance reduction of an experiment, as requests send it. */
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

/** The variance reduction of an experiment, as stored. */
export const VarianceReduction = z
  .object({
    method: z.enum(VARIANCE_REDUCTION_METHODS).meta(METHOD),
    lookback_days: z.int(),
    covariates: z.array(z.string()).optional().meta(COVARIATES),
    attributes: z.array(z.string()).optional().meta(ATTRIBUTES),
  })
  .meta({ id: "VarianceReduction" });
export type VarianceReduction = z.infer<typeof VarianceReduction>;
