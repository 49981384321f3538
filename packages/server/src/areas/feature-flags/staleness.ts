import type { FeatureFlag } from "@assay/contract";
import type { FlagRecord } from "../../model/feature-flag.ts";

type StaleReason = FeatureFlag["stale_reasons"][number];

const STALE_MS = 30 * 24 * 3600 * 1000;

/**
 * Why a flag is probably obsolete. Empty if it is not.
 *
 * @param now milliseconds since 1970
 * @param unseenSince time since which the flag was certainly not evaluated, in milliseconds since 1970
 */
export function staleReasons(flag: FlagRecord, now: number, unseenSince: number): StaleReason[] {
  if (flag.status === "ARCHIVED") return [];
  const isOld = (at: number) => at <= now - STALE_MS;
  const reasons: StaleReason[] = [];
  if (flag.expires_at !== null && Date.parse(flag.expires_at) <= now) reasons.push("EXPIRED");
  if (flag.permanent) return reasons;
  if (isOld(unseenSince)) reasons.push("NOT_EVALUATED");
  if (!isOld(Date.parse(flag.updated_at))) return reasons;
  if (isOffForEveryone(flag)) reasons.push("SWITCHED_OFF");
  else if (servesEveryoneTheSame(flag)) reasons.push("FULLY_ROLLED_OUT");
  return reasons;
}

function isOffForEveryone(flag: FlagRecord): boolean {
  return flag.status === "INACTIVE" || (isUntargeted(flag) && flag.rollout_percentage === 0);
}

function servesEveryoneTheSame(flag: FlagRecord): boolean {
  const arms = flag.variants.filter(({ weight }) => weight > 0).length;
  return isUntargeted(flag) && flag.prerequisites.length === 0 && flag.rollout_percentage === 100 && arms <= 1;
}

function isUntargeted({ targeting_rules, rules, rules_enabled }: FlagRecord): boolean {
  const blocks = Object.values(targeting_rules ?? {}).filter((block) => !(Array.isArray(block) && block.length === 0));
  return blocks.length === 0 && (rules.length === 0 || !rules_enabled);
}
