import { isDeepStrictEqual } from "node:util";
import type { FeatureFlag, FeatureFlagCreate, FeatureFlagSummary, FeatureFlagUpdate } from "@assay/contract";
import type { Engine, EvaluationContext } from "@assay/core";
import { findPrerequisiteCycle, validateFlag } from "@assay/core/server";
import { type AskOptions, createFlagEvaluator, type FlagEvaluator } from "../../definitions/evaluator.ts";
import type { FlagUsage } from "../../definitions/flag-usage.ts";
import { requireSound } from "../../definitions/problems.ts";
import type { Snapshot } from "../../definitions/snapshot.ts";
import { conflict, invalid, notFound } from "../../ground/errors.ts";
import { type Runtime, timestampOf } from "../../ground/runtime.ts";
import type { ActorNames } from "../../identity/actor-names.ts";
import { type Rights, unchanged } from "../../identity/rights.ts";
import { type Caller, personOf } from "../../model/caller.ts";
import { toFlagDefinition } from "../../model/definition.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { isVisible } from "../../model/experiment-visibility.ts";
import type { FlagRecord } from "../../model/feature-flag.ts";
import { withRolloutHistory } from "../../model/flag-rollout.ts";
import type { Change } from "../../storage/change.ts";
import type { Collection, Companion } from "../../storage/collection.ts";
import { findByIdOrKey } from "../../storage/lookup.ts";
import { toChangeAuthor } from "./author.ts";
import { type FlagFilter, filterFlags } from "./filter.ts";
import { listedVariants, mergeFlag, toNewFlag } from "./flag.ts";
import { type AnsweredEvaluation, shareEvaluations } from "./shared-evaluations.ts";
import { staleReasons } from "./staleness.ts";

export interface FeatureFlagService extends FlagEvaluator {
  /** By id or key. */
  find(idOrKey: string): FlagRecord | undefined;
  /** Evaluates one flag by id or key. @throws ApiError 404 */
  evaluate(idOrKey: string, context: EvaluationContext, caller: Caller, options: AskOptions): AnsweredEvaluation;
  /** By id or key. @throws ApiError 404 */
  require(idOrKey: string): FlagRecord;
  /** A flag as the API returns it: with its last evaluation and staleness. */
  show(flag: FlagRecord): FeatureFlag;
  /** @param caller may not find flags by an experiment that is hidden from them */
  list(filter: FlagFilter, caller?: Caller): FlagRecord[];
  /** A flag as lists show it to this caller: with the author of its last change. */
  summarize(flag: FlagRecord, caller: Caller): FeatureFlagSummary;
  /** @throws ApiError 409 for a taken key, 422 for an invalid definition */
  create(body: FeatureFlagCreate, caller: Caller, by: Change): Promise<FlagRecord>;
  /**
   * A flag as saving it would store it: over a stored flag with this key as an update, otherwise as a new flag. Stores
   * nothing. @throws ApiError 400, 413, 422
   */
  preview(draft: FeatureFlagCreate): FlagRecord;
  /** @throws ApiError 400, 403, 404, 409 while an ACTIVE experiment uses it, 412, 422 */
  update(idOrKey: string, body: FeatureFlagUpdate, by: Change, ifVersion?: number): Promise<FlagRecord>;
  /** @throws ApiError 403, 404, 409 if something depends on it, 412 */
  remove(idOrKey: string, by: Change, ifVersion?: number): Promise<void>;
  /**
   * Serves one variant to all users, in the same write that completes an experiment with a winner. Undefined if there
   * is no such flag.
   */
  serving(key: string, variant: string, by: Change): Companion | undefined;
  /**
   * Changes the rollout of a flag on behalf of a schedule or rollback. `change` returns null if
   * nothing changes. @throws ApiError 403, 404, 409 while an ACTIVE experiment uses it, unless in an emergency
   */
  roll(
    id: string,
    change: (flag: FlagRecord) => Rollout | null,
    by: Change,
    options?: { alongside?: () => Companion },
  ): Promise<FlagRecord>;
  /** @throws ApiError 409 while an ACTIVE experiment locks the rollout of the flag */
  requireRollable(flag: FlagRecord): void;
  /** The version and the metadata of a flag; empty if there is no such flag. */
  aboutOf(key: string): Partial<Pick<FlagRecord, "version" | "metadata">>;
  /** The id of the flag with this key. Empty if there is none. */
  idOf(key: string): string;
}

