import type { MetricTrigger, RolloutStage, RolloutStageInput, TimeTrigger } from "@assay/client";

export type When = "after" | "at" | "metric" | "hand";
export const WHENS: readonly When[] = ["after", "at", "metric", "hand"];

/** A stage as the editor has it: numbers are the text that the user types. */
export interface StageDraft {
  id?: string;
  share: string;
  when: When;
  hours: string;
  at: string;
  event: string;
  comparison: MetricTrigger["comparison"];
  /** Percentage points. */
  threshold: string;
}

export const NEW_STAGE: StageDraft = {
  share: "",
  when: "after",
  hours: "24",
  at: "",
  event: "",
  comparison: "GREATER_THAN",
  threshold: "-1",
};

/** A time as `<input type="datetime-local">` has it: local, to the minute. */
function toLocal(time: string): string {
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function toDraft({ id, target_percentage, trigger, trigger_config }: RolloutStage): StageDraft {
  const draft: StageDraft = { ...NEW_STAGE, id, share: String(target_percentage), when: "hand" };
  if (trigger === "TIME") {
    const config = trigger_config as TimeTrigger;
    if ("at" in config) return { ...draft, when: "at", at: toLocal(String(config.at)) };
    return { ...draft, when: "after", hours: String(config.after_minutes / 60) };
  }
  if (trigger === "MANUAL") return draft;
  const { event_type, comparison, threshold, duration_minutes = 0 } = trigger_config as MetricTrigger;
  return {
    ...draft,
    when: "metric",
    event: event_type,
    comparison,
    threshold: String(Number((threshold * 100).toFixed(6))),
    hours: String(duration_minutes / 60),
  };
}

export function fromDraft(draft: StageDraft): RolloutStageInput & { id?: string } {
  const { id, share, when, hours, at, event, comparison, threshold } = draft;
  const minutes = Math.round(Number(hours) * 60);
  const stage = { ...(id ? { id } : {}), target_percentage: Number(share) };
  if (when === "hand") return { ...stage, trigger: "MANUAL" };
  if (when === "after") return { ...stage, trigger: "TIME", trigger_config: { after_minutes: minutes } };
  if (when === "at") return { ...stage, trigger: "TIME", trigger_config: { at: new Date(at).toISOString() } };
  const config = { event_type: event, comparison, threshold: Number(threshold) / 100, duration_minutes: minutes };
  return { ...stage, trigger: "METRIC", trigger_config: config };
}
