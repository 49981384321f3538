import { isDeepStrictEqual } from "node:util";
import type { ExperimentCreate, ExperimentUpdate, SplitUrlPreview } from "@assay/contract";
import type { JsonValue } from "@assay/core";
import { validateExperiment } from "@assay/core/server";
import { requireSound } from "../../definitions/problems.ts";
import type { Snapshot } from "../../definitions/snapshot.ts";
import { badRequest, conflict, invalid, isApiError, notFound } from "../../ground/errors.ts";
import { type Runtime, timestampOf } from "../../ground/runtime.ts";
import { type Rights, unchanged } from "../../identity/rights.ts";
import type { JobContext } from "../../jobs/job.ts";
import { type Caller, personOf, seesDrafts } from "../../model/caller.ts";
import { toExperimentDefinition } from "../../model/definition.ts";
import { type ExperimentRecord, keyTaken } from "../../model/experiment.ts";
import { requireVisible } from "../../model/experiment-visibility.ts";
import type { FlagRecord } from "../../model/feature-flag.ts";
import type { Change } from "../../storage/change.ts";
import type { Collection } from "../../storage/collection.ts";
import { onceId } from "../../storage/once.ts";
import type { FeatureFlagService } from "../feature-flags/service.ts";
import { toCopy } from "./copy.ts";
import { type FlagLookup, mergeExperiment, toNewExperiment } from "./experiment.ts";
import { type ExperimentFilter, filterExperiments } from "./filter.ts";
import { type GroupSlots, writeInGroup } from "./membership.ts";
import { dueStatus, withFailedSchedule, withSchedule } from "./schedule.ts";
import { toSplitUrlPreview } from "./split-url.ts";
import { type Status, transition } from "./status.ts";
import { toSlug } from "./variants.ts";

export interface ExperimentService {
  /** By id or key. A DRAFT is hidden from VIEWER. @throws ApiError 404 */
  require(idOrKey: string, caller: Caller): ExperimentRecord;
  list(filter: ExperimentFilter, caller: Caller): ExperimentRecord[];
  /** @throws ApiError 400 if `status` is not DRAFT or ACTIVE or it cannot start, 403, 409 for a taken key, 422 */
  create(body: ExperimentCreate, caller: Caller, by: Change, id?: string): Promise<ExperimentRecord>;
  /** Returns what `create` would store. @throws ApiError like `create` */
  preview(body: ExperimentCreate, caller: Caller): ExperimentRecord;
  /** Merges a body. A changed `status` is a transition. @throws ApiError 400, 403, 404, 409, 412, 422 */
  update(
    idOrKey: string,
    body: ExperimentUpdate,
    caller: Caller,
    by: Change,
    ifVersion?: number,
  ): Promise<ExperimentRecord>;
  /** @throws ApiError 400 naming both states, 403, 404, 412 */
  move(idOrKey: string, status: Status, caller: Caller, by: Change, ifVersion?: number): Promise<ExperimentRecord>;
  /** Completes the experiment. The bound flag serves a winner to all users. @throws ApiError 400, 403, 404, 422 */
  complete(
    idOrKey: string,
    winner: string | undefined,
    caller: Caller,
    by: Change,
    ifVersion?: number,
  ): Promise<ExperimentRecord>;
  /** @throws ApiError 400 unless DRAFT, 403, 404, 412 */
  remove(idOrKey: string, caller: Caller, by: Change, ifVersion?: number): Promise<void>;
  /** Experiments whose start or end date has passed and has had no effect yet. */
  due(): ExperimentRecord[];
  /** Starts or completes a due experiment. If that fails, stores and returns the reason; otherwise returns null. */
  followSchedule(id: string, change: JobContext["change"]): Promise<string | null>;
  /** @throws ApiError 403 if the caller may not change the flag of the experiment, 404, 409 */
  clone(
    idOrKey: string,
    changes: { name?: string | undefined; key?: string | undefined },
    caller: Caller,
    by: Change,
  ): Promise<ExperimentRecord>;
  /**
   * The URL to which a split-URL experiment would send a user if it ran now.
   * @throws ApiError 404, also for other types
   */
  previewSplitUrl(
    idOrKey: string,
    userId: string,
    attributes: Record<string, JsonValue> | undefined,
    caller: Caller,
  ): SplitUrlPreview;
}

