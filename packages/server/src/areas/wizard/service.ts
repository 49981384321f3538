import {
  ExperimentCreate,
  WIZARD_STEPS,
  type WizardDraft,
  type WizardDraftWrite,
  type WizardStep,
  type WizardValidation,
} from "@assay/contract";
import { ApiError, conflict, invalid, isApiError, notFound } from "../../ground/errors.ts";
import { mapInSlices } from "../../ground/slices.ts";
import { pageOf } from "../../http/page.ts";
import type { Caller } from "../../model/caller.ts";
import { requireUser } from "../../model/caller.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import type { Change } from "../../storage/change.ts";
import type { Collection } from "../../storage/collection.ts";
import { isResumed } from "../../storage/once.ts";
import type { ExperimentService } from "../experiments/service.ts";
import type { DraftRecord } from "./record.ts";
import { planSampleSize } from "./sample-size.ts";
import { bodyOf, FORBIDDEN, type StepError, stepErrors, toStepErrors } from "./step.ts";

/** Experiments created step by step. Only its owner can access a draft. */
export interface WizardService {
  /** @throws ApiError 409 at too many drafts, 422 if the data is too large */
  create(write: WizardDraftWrite, caller: Caller, by: Change): Promise<WizardDraft>;
  list(
    caller: Caller,
    slice: { skip: number; limit: number },
  ): Promise<{ items: WizardDraft[]; total: number; skip: number; limit: number }>;
  /** @throws ApiError 404 */
  get(id: string, caller: Caller): WizardDraft;
  /** @throws ApiError 404, 412, 422 if the data is too large */
  update(id: string, write: WizardDraftWrite, caller: Caller, by: Change, ifVersion?: number): Promise<WizardDraft>;
  /** @throws ApiError 404 */
  remove(id: string, caller: Caller, by: Change): Promise<void>;
  /** Whether submit would succeed now, and the errors if not. @throws ApiError 404 */
  validate(id: string, caller: Caller): WizardValidation;
  /** Creates the previewed experiment, once. @throws ApiError 403, 404, 422 with the errors of `validate` */
  submit(id: string, caller: Caller, change: (action: string) => Change): Promise<ExperimentRecord>;
}

/** The result of a draft. */
interface Outcome {
  preview: WizardDraft["preview"];
  sampleSize: WizardDraft["sample_size"];
  errors: StepError[];
}

const MAX_BYTES = 256 * 1024;
const MAX_DRAFTS = 100;

