import type { GroupCreate, GroupUpdate, MutualExclusionGroup } from "@assay/contract";
import { badRequest, conflict, invalid, notFound } from "../../ground/errors.ts";
import { type Runtime, timestampOf } from "../../ground/runtime.ts";
import { type Rights, unchanged } from "../../identity/rights.ts";
import { type Caller, personOf, seesDrafts } from "../../model/caller.ts";
import type { GroupRecord, Slot } from "../../model/exclusion-group.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { requireVisible } from "../../model/experiment-visibility.ts";
import type { Change } from "../../storage/change.ts";
import type { Collection } from "../../storage/collection.ts";
import { isResumed } from "../../storage/once.ts";
import { findSlot, largestFree } from "./slots.ts";

export interface GroupService {
  /** @throws ApiError 404 */
  get(id: string, caller: Caller): MutualExclusionGroup;
  list(status: GroupRecord["status"] | undefined, caller: Caller): MutualExclusionGroup[];
  create(body: GroupCreate, caller: Caller, by: Change): Promise<MutualExclusionGroup>;
  /** @throws ApiError 400 if it is ARCHIVED, 404, 409 if a slot would be cut off, 412 */
  update(id: string, body: GroupUpdate, caller: Caller, by: Change, ifVersion?: number): Promise<MutualExclusionGroup>;
  /** Closes the group to new experiments. Members keep their slots. @throws ApiError 404, 412 */
  archive(id: string, by: Change, ifVersion?: number): Promise<void>;
  /**
   * @throws ApiError 400 unless the group is ACTIVE and the experiment DRAFT, 403 if the caller may not change the
   * experiment, 404, 409 if it is in a group or no slot is free
   */
  add(
    id: string,
    { experiment_id, slot_percentage }: { experiment_id: string; slot_percentage?: number | undefined },
    caller: Caller,
    by: Change,
  ): Promise<MutualExclusionGroup>;
  /** @throws ApiError 400 unless the experiment is DRAFT, 403 if the caller may not change it, 404 */
  leave(id: string, experimentIdOrKey: string, caller: Caller, by: Change): Promise<void>;
  /** @throws ApiError like `reserve` */
  requireFree(groupId: string, experimentId: string): void;
  /**
   * Reserves a slot for an experiment. The slot takes effect once the experiment names the group, and expires after a
   * minute otherwise.
   * @throws ApiError 400 if the group is ARCHIVED, 409 if no slot is free, 422 if there is no such group
   */
  reserve(groupId: string, experimentId: string, by: Change, slotPercentage?: number): Promise<void>;
  /** Releases the slot of an experiment that does not name the group. */
  release(groupId: string, experimentId: string, by: Change): Promise<void>;
}

const RESERVED_MS = 60_000;

