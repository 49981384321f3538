import type { Bandit } from "@assay/contract";
import { normalizeWeights } from "@assay/core";
import type { Analysis } from "../../analysis/analysis.ts";
import { badRequest, invalid, isApiError } from "../../ground/errors.ts";
import { type Runtime, timestampOf } from "../../ground/runtime.ts";
import { runInSlices } from "../../ground/slices.ts";
import type { Caller } from "../../model/caller.ts";
import type { ExperimentRecord, WeightChange } from "../../model/experiment.ts";
import { armsOf, toSubject } from "../../model/experiment-subject.ts";
import { requireVisible } from "../../model/experiment-visibility.ts";
import { weightChanges, weightOf } from "../../model/experiment-weights.ts";
import { type Change, LeaseLost } from "../../storage/change.ts";
import type { Collection } from "../../storage/collection.ts";
import { type Allocation, allocate } from "./allocation.ts";
import { rewardMetric } from "./reward.ts";

/**
 * Weights that follow the results. Every method but the last throws an ApiError 404 for an unknown experiment, and for
 * a DRAFT if the caller may not see drafts.
 */
export interface BanditService {
  get(idOrKey: string, caller: Caller): Promise<Bandit>;
  /** Changes the weights if an update is due, and returns the bandit. */
  update(idOrKey: string, caller: Caller, by: Change): Promise<Bandit>;
  /** @throws ApiError 400 if the weights are FIXED or the experiment is not running, 422 if the weights are invalid */
  setWeights(idOrKey: string, weights: Record<string, number>, caller: Caller, by: Change): Promise<Bandit>;
  /**
   * Updates all running bandits. A failure of one does not stop the others.
   * @throws LeaseLost
   */
  updateAll(by: Change, signal: AbortSignal): Promise<void>;
}

/** The current weights of an experiment and the next ones. */
interface Standing extends Allocation {
  /** Weights of the arms, control first, with the sum 1. */
  weights: number[];
}

const MAX_CHANGES = 1000;
const SUM_TOLERANCE = 1e-6;
const ATTEMPTS = 3;

/** Creates the bandits over experiments and their events. */
export function createBanditService(deps: {
  runtime: Runtime;
  /** With a unique index `key`. */
  experiments: Collection<ExperimentRecord>;
  analysis: Analysis;
}): BanditService {
  const { runtime, experiments, analysis } = deps;

  async function standingOf(record: ExperimentRecord): Promise<Standing> {
    // No metric has an empty name, so without one nothing but the users is summed up.
    const options = { changes: weightChanges(record), metric: rewardMetric(record)?.id ?? "" };
    const periods = await analysis.answer(toSubject(record), record.version, { about: "periods", options });
    const weights = weightsOf(record);
    return { weights, ...(await runInSlices(allocate(record, periods, weights))) };
  }

  /** Returns the record with new weights from now on. */
  function reweighted(
    record: ExperimentRecord,
    weights: Record<string, number>,
    source: WeightChange["source"],
  ): ExperimentRecord {
    const change: WeightChange = { at: timestampOf(runtime.now()), weights, source };
    return { ...record, current_weights: weights, weight_history: [...(record.weight_history ?? []), change] };
  }

  /** Applies the next weights if they are due; they belong to the version they were computed from. */
  async function updateOne(id: string, by: Change): Promise<ExperimentRecord> {
    for (let attempt = 1; ; attempt++) {
      const record = experiments.require(id);
      const standing = await standingOf(record);
      const { next } = standing;
      if (next === null || statusOf(record, standing) !== "READY") return record;
      const weights = Object.fromEntries(armsOf(record).map(({ key }, arm) => [key, next[arm]!]));
      const change = (current: ExperimentRecord) => reweighted(current, weights, "UPDATE");
      try {
        return await experiments.update(id, change, by, { ifVersion: record.version });
      } catch (error) {
        if (!isApiError(error) || error.status !== 412 || attempt === ATTEMPTS) throw error;
        await experiments.refresh(id);
      }
    }
  }

  async function answer(record: ExperimentRecord): Promise<Bandit> {
    return toBandit(record, await standingOf(record));
  }

  return {
    get: async (idOrKey, caller) => answer(requireVisible(experiments, idOrKey, caller)),
    update: async (idOrKey, caller, by) => answer(await updateOne(requireVisible(experiments, idOrKey, caller).id, by)),
    async setWeights(idOrKey, given, caller, by) {
      const { id } = requireVisible(experiments, idOrKey, caller);
      const record = await experiments.update(
        id,
        (current) => {
          requireAdjustable(current);
          return reweighted(current, toWeights(current, given), "MANUAL");
        },
        by,
      );
      return answer(record);
    },
    async updateAll(by, signal) {
      for (const { id, key, status, allocation } of experiments.all()) {
        if (signal.aborted) return;
        if (status !== "ACTIVE" || allocation === "FIXED") continue;
        try {
          await updateOne(id, by);
        } catch (error) {
          if (error instanceof LeaseLost) throw error;
          runtime.logger.warn("A bandit could not be updated", { experiment: key, error: String(error) });
        }
      }
    },
  };
}