export function createWizardService(deps: {
  drafts: Collection<DraftRecord>;
  experiments: Collection<ExperimentRecord>;
  experimentService: Pick<ExperimentService, "create" | "preview">;
}): WizardService {
  const { drafts, experiments, experimentService } = deps;

  function own(id: string, caller: Caller): DraftRecord {
    const draft = drafts.require(id.toLowerCase());
    if (draft.owner_id !== requireUser(caller).userId) throw notFound();
    return draft;
  }

  const inFlight = new Map<string, Promise<ExperimentRecord>>();
  const allOf = (caller: Caller) => drafts.all().filter(({ owner_id }) => owner_id === requireUser(caller).userId);

  /** Returns the experiment that a body would create, or the reasons for its rejection. */
  function previewOf(body: WizardDraft["data"], caller: Caller): ExperimentRecord | StepError[] {
    try {
      return experimentService.preview(ExperimentCreate.parse(body), caller);
    } catch (error) {
      if (isApiError(error)) return toStepErrors(error);
      throw error;
    }
  }

  function outcomeOf({ data }: DraftRecord, caller: Caller): Outcome {
    const body = bodyOf(data);
    const errors = stepErrors(data);
    const result = errors.length === 0 ? previewOf(body, caller) : errors;
    const weights =
      "variants" in result
        ? result.variants.map(({ weight }) => weight)
        : Array.isArray(body.variants)
          ? body.variants.map(() => 1)
          : [];
    const { plan, errors: planErrors } = planSampleSize(data, weights);
    // A sample size set by the owner has precedence over the computed one.
    const preview = plan === null ? body : { planned_sample_size: plan.total, ...body };
    return { preview, sampleSize: plan, errors: [...("variants" in result ? [] : result), ...planErrors] };
  }

  function show(draft: DraftRecord, caller: Caller): WizardDraft {
    const { preview, sampleSize, errors } = outcomeOf(draft, caller);
    const wrong = new Set(errors.map(({ step }) => step));
    const completed_steps = WIZARD_STEPS.filter((step) => draft.sent.includes(step) && !wrong.has(step));
    return { ...draft, completed_steps, sample_size: sampleSize, preview };
  }

  /**
   * Creates the experiment of a draft under the id of the draft, so that interrupted and repeated submits create at
   * most one.
   */
  async function submitted(
    draft: DraftRecord,
    caller: Caller,
    change: (action: string) => Change,
  ): Promise<ExperimentRecord> {
    let experiment = experiments.get(draft.id);
    if (!experiment) {
      const { preview, errors } = outcomeOf(draft, caller);
      if (errors.length > 0) throw toRefusal(errors);
      const body = ExperimentCreate.parse(preview);
      experiment = await experimentService.create(body, caller, change("experiment.create"), draft.id);
    }
    await drafts.remove(draft.id, change("wizard_draft.submit"));
    return experiment;
  }

  return {
    async create(write, caller, by) {
      const { userId } = requireUser(caller);
      if (allOf(caller).length >= MAX_DRAFTS) throw conflict(`You have ${MAX_DRAFTS} drafts; delete one first`);
      const empty = { owner_id: userId, step: WIZARD_STEPS[0], data: {}, sent: [] };
      return show(await drafts.insert(merged(empty, write), by), caller);
    },
    async list(caller, slice) {
      const newestFirst = allOf(caller).sort((a, b) =>
        a.updated_at === b.updated_at ? (a.id < b.id ? 1 : -1) : a.updated_at < b.updated_at ? 1 : -1,
      );
      const { items, ...rest } = pageOf(newestFirst, slice);
      return { items: await mapInSlices(items, (draft) => show(draft, caller)), ...rest };
    },
    get: (id, caller) => show(own(id, caller), caller),
    async update(id, write, caller, by, ifVersion) {
      const draft = own(id, caller);
      return show(await drafts.update(draft.id, (current) => merged(current, write), by, { ifVersion }), caller);
    },
    remove: async (id, caller, by) => drafts.remove(own(id, caller).id, by),
    validate(id, caller) {
      const { errors } = outcomeOf(own(id, caller), caller);
      return { valid: errors.length === 0, errors };
    },
    async submit(id, caller, change) {
      const made = isResumed(experiments.name) ? experiments.get(id.toLowerCase()) : undefined;
      if (made && !drafts.get(made.id)) return made;
      const draft = own(id, caller);
      const running = inFlight.get(draft.id);
      if (running) return running;
      const submission = submitted(draft, caller, change).finally(() => inFlight.delete(draft.id));
      inFlight.set(draft.id, submission);
      return submission;
    },
  };
}

function toRefusal(errors: StepError[]): ApiError {
  const forbidden = errors.find(({ type }) => type === FORBIDDEN);
  if (forbidden) return new ApiError(403, forbidden.msg);
  return new ApiError(
    422,
    errors.map(({ loc, msg, type }) => ({ loc: ["body", ...loc], msg, type })),
  );
}

/** @throws ApiError 422 if the data is too large */
function merged<T extends Pick<DraftRecord, "step" | "data" | "sent">>(draft: T, write: WizardDraftWrite): T {
  const all = Object.entries({ ...draft.data, ...write.data });
  const data = Object.fromEntries(all.filter(([, value]) => value !== null));
  if (Buffer.byteLength(JSON.stringify(data)) > MAX_BYTES) {
    throw invalid(["body", "data"], `A draft has at most ${MAX_BYTES} bytes`, "too_big");
  }
  const sent = new Set<WizardStep>(draft.sent);
  if (write.step) sent.add(write.step);
  return { ...draft, step: write.step ?? draft.step, data, sent: [...sent] };
}
