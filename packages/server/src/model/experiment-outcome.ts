import type { ExperimentRecord } from "./experiment.ts";
import { armsOf } from "./experiment-subject.ts";

/** Whether an experiment was completed, even if it was archived since. */
export function isOver({ status, ended_at, status_history }: ExperimentRecord): boolean {
  const isCompleted = status_history.some((entry) => entry.status === "COMPLETED");
  return ended_at !== null && (status === "COMPLETED" || (status === "ARCHIVED" && isCompleted));
}

/**
 * Returns the key of the treatment that an experiment ended with. Returns null for control, without a winner, and
 * before the end.
 */
export function shippedArm(record: ExperimentRecord): string | null {
  const { winner } = record;
  return isOver(record) && winner !== null && winner !== armsOf(record)[0]?.key ? winner : null;
}
