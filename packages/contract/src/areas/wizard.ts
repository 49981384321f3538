import * as z from "zod";
import { JsonObject, page, paging, Timestamp, Uuid, upper } from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";
import { SampleSize } from "../shared/sample-size.ts";
import { Experiment, type ExperimentCreate } from "./experiments.ts";

export const WIZARD_STEPS = [
  "CHOOSE_TYPE",
  "HYPOTHESIS",
  "VARIANTS",
  "TARGETING",
  "METRICS",
  "SAMPLE_SIZE",
  "REVIEW",
] as const;
export type WizardStep = (typeof WIZARD_STEPS)[number];

/** The fields of each step: fields of an experiment's body and inputs of its sample size. */
export const WIZARD_FIELDS = {
  CHOOSE_TYPE: ["name", "key", "description", "experiment_type", "feature_flag_key", "bucket_by", "switchback"],
  HYPOTHESIS: ["hypothesis", "tracker_issue_key", "crm_campaign_id", "code_pull_request"],
  VARIANTS: ["variants", "factors", "design", "default_value", "overrides", "split_url_config", "allocation"],
  TARGETING: ["targeting_rules", "rules", "mutual_exclusion_group_id", "start_date", "end_date"],
  METRICS: ["metrics", "alpha", "correction", "variance_reduction", "bayesian_enabled", "bayesian_config"],
  SAMPLE_SIZE: ["sample_size", "planned_sample_size", "group_sequential"],
  REVIEW: ["status"],
} as const satisfies Record<WizardStep, readonly (keyof ExperimentCreate | "sample_size")[]>;

const data = JsonObject.meta({
  description:
    "Fields of an experiment's body and `sample_size` (a SampleSizeInput), at most 256 KB; other keys " +
    "are stored but have no effect",
});

export const WizardDraft = z
  .object({
    id: z.string(),
    owner_id: z.string(),
    step: z.enum(WIZARD_STEPS).meta({ description: "The current step" }),
    data,
    completed_steps: z.array(z.enum(WIZARD_STEPS)).meta({ description: "Saved steps without errors" }),
    sample_size: SampleSize.nullable().meta({
      description: "Result of `data.sample_size` for the variants of the draft",
    }),
    preview: JsonObject.meta({ description: "The body with which submit creates the experiment" }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "WizardDraft" });
export type WizardDraft = z.infer<typeof WizardDraft>;

export const WizardDraftWrite = z
  .object({
    step: upper(WIZARD_STEPS).optional(),
    data: data
      .optional()
      .meta({ description: "Merged into the draft: absent fields keep their value, null removes a field" }),
  })
  .meta({ id: "WizardDraftWrite" });
export type WizardDraftWrite = z.infer<typeof WizardDraftWrite>;

export const WizardValidation = z
  .object({
    valid: z.boolean(),
    errors: z.array(
      z.object({
        step: z.enum(WIZARD_STEPS),
        loc: z.array(z.union([z.string(), z.number()])).meta({ description: "Location inside `data`" }),
        msg: z.string(),
        type: z.string(),
      }),
    ),
  })
  .meta({ id: "WizardValidation" });
export type WizardValidation = z.infer<typeof WizardValidation>;

const own = { auth: { user: true }, limit: "api" } as const;
const byId = z.object({ id: Uuid });

export const wizard = defineArea({
  "POST /wizard/drafts": {
    ...own,
    operationId: "wizard.create",
    summary: "Create a draft of an experiment",
    body: WizardDraftWrite.optional(),
    status: 201,
    response: WizardDraft,
  },
  "GET /wizard/drafts": {
    ...own,
    operationId: "wizard.list",
    summary: "List the caller's drafts, last updated first",
    query: z.object(paging(500, 100)),
    response: page(WizardDraft),
  },
  "GET /wizard/drafts/{id}": {
    ...own,
    operationId: "wizard.get",
    summary: "Retrieve one of the caller's drafts, with the body that submit would send",
    params: byId,
    response: WizardDraft,
  },
  "PUT /wizard/drafts/{id}": {
    ...own,
    operationId: "wizard.update",
    summary: "Save a step of a draft; invalid values are kept, and validate reports them",
    params: byId,
    body: WizardDraftWrite.optional(),
    response: WizardDraft,
  },
  "DELETE /wizard/drafts/{id}": {
    ...own,
    operationId: "wizard.delete",
    summary: "Discard a draft",
    params: byId,
    status: 204,
  },
  "POST /wizard/drafts/{id}/validate": {
    ...own,
    operationId: "wizard.validate",
    summary: "Validate a draft: the errors that submit would return, by step",
    params: byId,
    response: WizardValidation,
  },
  "POST /wizard/drafts/{id}/submit": {
    auth: { user: "DEVELOPER" },
    limit: "api",
    operationId: "wizard.submit",
    summary: "Create the experiment in `preview` and delete the draft",
    params: byId,
    status: 201,
    response: z.object({ experiment_id: z.string(), experiment: Experiment }),
  },
});
