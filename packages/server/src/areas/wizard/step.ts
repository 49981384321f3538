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
import type { ApiError } from "../../errors.ts";
import { check } from "../../http/validate.ts";

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

const verdicts = new WeakMap<Data, readonly StepError[]>();

/** What is wrong with each step by itself; a draft's data is replaced, never changed, so that it is found once. */
export function stepErrors(data: Data): readonly StepError[] {
  const known = verdicts.get(data);
  if (known) return known;
  const errors = WIZARD_STEPS.flatMap((step) => {
    const { issues = [] } = check(SCHEMAS.get(step)!, data, []);
    return issues.map((issue) => ({ step, ...issue }));
  });
  verdicts.set(data, errors);
  return errors;
}

/** The type of an error that says which right is missing. */
export const FORBIDDEN = "forbidden";

/** The refusal of a whole body, at the steps it is about. */
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

/** The fields that belong to an experiment's body, as they were sent. */
export function bodyOf(data: Data): Data {
  const fields = Object.entries(data).filter(
    ([name, value]) => Object.hasOwn(ExperimentCreate.shape, name) && value !== null,
  );
  return Object.fromEntries(fields);
}
