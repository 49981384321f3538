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
import type { ApiError } from "../../ground/errors.ts";
import { check } from "../../http/validate.ts";

export type StepError = WizardValidation["errors"][number];
type Data = WizardDraft["data"];

const SHAPE: Record<string, z.ZodType> = { ...ExperimentCreate.shape, sample_size: SampleSizeInput.nullish() };

/** The schemas of an experiment, by step. */
const SCHEMAS = new Map(
  WIZARD_STEPS.map((step) => [
    step,
    z.object(Object.fromEntries(WIZARD_FIELDS[step].map((field) => [field, SHAPE[field]!]))),
  ]),
);

const STEP_OF = new Map<string, WizardStep>(
  WIZARD_STEPS.flatMap((step) => WIZARD_FIELDS[step].map((field) => [field, step] as const)),
);

const verdicts = new WeakMap<Data, readonly StepError[]>();

/** Returns the errors of each step. The data of a draft is replaced, never mutated, so the result is cached. */
export function stepErrors(data: Data): readonly StepError[] {
  const cached = verdicts.get(data);
  if (cached) return cached;
  const errors = WIZARD_STEPS.flatMap((step) => {
    const { issues = [] } = check(SCHEMAS.get(step)!, data, []);
    return issues.map((issue) => ({ step, ...issue }));
  });
  verdicts.set(data, errors);
  return errors;
}

/** The type of an error about a missing right. */
export const FORBIDDEN = "forbidden";

/** Splits the rejection of a body into the steps it concerns. */
export function toStepErrors({ status, detail }: ApiError): StepError[] {
  if (typeof detail !== "string") return detail.map(placed);
  if (status === 409) return [{ step: "CHOOSE_TYPE", loc: ["key"], msg: detail, type: "value_error" }];
  if (status === 403) return [{ step: "CHOOSE_TYPE", loc: ["feature_flag_key"], msg: detail, type: FORBIDDEN }];
  return [{ step: "REVIEW", loc: ["status"], msg: detail, type: "value_error" }];
}

function placed({ loc, msg, type }: ValidationIssue): StepError {
  const inside = loc[0] === "body" ? loc.slice(1) : loc;
  return { step: STEP_OF.get(String(inside[0])) ?? "REVIEW", loc: inside, msg, type };
}

/** Returns the fields of the experiment body, as sent. */
export function bodyOf(data: Data): Data {
  const fields = Object.entries(data).filter(
    ([name, value]) => Object.hasOwn(ExperimentCreate.shape, name) && value !== null,
  );
  return Object.fromEntries(fields);
}
