import {
  ExperimentCreate,
  SampleSizeInput,
  type ValidationIssue,
  WIZARD_FIELDS,
  WIZARD_STEPS,
  type WizardDraft,
  type WizardStep,
  type WizardValidation,
} from "@assay/contract";
import * as z from "zod";
import type { ApiError } from "../../http/errors.ts";
import { toIssues } from "../../http/validate.ts";

export type StepError = WizardValidation["errors"][number];
type Data = WizardDraft["data"];

const SHAPE: Record<string, z.ZodType> = { ...ExperimentCreate.shape, sample_size: SampleSizeInput.nullish() };

/** The pieces of an experiment's own schema, by step. */
const SCHEMAS = new Map(
  WIZARD_STEPS.map((step) => [
    step,
    z.object(Object.fromEntries(WIZARD_FIELDS[step].map((field) => [field, SHAPE[field]!]))),
  ]),
);

const STEP_OF = new Map<string, WizardStep>(
  WIZARD_STEPS.flatMap((step) => WIZARD_FIELDS[step].map((field) => [field, step] as const)),
);

/** What is wrong with each step by itself. */
export function stepErrors(data: Data): StepError[] {
  return WIZARD_STEPS.flatMap((step) => {
    const result = SCHEMAS.get(step)!.safeParse(data, { reportInput: true });
    return result.success ? [] : toIssues(result.error, []).map((issue) => ({ step, ...issue }));
  });
}

/** The refusal of a whole body, at the steps it is about. */
export function toStepErrors({ status, detail }: ApiError): StepError[] {
  if (typeof detail !== "string") return detail.map(placed);
  if (status === 409) return [{ step: "CHOOSE_TYPE", loc: ["key"], msg: detail, type: "value_error" }];
  return [{ step: "REVIEW", loc: ["status"], msg: detail, type: "value_error" }];
}

function placed({ loc, msg, type }: ValidationIssue): StepError {
  const inside = loc[0] === "body" ? loc.slice(1) : loc;
  return { step: STEP_OF.get(String(inside[0])) ?? "REVIEW", loc: inside, msg, type };
}

/** The fields that belong to an experiment's body, as they were sent. */
export function bodyOf(data: Data): Data {
  const fields = Object.entries(data).filter(
    ([name, value]) => Object.hasOwn(ExperimentCreate.shape, name) && value !== null,
  );
  return Object.fromEntries(fields);
}
