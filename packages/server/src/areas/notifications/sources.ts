import type { NotificationEvent } from "@assay/contract";
import type { Collection } from "../../storage/collection.ts";
import type { ExperimentRecord } from "../experiments/record.ts";
import type { FlagRecord } from "../feature-flags/record.ts";
import type { NotificationService } from "./service.ts";

const MOVES: Partial<Record<ExperimentRecord["status"], [NotificationEvent, string]>> = {
  ACTIVE: ["EXPERIMENT_STARTED", "has started"],
  PAUSED: ["EXPERIMENT_PAUSED", "was paused"],
  COMPLETED: ["EXPERIMENT_COMPLETED", "was completed"],
  ARCHIVED: ["EXPERIMENT_ARCHIVED", "was archived"],
};

const ROLLS: Record<string, [NotificationEvent, string]> = {
  "safety.rollback": ["SAFETY_ROLLBACK", "was rolled back"],
  "rollout_schedule.advance": ["ROLLOUT_ADVANCED", "was rolled out further"],
};

/** Tells of what happens to experiments and flags on this node. */
export function watchDefinitions(
  { announce }: Pick<NotificationService, "announce">,
  { experiments, flags }: { experiments: Collection<ExperimentRecord>; flags: Collection<FlagRecord> },
): void {
  experiments.onWrite(({ before, after, by }) => {
    const move = after && after.status !== before?.status ? MOVES[after.status] : undefined;
    if (!move || !after) return;
    const [event, words] = move;
    const title = `Experiment "${after.name}" ${words}`;
    const winner = after.winner === null || event !== "EXPERIMENT_COMPLETED" ? "" : ` The winner is ${after.winner}.`;
    announce({
      notice: {
        event,
        title,
        text: `${title} (${after.key}).${winner}${reasonOf(by.reason)}`,
        data: {
          experiment_id: after.id,
          experiment_key: after.key,
          old_status: before?.status ?? null,
          new_status: after.status,
          winner: after.winner,
          actor_id: by.actor.actor_id,
          reason: by.reason ?? null,
        },
      },
    });
  });
  flags.onWrite(({ before, after, by }) => {
    const roll = Object.hasOwn(ROLLS, by.action) ? ROLLS[by.action] : undefined;
    if (!roll || !before || !after) return;
    const [event, words] = roll;
    const title = `Flag "${after.key}" ${words}`;
    announce({
      notice: {
        event,
        title,
        text: `${title}, from ${before.rollout_percentage} % to ${after.rollout_percentage} %.${reasonOf(by.reason)}`,
        data: {
          feature_flag_id: after.id,
          feature_flag_key: after.key,
          old_percentage: before.rollout_percentage,
          new_percentage: after.rollout_percentage,
          actor_id: by.actor.actor_id,
          reason: by.reason ?? null,
        },
      },
    });
  });
}

function reasonOf(reason: string | undefined): string {
  return reason ? ` Reason: ${reason}` : "";
}
