import type { MetricTrigger, RolloutEvidence, RolloutStage, RolloutStageInput, TimeTrigger } from "@assay/client";
import { toCount, toMinute } from "../parts/format.ts";
import { TEXT } from "../text.ts";

const { rollouts: text } = TEXT;

/** Minutes as people say them: "2 days", "90 minutes". */
export function sayMinutes(minutes: number): string {
  if (minutes === 0) return text.atOnce;
  for (const [unit, size] of [
    ["days", 1_440],
    ["hours", 60],
    ["minutes", 1],
  ] as const) {
    if (minutes % size === 0) return text.after[unit](minutes / size);
  }
  return "";
}

/** A difference of shares: 0.008 becomes "+0.8 pp". */
export const toPoints = (share: number) =>
  `${share > 0 ? "+" : ""}${Number((share * 100).toFixed(2))} ${TEXT.results.pp}`;

/** Says when a stage begins. */
export function sayTrigger({ trigger, trigger_config }: RolloutStage | RolloutStageInput): string {
  if (trigger === "MANUAL") return text.byHand;
  if (trigger === "TIME") {
    const config = trigger_config as TimeTrigger;
    return "at" in config ? text.at(toMinute(String(config.at))) : sayMinutes(config.after_minutes);
  }
  const { event_type, comparison, threshold, duration_minutes = 0 } = trigger_config as MetricTrigger;
  const claim = text.claim(event_type, TEXT.words.operators[comparison], toPoints(threshold));
  return duration_minutes > 0 ? `${sayMinutes(duration_minutes)}, ${claim}` : claim;
}

/** Says what the data shows so far. */
export function sayEvidence({
  users_in,
  users_out,
  difference,
  confidence_interval,
  verdict,
}: RolloutEvidence): string {
  const users = text.users(toCount(users_in), toCount(users_out));
  if (difference === null || !confidence_interval) return `${text.verdicts[verdict]} ${users}`;
  const [low, high] = confidence_interval;
  return `${text.verdicts[verdict]} ${text.difference(toPoints(difference), toPoints(low), toPoints(high))} ${users}`;
}