export function createGroupService(deps: {
  runtime: Runtime;
  groups: Collection<GroupRecord>;
  experiments: Collection<ExperimentRecord>;
  rights: Rights;
}): GroupService {
  const { runtime, groups, experiments, rights } = deps;

  const memberOf = (
    group: GroupRecord,
    { experiment_id }: Pick<Slot, "experiment_id">,
  ): ExperimentRecord | undefined => {
    const experiment = experiments.get(experiment_id);
    return experiment?.mutual_exclusion_group_id === group.id ? experiment : undefined;
  };

  /** Whether a slot is in use or reserved. */
  const isHeld = (group: GroupRecord, slot: Slot) =>
    memberOf(group, slot) !== undefined || runtime.now() - Date.parse(slot.reserved_at) < RESERVED_MS;

  /** Whether the experiment of a slot has ended for good. */
  function isOver(group: GroupRecord, slot: Slot): boolean {
    const status = memberOf(group, slot)?.status;
    return status === "COMPLETED" || status === "ARCHIVED";
  }

  function rangesOf(group: GroupRecord) {
    const held = group.slots.filter((slot) => isHeld(group, slot));
    return {
      taken: held.filter((slot) => !isOver(group, slot)),
      used: held.filter((slot) => isOver(group, slot)),
    };
  }

  function toAnswer(group: GroupRecord, caller: Caller): MutualExclusionGroup {
    const { slots, ...fields } = group;
    const members = slots
      .flatMap(({ slot_start, slot_end, experiment_id }) => {
        const experiment = memberOf(group, { experiment_id });
        if (!experiment || (experiment.status === "DRAFT" && !seesDrafts(caller))) return [];
        return [{ experiment_id, key: experiment.key, status: experiment.status, slot_start, slot_end }];
      })
      .sort((a, b) => a.slot_start - b.slot_start);
    const free_percentage = largestFree(rangesOf(group).taken, group.traffic_percentage);
    return { ...fields, free_percentage, experiments: members };
  }

  /** Returns the group of an experiment. @throws ApiError 422 */
  function requireGroup(id: string): GroupRecord {
    const group = groups.get(id);
    if (!group) throw invalid(["body", "mutual_exclusion_group_id"], `Mutual-exclusion group "${id}" does not exist`);
    return group;
  }

  function requireOpen(group: GroupRecord): void {
    if (group.status !== "ACTIVE") throw badRequest(`The group is ${group.status}; it accepts no more experiments`);
  }

  function requireDraft({ key, status }: ExperimentRecord, verb: string): void {
    if (status !== "DRAFT") throw badRequest(`Only a DRAFT experiment can ${verb} a group; "${key}" is ${status}`);
  }

  /** @throws ApiError 400, 409 */
  function requireJoinable(experiment: ExperimentRecord): void {
    requireDraft(experiment, "join");
    const groupId = experiment.mutual_exclusion_group_id;
    if (groupId === null) return;
    throw conflict(`Experiment "${experiment.key}" is already in group "${groups.get(groupId)?.name ?? groupId}"`);
  }

  function withSlot(group: GroupRecord, experimentId: string, slotPercentage: number | undefined): GroupRecord {
    // A repeated request keeps the slot, because a new one would reassign users.
    if (memberOf(group, { experiment_id: experimentId })) return group;
    requireOpen(group);
    const others = { ...group, slots: group.slots.filter(({ experiment_id }) => experiment_id !== experimentId) };
    const ranges = rangesOf(others);
    const slot = findSlot(ranges, group.traffic_percentage, slotPercentage);
    if (!slot) {
      const free = largestFree(ranges.taken, group.traffic_percentage);
      const wanted = slotPercentage === undefined ? "" : `, but the experiment needs ${slotPercentage} %`;
      throw conflict(`Group "${group.name}" has ${free} % free in one range${wanted}`);
    }
    const kept = others.slots.filter((one) => isHeld(others, one));
    return {
      ...group,
      slots: [...kept, { experiment_id: experimentId, ...slot, reserved_at: timestampOf(runtime.now()) }],
    };
  }

  const service: GroupService = {
    get: (id, caller) => toAnswer(groups.require(id), caller),
    list: (status, caller) =>
      groups
        .all()
        .filter((group) => !status || group.status === status)
        .map((group) => toAnswer(group, caller)),
    async create({ name, description, traffic_percentage = 100 }, caller, by) {
      const fields = { name, description: description ?? "", traffic_percentage, created_by: personOf(caller) ?? "" };
      return toAnswer(await groups.insert({ ...fields, status: "ACTIVE", slots: [] }, by), caller);
    },
    async update(id, { name, description, traffic_percentage }, caller, by, ifVersion) {
      const change = (current: GroupRecord): GroupRecord => {
        const next = {
          ...current,
          name: name ?? current.name,
          description: description === undefined ? current.description : (description ?? ""),
          traffic_percentage: traffic_percentage ?? current.traffic_percentage,
        };
        if (current.status !== "ACTIVE") throw badRequest(`A group that is ${current.status} cannot change`);
        const cut = rangesOf(current).taken.filter(({ slot_end }) => slot_end > next.traffic_percentage / 100 + 1e-9);
        if (cut.length > 0) {
          const keys = cut.map((slot) => experiments.get(slot.experiment_id)?.key ?? slot.experiment_id);
          throw conflict(`${next.traffic_percentage} % would cut off the slots of ${keys.join(", ")}`);
        }
        return next;
      };
      return toAnswer(await groups.update(id, change, by, { ifVersion }), caller);
    },
    async archive(id, by, ifVersion) {
      await groups.update(id, (current) => ({ ...current, status: "ARCHIVED" }), by, { ifVersion });
    },
    async add(id, { experiment_id, slot_percentage }, caller, by) {
      requireOpen(groups.require(id));
      const experiment = requireVisible(experiments, experiment_id, caller);
      rights.require(by, "experiments", unchanged(experiment));
      if (!isResumed(groups.name)) requireJoinable(experiment);
      await service.reserve(id, experiment.id, by, slot_percentage);
      const join = (current: ExperimentRecord) => {
        requireJoinable(current);
        return { ...current, mutual_exclusion_group_id: id };
      };
      try {
        await experiments.update(experiment.id, join, { ...by, action: "experiment.join_group" });
      } catch (error) {
        await service.release(id, experiment.id, by);
        throw error;
      }
      return toAnswer(groups.require(id), caller);
    },
    async leave(id, experimentIdOrKey, caller, by) {
      rights.require(by, "groups", unchanged(groups.require(id)));
      const experiment = requireVisible(experiments, experimentIdOrKey, caller);
      rights.require(by, "experiments", unchanged(experiment));
      const leave = (current: ExperimentRecord) => {
        if (current.mutual_exclusion_group_id !== id) throw notFound();
        requireDraft(current, "leave");
        return { ...current, mutual_exclusion_group_id: null };
      };
      await experiments.update(experiment.id, leave, { ...by, action: "experiment.leave_group" });
      await service.release(id, experiment.id, by);
    },
    requireFree(groupId, experimentId) {
      withSlot(requireGroup(groupId), experimentId, undefined);
    },
    async reserve(groupId, experimentId, by, slotPercentage) {
      requireGroup(groupId);
      const change = (current: GroupRecord) => withSlot(current, experimentId, slotPercentage);
      await groups.update(groupId, change, { ...by, action: "mutual_exclusion_group.add_experiment" });
    },
    async release(groupId, experimentId, by) {
      const group = groups.get(groupId);
      // An experiment that rejoined in the meantime keeps its slot.
      if (!group || experiments.get(experimentId)?.mutual_exclusion_group_id === groupId) return;
      const change = (current: GroupRecord) => ({
        ...current,
        slots: current.slots.filter(({ experiment_id }) => experiment_id !== experimentId),
      });
      // The experiment has already left, so the slot has no effect. This only cleans up.
      const tidying = { ...by, caller: "SERVER", action: "mutual_exclusion_group.remove_experiment" } as const;
      await groups.update(groupId, change, tidying);
    },
  };
  return service;
}
