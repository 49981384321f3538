import type { FeatureFlagCreate, FlagExplanation, FlagQuestion } from "@assay/contract";
import {
  createEngine,
  type Definitions,
  type Engine,
  type EvaluationContext,
  readAttribute,
  type TraceStep,
} from "@assay/core";
import type { Snapshot } from "../../definitions/snapshot.ts";
import { stepLimit } from "../../definitions/step-limit.ts";
import { contextOf } from "../../definitions/user-context.ts";
import { ApiError, isApiError, notFound } from "../../ground/errors.ts";
import type { Runtime } from "../../ground/runtime.ts";
import { mapInSlices } from "../../ground/slices.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import type { FlagRecord } from "../../model/feature-flag.ts";
import type { Collection } from "../../storage/collection.ts";
import type { FeatureFlagService } from "./service.ts";

/** The maximum length of a value in an answer. */
const MAX_ACTUAL = 500;

/** Explains evaluations without recording them. */
export interface FlagExplanationService {
  /**
   * Explains one flag, or a page of all. `total` is the number of all.
   * @throws ApiError 404 for an unknown or archived flag, 400, 413 or 422 for an invalid draft
   */
  explain(
    question: FlagQuestion,
    page: { skip: number; limit: number },
  ): Promise<{ flags: FlagExplanation[]; total: number }>;
}

/** Creates the service. It asks the engine itself, past the evaluator that counts evaluations. */
export function createFlagExplanationService(deps: {
  featureFlags: Pick<FeatureFlagService, "find" | "preview">;
  experiments: Collection<ExperimentRecord>;
  engine: Engine;
  snapshot: Snapshot;
  runtime: Pick<Runtime, "now">;
}): FlagExplanationService {
  const { featureFlags, experiments, engine, snapshot, runtime } = deps;

  /** Creates an engine in which a flag is saved. With a key, it has only the flags that this flag needs. */
  function engineWith(saved: FlagRecord, key: string | undefined): Engine {
    const definitions = snapshot.definitionsWith(saved);
    const needed = key === undefined ? definitions : { ...definitions, flags: flagsFor(key, definitions) };
    return createEngine(needed, { now: runtime.now, limit: stepLimit });
  }

  return {
    async explain({ user_id, context, flag_key, draft }, { skip, limit }) {
      const saved = draft && previewOf(featureFlags, draft);
      const isDraft = saved !== undefined && flag_key === saved.key;
      const key = isDraft || flag_key === undefined ? flag_key : (featureFlags.find(flag_key)?.key ?? flag_key);
      const asked = saved ? engineWith(saved, key) : engine;
      const { definitions } = asked;
      const listed = definitions.flags.filter((flag) => key === undefined || flag.key === key);
      if (key !== undefined && listed.length === 0) throw notFound();
      const running = new Map(
        definitions.experiments.flatMap((one) => (one.status === "ACTIVE" ? [[one.feature_flag_key, one]] : [])),
      );
      const user = contextOf(user_id, context);
      const explainOne = (flagKey: string): FlagExplanation => {
        const result = asked.evaluate(flagKey, user, null, { trace: true });
        const name = (saved?.key === flagKey ? saved : featureFlags.find(flagKey))?.name ?? flagKey;
        const experiment = running.get(flagKey);
        const assignment = experiment && asked.assign(experiment.key, user_id, context);
        const trace = (result.trace ?? []).map((step) => withActual(step, user));
        const explained = { ...result, key: flagKey, name, trace };
        if (!experiment || !assignment) return explained;
        const { id, key } = experiment;
        const { assigned, reason, variant_key } = assignment;
        const variant = assigned ? variant_key : null;
        const about = { id, key, name: experiments.get(id)?.name ?? key, variant, assigned, reason };
        return { ...explained, experiment: about };
      };
      const flags = await mapInSlices(listed.slice(skip, skip + limit), (flag) => explainOne(flag.key));
      return { flags, total: listed.length };
    },
  };
}

/** @throws ApiError like `preview`; a 422 names fields of the draft */
function previewOf(featureFlags: Pick<FeatureFlagService, "preview">, draft: FeatureFlagCreate): FlagRecord {
  try {
    return featureFlags.preview(draft);
  } catch (error) {
    if (!isApiError(error) || typeof error.detail === "string") throw error;
    const issues = error.detail.map((issue) => ({ ...issue, loc: ["body", "draft", ...issue.loc.slice(1)] }));
    throw new ApiError(error.status, issues);
  }
}

/** Returns a flag with all flags that it requires, directly or through others. */
function flagsFor(key: string, { flags }: Definitions): Definitions["flags"] {
  const byKey = new Map(flags.map((flag) => [flag.key, flag]));
  const needed = new Set([key]);
  // Iterating a set visits members added during the loop.
  for (const one of needed) for (const { flag_key } of byKey.get(one)?.prerequisites ?? []) needed.add(flag_key);
  return flags.filter((flag) => needed.has(flag.key));
}

/** Adds the value that a step read from the context, as bounded JSON. */
function withActual(step: TraceStep, context: EvaluationContext): FlagExplanation["trace"][number] {
  if (step.attribute === undefined) return step;
  const text = JSON.stringify(readAttribute(context, step.attribute) ?? null);
  return { ...step, actual: text.length > MAX_ACTUAL ? `${text.slice(0, MAX_ACTUAL)}…` : text };
}