/** The rollout fields of a flag. */
export type Rollout = Pick<FlagRecord, "rollout_percentage"> & Partial<Pick<FlagRecord, "rules_enabled" | "rollbacks">>;

/** Fields that an ACTIVE experiment locks on its flag. */
const LOCKED = ["rollout_percentage", "targeting_rules", "rules", "rules_enabled", "variants", "bucket_by"] as const;

/** The fields that a flag gets when it is stored. */
const UNSAVED = { id: "", created_at: "", updated_at: "", version: 0 };

export function createFeatureFlagService(deps: {
  flags: Collection<FlagRecord>;
  experiments: Collection<ExperimentRecord>;
  engine: Engine;
  snapshot: Snapshot;
  runtime: Pick<Runtime, "now" | "id" | "metrics">;
  flagUsage: FlagUsage;
  rights: Rights;
  actorNames: ActorNames;
}): FeatureFlagService {
  const { flags, experiments, snapshot, runtime, flagUsage, rights, actorNames } = deps;

  const reasonsOf = (flag: FlagRecord) => staleReasons(flag, runtime.now(), flagUsage.unseenSince(flag));

  const activeExperimentOn = (key: string) =>
    experiments.all().find(({ status, feature_flag_key }) => status === "ACTIVE" && feature_flag_key === key);

  function requireUnlocked(before: FlagRecord, after: FlagRecord): void {
    const changed = LOCKED.filter((field) => !isDeepStrictEqual(before[field], after[field]));
    const experiment = changed.length > 0 ? activeExperimentOn(before.key) : undefined;
    if (experiment) {
      throw conflict(
        `The flag's ${changed.join(", ")} cannot change while experiment "${experiment.key}" is ACTIVE on it`,
      );
    }
  }

  const noted = (after: FlagRecord, before: FlagRecord) =>
    withRolloutHistory(after, before, timestampOf(runtime.now()));

  /** Evaluators do not see deleted or archived flags, so nothing may depend on them. @throws ApiError 409 */
  function requireUnused(key: string): void {
    const dependent = flags
      .all()
      .find(({ status, prerequisites }) => status !== "ARCHIVED" && prerequisites.some((one) => one.flag_key === key));
    if (dependent)
      throw conflict(`Feature flag "${dependent.key}" uses this flag as a prerequisite; change that flag first`);
    const experiment = activeExperimentOn(key);
    if (experiment) throw conflict(`Experiment "${experiment.key}" is ACTIVE on this flag`);
  }

  /** @throws ApiError 413, 422 */
  function requireValid(flag: FlagRecord): void {
    const definition = toFlagDefinition(flag);
    requireSound(validateFlag(definition));
    const missing = snapshot.missingSegment(definition);
    if (missing) throw invalid(["body", ...missing.path], `Segment "${missing.name}" does not exist`);
    flag.prerequisites.forEach(({ flag_key }, index) => {
      if (flag_key !== flag.key && !flags.findBy("key", flag_key)) {
        throw invalid(["body", "prerequisites", index, "flag_key"], `Feature flag "${flag_key}" does not exist`);
      }
    });
    // Without prerequisites there is no cycle.
    const others = flag.prerequisites.length > 0 ? flags.all().filter((other) => other.key !== flag.key) : [];
    const cycle = findPrerequisiteCycle([...others, flag]);
    if (cycle) throw invalid(["body", "prerequisites"], `Prerequisites form a cycle: ${cycle.join(" -> ")}`);
    snapshot.requireRoom(`flag ${flag.id}`, definition);
  }

  const evaluator = createFlagEvaluator(deps);
  const share = shareEvaluations();

  const service: FeatureFlagService = {
    ...evaluator,
    evaluate(idOrKey, context, caller, options) {
      const flag = service.require(idOrKey);
      const result = evaluator.ask(flag.key, context, caller, options);
      if (!result) throw notFound();
      return share(flag, result);
    },
    find: (idOrKey) => findByIdOrKey(flags, idOrKey),
    require(idOrKey) {
      const flag = service.find(idOrKey);
      if (!flag) throw notFound();
      return flag;
    },
    show(flag) {
      const stale_reasons = reasonsOf(flag);
      const last_evaluated_at = flagUsage.lastEvaluated(flag.key);
      const variants = listedVariants(flag);
      return { ...flag, variants, last_evaluated_at, stale: stale_reasons.length > 0, stale_reasons };
    },
    list(filter, caller) {
      const experiment = filter.experiment_id && findByIdOrKey(experiments, filter.experiment_id);
      const bound = experiment && (!caller || isVisible(experiment, caller)) ? experiment.feature_flag_key : null;
      return filterFlags(flags.all(), filter, {
        isStale: (flag) => reasonsOf(flag).length > 0,
        lastEvaluated: ({ key }) => flagUsage.lastEvaluated(key),
        isBound: ({ key }) => key === bound,
      });
    },
    summarize: (flag, caller) => ({
      ...service.show(flag),
      last_changed_at: flag.updated_at,
      last_changed_by: toChangeAuthor(flag, caller, actorNames),
    }),
    async create(body, caller, by) {
      const fields = toNewFlag(body, personOf(caller) ?? "");
      requireValid({ ...fields, ...UNSAVED });
      const at = timestampOf(runtime.now());
      const flag = { ...fields, id: runtime.id(), created_at: at, updated_at: at, version: 0 };
      return flags.insert(withRolloutHistory(flag, null, at), by);
    },
    preview(draft) {
      const stored = flags.findBy("key", draft.key);
      const flag = stored ? mergeFlag(stored, draft) : { ...toNewFlag(draft, ""), ...UNSAVED };
      requireValid(flag);
      return flag;
    },
    async update(idOrKey, body, by, ifVersion) {
      const flag = service.require(idOrKey);
      rights.require(by, "flags", unchanged(flag));
      const change = (current: FlagRecord) => {
        const merged = mergeFlag(current, body);
        requireUnlocked(current, merged);
        if (merged.status === "ARCHIVED" && current.status !== "ARCHIVED") requireUnused(current.key);
        requireValid(merged);
        return noted(merged, current);
      };
      return flags.update(flag.id, change, { ...by, reason: body.reason }, { ifVersion });
    },
    async remove(idOrKey, by, ifVersion) {
      const flag = service.require(idOrKey);
      rights.require(by, "flags", { id: flag.id, before: flag, after: null });
      requireUnused(flag.key);
      await flags.remove(flag.id, by, { ifVersion });
    },
    serving(key, variant, by) {
      const flag = flags.findBy("key", key);
      if (!flag) return undefined;
      const everyone = { targeting_rules: null, rules: [], prerequisites: [] };
      const serve = (current: FlagRecord): FlagRecord =>
        current.variants.length === 0
          ? { ...current, ...everyone, rollout_percentage: variant === "on" ? 100 : 0 }
          : {
              ...current,
              ...everyone,
              rollout_percentage: 100,
              variants: current.variants.map((one) => ({ ...one, weight: one.key === variant ? 1 : 0 })),
            };
      return flags.replacement(flag.id, (current) => noted(serve(current), current), by);
    },
    requireRollable({ key }) {
      const experiment = activeExperimentOn(key);
      if (experiment) throw conflict(`Experiment "${experiment.key}" is ACTIVE on this flag`);
    },
    roll(id, change, by, { alongside } = {}) {
      const rolled = (current: FlagRecord) => {
        const next = { ...current, ...change(current) };
        if (!by.emergency) requireUnlocked(current, next);
        return noted(next, current);
      };
      return flags.update(id, rolled, by, { alongside });
    },
    idOf: (key) => flags.findBy("key", key)?.id ?? "",
    aboutOf: (key) => flags.findBy("key", key) ?? {},
  };
  return service;
}
