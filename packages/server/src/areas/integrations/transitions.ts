import type { IntegrationType, LifecycleAction } from "@assay/contract";
import type { IntegrationRecord } from "./record.ts";

/** Default actions by status of the other system. `config.transitions` overrides them. */
const BUILT_IN: Partial<Record<IntegrationType, Record<string, LifecycleAction>>> = {
  TRACKER: {
    "In Progress": "START",
    Blocked: "PAUSE",
    "On Hold": "PAUSE",
    Paused: "PAUSE",
    Done: "COMPLETE",
    Closed: "COMPLETE",
    Resolved: "COMPLETE",
    Cancelled: "ARCHIVE",
    Canceled: "ARCHIVE",
    "Won't Do": "ARCHIVE",
  },
  CRM: { "In Progress": "START", Completed: "COMPLETE", Aborted: "COMPLETE" },
};

/** Returns the action for a status, ignoring case, or null. */
export function actionOf({ integration_type, config }: IntegrationRecord, status: string): LifecycleAction | null {
  const table = (config.transitions ?? BUILT_IN[integration_type] ?? {}) as Record<string, LifecycleAction>;
  const wanted = status.trim().toLowerCase();
  return Object.entries(table).find(([name]) => name.trim().toLowerCase() === wanted)?.[1] ?? null;
}