export function createExperimentService(deps: {
  runtime: Runtime;
  experiments: Collection<ExperimentRecord>;
  flags: Collection<FlagRecord>;
  featureFlags: FeatureFlagService;
  snapshot: Snapshot;
  slots: GroupSlots;
  rights: Rights;
}): ExperimentService {
  const { runtime, experiments, flags, featureFlags, snapshot, slots, rights } = deps;
  const now = () => timestampOf(runtime.now());

  const findFlag: FlagLookup = (key) => {
    const flag = flags.findBy("key", key);
    if (!flag) throw invalid(["body", "feature_flag_key"], `Feature flag "${key}" does not exist`);
    return flag;
  };

  /** @throws ApiError 413, 422 */
  function requireValid(experiment: ExperimentRecord): ExperimentRecord {
    const definition = toExperimentDefinition(experiment);
    requireSound(validateExperiment(definition));
    const missing = snapshot.missingSegment(definition);
    if (missing) throw invalid(["body", ...missing.path], `Segment "${missing.name}" does not exist`);
    snapshot.requireRoom(`experiment ${experiment.id}`, definition);
    return experiment;
  }

  /** Applies a transition. An experiment that starts copies the current arms of its flag. */
  function moved(experiment: ExperimentRecord, status: Status): ExperimentRecord {
    const definition = toExperimentDefinition(experiment);
    const missing = status === "ACTIVE" ? snapshot.missingSegment(definition) : null;
    if (missing) throw badRequest(`A rule refers to segment "${missing.name}", which does not exist`);
    // A draft takes no room until it starts.
    if (status === "ACTIVE" && experiment.status === "DRAFT") {
      snapshot.requireRoom(`experiment ${experiment.id}`, definition);
    }
    if (status !== "ACTIVE" || !experiment.feature_flag_key) return transition(experiment, status, now());
    const other = experiments
      .all()
      .find(
        (one) =>
          one.id !== experiment.id && one.status === "ACTIVE" && one.feature_flag_key === experiment.feature_flag_key,
      );
    if (other) throw conflict(`Experiment "${other.key}" is already ACTIVE on flag "${experiment.feature_flag_key}"`);
    const current =
      experiment.status === "DRAFT" ? mergeExperiment(experiment, { variants: null }, findFlag) : experiment;
    const noted = experiment.flag_arms ?? [];
    const arms = flags.findBy("key", experiment.feature_flag_key)?.variants.map(({ key, weight }) => ({ key, weight }));
    const isNew = arms !== undefined && arms.length > 0 && !isDeepStrictEqual(noted.at(-1), arms);
    return { ...transition(current, status, now()), ...(isNew && { flag_arms: [...noted, arms] }) };
  }

  /** Returns the slug of a name, with a number appended if it is taken. */
  function freeKey(name: string): string {
    const slug = toSlug(name);
    for (let number = 1; ; number++) {
      const key = number === 1 ? slug : `${slug}-${number}`;
      if (!experiments.findBy("key", key)) return key;
    }
  }

  /** Returns a new experiment ready to insert. @throws ApiError 400, 409, 413, 422 */
  function toRecord(body: ExperimentCreate, caller: Caller, id: string): ExperimentRecord {
    const status = body.status ?? "DRAFT";
    if (status !== "DRAFT" && status !== "ACTIVE") throw badRequest(`An experiment cannot go from DRAFT to ${status}`);
    const key = body.key ?? freeKey(body.name);
    const context = { key, createdBy: personOf(caller) ?? "", now: now(), findFlag };
    const fields = { ...toNewExperiment(body, context), id, created_at: "", updated_at: "", version: 0 };
    const scheduled = withSchedule(requireValid(fields), null, now());
    return status === "ACTIVE" ? moved(scheduled, "ACTIVE") : scheduled;
  }

  /** @throws ApiError 403, 404 */
  function owned(idOrKey: string, caller: Caller, by: Change): ExperimentRecord {
    const experiment = service.require(idOrKey, caller);
    rights.require(by, "experiments", unchanged(experiment));
    return experiment;
  }

  const service: ExperimentService = {
    require: (idOrKey, caller) => requireVisible(experiments, idOrKey, caller),
    list(filter, caller) {
      const visible = experiments.all().filter((one) => one.status !== "DRAFT" || seesDrafts(caller));
      const flag = filter.flag === undefined ? undefined : featureFlags.find(filter.flag);
      return filterExperiments(visible, filter, flag?.key ?? null);
    },
    async create(body, caller, by, id = onceId() ?? runtime.id()) {
      for (;;) {
        const record = toRecord(body, caller, id);
        rights.require(by, "experiments", { id, before: null, after: record });
        try {
          const outside = { id, mutual_exclusion_group_id: null };
          const insert = () => experiments.insert(record, by);
          return await writeInGroup(slots, outside, record.mutual_exclusion_group_id, by, insert);
        } catch (error) {
          // Another node took the derived key in the meantime. An explicit key must be changed by the caller.
          if (body.key !== undefined || !experiments.findBy("key", record.key)) throw error;
        }
      }
    },
    preview(body, caller) {
      const record = toRecord(body, caller, runtime.id());
      const by = { actor: caller.actor, caller, action: "experiment.preview" };
      if (record.feature_flag_key) rights.require(by, "flags", unchanged(findFlag(record.feature_flag_key)));
      if (experiments.findBy("key", record.key)) throw conflict(keyTaken(record));
      if (record.mutual_exclusion_group_id) slots.requireFree(record.mutual_exclusion_group_id, record.id);
      return record;
    },
    async update(idOrKey, body, caller, by, ifVersion) {
      const experiment = owned(idOrKey, caller, by);
      const change = (current: ExperimentRecord) => {
        const merged = withSchedule(requireValid(mergeExperiment(current, body, findFlag)), current, now());
        return body.status && body.status !== current.status ? moved(merged, body.status) : merged;
      };
      const after = change(experiment);
      rights.require(by, "experiments", { id: experiment.id, before: experiment, after });
      const write = () => experiments.update(experiment.id, change, by, { ifVersion });
      return writeInGroup(slots, experiment, after.mutual_exclusion_group_id, by, write);
    },
    async move(idOrKey, status, caller, by, ifVersion) {
      const experiment = owned(idOrKey, caller, by);
      return experiments.update(experiment.id, (current) => moved(current, status), by, { ifVersion });
    },
    async complete(idOrKey, winner, caller, by, ifVersion) {
      const experiment = owned(idOrKey, caller, by);
      const variant = experiment.variants.find(({ key }) => key === winner);
      if (winner !== undefined && !variant) throw invalid(["body", "winner"], `Variant "${winner}" does not exist`);
      const { feature_flag_key: flagKey, key } = experiment;
      const served = { ...by, action: "feature_flag.update", reason: `Winner of experiment ${key}` };
      const serving = () => (variant && flagKey ? featureFlags.serving(flagKey, variant.key, served) : undefined);
      return experiments.update(
        experiment.id,
        (current) => ({ ...moved(current, "COMPLETED"), winner: winner ?? null }),
        by,
        { ifVersion, alongside: serving },
      );
    },
    async remove(idOrKey, caller, by, ifVersion) {
      const { id, status, mutual_exclusion_group_id: groupId } = owned(idOrKey, caller, by);
      if (status !== "DRAFT") throw badRequest(`Only a DRAFT experiment can be deleted; this one is ${status}`);
      await experiments.remove(id, by, { ifVersion });
      if (groupId !== null) await slots.release(groupId, id, by);
    },
    due: () => experiments.all().filter((one) => dueStatus(one, now()) !== null),
    async followSchedule(id, change) {
      const status = dueStatus(experiments.require(id), now());
      const action = status === "ACTIVE" ? "experiment.start" : "experiment.complete";
      const ifDue =
        (to: (current: ExperimentRecord, due: Status) => ExperimentRecord) => (current: ExperimentRecord) => {
          const due = dueStatus(current, now());
          return due === null ? current : to(current, due);
        };
      try {
        await experiments.update(id, ifDue(moved), change(action, "The scheduled date was reached"));
        return null;
      } catch (error) {
        if (!isApiError(error) || error.status === 404) throw error;
        const fail = ifDue((current) => withFailedSchedule(current, error.message));
        await experiments.update(id, fail, change("experiment.schedule_failed", error.message));
        return error.message;
      }
    },
    async clone(idOrKey, { name, key }, caller, by) {
      const source = service.require(idOrKey, caller);
      const newName = name ?? `${source.name} (copy)`;
      const named = { name: newName, key: key ?? freeKey(newName) };
      return experiments.insert(toCopy(source, { ...named, createdBy: personOf(caller) ?? "", now: now() }), by);
    },
    previewSplitUrl(idOrKey, userId, attributes, caller) {
      const experiment = service.require(idOrKey, caller);
      if (experiment.experiment_type !== "SPLIT_URL") throw notFound();
      const assignment = snapshot.assignAsActive(experiment, userId, attributes, runtime.now());
      return toSplitUrlPreview(experiment, userId, assignment);
    },
  };
  return service;
}
