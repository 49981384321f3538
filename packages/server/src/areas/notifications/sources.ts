import type { NotificationEvent } from "@assay/contract";
import type { ExperimentRecord } from "../../model/experiment.ts";
import type { FlagRecord } from "../../model/feature-flag.ts";
import type { ScheduleRecord } from "../../model/rollout-schedule.ts";
import type { Change } from "../../storage/change.ts";
import type { Collection, Companion, DocumentWrite } from "../../storage/collection.ts";
import type { NotificationRequest, NotificationService } from "./service.ts";

const MOVES: Partial<Record<ExperimentRecord["status"], [NotificationEvent, string]>> = {
  ACTIVE: ["EXPERIMENT_STARTED", "has started"],
  PAUSED: ["EXPERIMENT_PAUSED", "was paused"],
  COMPLETED: ["EXPERIMENT_COMPLETED", "was completed"],
  ARCHIVED: ["EXPERIMENT_ARCHIVED", "was archived"],
};

/** Collections to watch. */
export interface Sources {
  experiments: Collection<ExperimentRecord>;
  flags: Collection<FlagRecord>;
  schedules: Collection<ScheduleRecord>;
}

/** Notifies of changes to experiments, flags and rollouts made on this node. */
export function watchDefinitions(
  { prepare }: Pick<NotificationService, "prepare">,
  { experiments, flags, schedules }: Sources,
): void {
  const companionOf = (notice: NotificationRequest["notice"] | null): Companion | null => notice && prepare({ notice });
  experiments.alongside((write) => companionOf(ofExperiment(write)));
  flags.alongside((write) => companionOf(ofFlag(write)));
  schedules.alongside((write) => companionOf(ofSchedule(write)));
}

function ofExperiment({ before, after, by }: DocumentWrite<ExperimentRecord>): NotificationRequest["notice"] | null {
  const move = after && after.status !== before?.status ? MOVES[after.status] : undefined;
  if (!move || !after) return null;
  const [event, words] = move;
  const title = `Experiment "${after.name}" ${words}`;
  const winner = after.winner === null || event !== "EXPERIMENT_COMPLETED" ? "" : ` The winner is ${after.winner}.`;
  const text = `${title} (${after.key}).${winner}${reasonOf(by)}`;
  const data = {
    experiment_id: after.id,
    experiment_key: after.key,
    old_status: before?.status ?? null,
    new_status: after.status,
    winner: after.winner,
    ...authorOf(by),
  };
  return { event, title, text, data };
}

function ofFlag({ before, after, by }: DocumentWrite<FlagRecord>): NotificationRequest["notice"] | null {
  if (by.action !== "safety.rollback" || !before || !after) return null;
  const title = `Flag "${after.key}" was rolled back`;
  const [old_percentage, new_percentage] = [before.rollout_percentage, after.rollout_percentage];
  const text = `${title}, from ${old_percentage} % to ${new_percentage} %.${reasonOf(by)}`;
  const flag = { feature_flag_id: after.id, feature_flag_key: after.key };
  return {
    event: "SAFETY_ROLLBACK",
    title,
    text,
    data: { ...flag, old_percentage, new_percentage, ...authorOf(by) },
  };
}

function ofSchedule({ before, after, by }: DocumentWrite<ScheduleRecord>): NotificationRequest["notice"] | null {
  if (by.action !== "rollout_schedule.advance" || !before || !after) return null;
  const begun = after.stages.filter(({ status }, index) => status !== before.stages[index]?.status);
  const stage = begun.findLast(({ status }) => status !== "PENDING");
  if (!stage) return null;
  const title = `Flag "${after.feature_flag_key}" was rolled out to ${stage.target_percentage} %`;
  const text = `${title}: stage ${stage.order} of ${after.stages.length} of "${after.name}".`;
  const data = {
    feature_flag_id: after.feature_flag_id,
    feature_flag_key: after.feature_flag_key,
    rollout_schedule_id: after.id,
    stage: stage.order,
    new_percentage: stage.target_percentage,
    ...authorOf(by),
  };
  return { event: "ROLLOUT_ADVANCED", title, text, data };
}

function reasonOf({ reason }: Change): string {
  return reason ? ` Reason: ${reason}` : "";
}

function authorOf({ actor, reason }: Change) {
  return { actor_id: actor.actor_id, reason: reason ?? null };
}
