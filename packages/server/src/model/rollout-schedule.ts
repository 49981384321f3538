import type { RolloutSchedule } from "@assay/contract";
import type { CollectionOptions, Document } from "../storage/collection.ts";

/** A rollout schedule as stored. Only decided METRIC stages have `evidence`. */
export interface ScheduleRecord extends RolloutSchedule, Document {
  /** Number of safety rollbacks of the flag known at activation. */
  known_rollbacks?: number;
}
export type StageRecord = ScheduleRecord["stages"][number];

/** Returns the message of the 409 if a flag has another ACTIVE schedule. */
export const takenByActive = ({ feature_flag_key }: Pick<ScheduleRecord, "feature_flag_key">): string =>
  `Another rollout schedule is ACTIVE on flag "${feature_flag_key}"`;

export const scheduleCollection: CollectionOptions<ScheduleRecord> = {
  name: "rollout-schedules",
  resource: "rollout_schedule",
  title: (schedule) => schedule.name,
  secret: ["known_rollbacks"],
  unique: {
    active: {
      of: ({ status, feature_flag_id }) => (status === "ACTIVE" ? feature_flag_id : null),
      taken: takenByActive,
    },
  },
};