/** The weights in force as fractions, control first. */
function weightsOf(record: ExperimentRecord): number[] {
  const arms = armsOf(record);
  return arms.length === 0 ? [] : normalizeWeights(arms.map((variant) => weightOf(record, variant)));
}

function requireAdjustable({ allocation, status, weight_history = [] }: ExperimentRecord): void {
  if (allocation === "FIXED") throw badRequest("The weights of an experiment with FIXED allocation cannot change");
  if (status !== "ACTIVE" && status !== "PAUSED") {
    throw badRequest(`Weights can change only while an experiment is ACTIVE or PAUSED; this one is ${status}`);
  }
  if (weight_history.length >= MAX_CHANGES) {
    throw badRequest(`The weights have changed ${MAX_CHANGES} times; complete this experiment and start another`);
  }
}

/**
 * Converts weights by variant id or key to weights by key, for each variant.
 * @throws ApiError 422
 */
function toWeights({ variants }: ExperimentRecord, given: Record<string, number>): Record<string, number> {
  const refuse = (msg: string, ...path: string[]) => invalid(["body", "weights", ...path], msg);
  const weights: Record<string, number> = {};
  for (const [name, weight] of Object.entries(given)) {
    const variant = variants.find(({ id, key }) => key === name || id === name);
    if (!variant) throw refuse(`The experiment has no variant "${name}"`, name);
    if (Object.hasOwn(weights, variant.key)) throw refuse(`Variant "${variant.key}" appears twice`, name);
    weights[variant.key] = weight;
  }
  const missing = variants.filter(({ key }) => !Object.hasOwn(weights, key)).map(({ key }) => key);
  if (missing.length > 0) throw refuse(`Weights are missing for ${missing.join(", ")}`);
  const sum = Object.values(weights).reduce((total, weight) => total + weight, 0);
  if (Math.abs(sum - 1) > SUM_TOLERANCE) throw refuse(`Weights must sum to 1, not to ${Number(sum.toPrecision(12))}`);
  return weights;
}

function statusOf(record: ExperimentRecord, { reason }: Allocation): Bandit["status"] {
  if (!rewardMetric(record)) return "NO_METRIC";
  if (reason === "ONE_ARM") return "ONE_ARM";
  if (record.status !== "ACTIVE") return "NOT_RUNNING";
  if (reason === "INSUFFICIENT_DATA") return "INSUFFICIENT_DATA";
  if (record.allocation === "FIXED") return "FIXED";
  return reason ?? "READY";
}

function toBandit(record: ExperimentRecord, standing: Standing): Bandit {
  const { rewards, probabilities, next, weights, minWeight } = standing;
  const arms = armsOf(record);
  const metric = rewardMetric(record);
  const applied = record.allocation !== "FIXED";
  const shown = applied ? weights : (next ?? weights);
  const numbers = new Map(arms.map(({ key }, arm) => [key, arm]));
  return {
    experiment_id: record.id,
    algorithm: record.allocation,
    applied,
    metric: metric?.name ?? null,
    metric_id: metric?.id ?? null,
    weights: record.variants.map(({ id, key }) => {
      const arm = numbers.get(key)!;
      const { successes = null, trials = 0, mean = null } = rewards[arm] ?? {};
      return {
        variant_id: id,
        variant_key: key,
        weight: shown[arm]!,
        next_weight: next?.[arm] ?? null,
        successes,
        trials,
        mean,
      };
    }),
    probability_best: probabilities && Object.fromEntries(arms.map(({ key }, arm) => [key, probabilities.best[arm]!])),
    total_trials: rewards.reduce((sum, { trials }) => sum + trials, 0),
    expected_regret:
      probabilities && shown.reduce((sum, weight, arm) => sum + weight * probabilities.expectedLoss[arm]!, 0),
    min_weight: minWeight,
    last_updated: record.weight_history?.at(-1)?.at ?? null,
    status: statusOf(record, standing),
  };
}
