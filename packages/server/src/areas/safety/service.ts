import type {
  FlagSafety,
  FlagSafetyUpdate,
  RollbackAnswer,
  SafetyMetric,
  SafetySettings,
  SafetySettingsUpdate,
} from "@assay/contract";
import type { Analysis } from "../../analysis/analysis.ts";
import { invalid } from "../../ground/errors.ts";
import { type Runtime, timestampOf } from "../../ground/runtime.ts";
import type { Rights } from "../../identity/rights.ts";
import { type Caller, personOf } from "../../model/caller.ts";
import type { FlagRecord } from "../../model/feature-flag.ts";
import type { Change } from "../../storage/change.ts";
import type { Collection } from "../../storage/collection.ts";
import type { FeatureFlagService } from "../feature-flags/service.ts";
import { type FlagSafetyRecord, type RollbackRecord, type SafetySettingsRecord, SETTINGS_ID } from "./record.ts";
import { type SafetyConfig, unguardedReason, watch } from "./watch.ts";

type Noted = (action: string, reason?: string) => Change;

/** Pauses the ACTIVE rollout schedules of a flag, including those just activated on other nodes. Returns their ids. */
export type PauseSchedules = (flagId: string, reason: string, by: Change) => Promise<string[]>;

export interface SafetyService {
  settings(): SafetySettings;
  updateSettings(body: SafetySettingsUpdate, by: Change): Promise<SafetySettings>;
  /** @throws ApiError 404 */
  flag(idOrKey: string): Promise<FlagSafety>;
  /** @throws ApiError 403, 404 */
  updateFlag(idOrKey: string, body: FlagSafetyUpdate, by: Change): Promise<FlagSafety>;
  /**
   * Rolls back a flag, also during experiments and schedules. @throws ApiError 404, 422 if that would raise the rollout
   */
  rollback(
    idOrKey: string,
    wish: { percentage: number; reason?: string | undefined },
    caller: Caller,
    noted: Noted,
  ): Promise<RollbackAnswer>;
  /** Newest first. */
  history(filter: { feature_flag_id?: string | undefined }): RollbackRecord[];
  /** Ids of the flags with automatic rollback. */
  guarded(): string[];
  /** Rolls a flag back if harm is established. */
  check(flagId: string, noted: Noted): Promise<void>;
}

const DEFAULTS: SafetyConfig = { automatic_rollback: false, metrics: {}, window_minutes: 60 };
const NO_OVERRIDES: FlagSafety["overrides"] = { automatic_rollback: null, metrics: {}, window_minutes: null };

export function createSafetyService(deps: {
  runtime: Runtime;
  settings: Collection<SafetySettingsRecord>;
  flagSettings: Collection<FlagSafetyRecord>;
  rollbacks: Collection<RollbackRecord>;
  featureFlags: FeatureFlagService;
  analysis: Analysis;
  pauseSchedules: PauseSchedules;
  rights: Rights;
}): SafetyService {
  const { runtime, settings, flagSettings, rollbacks, featureFlags, analysis, pauseSchedules, rights } = deps;

  function overridesOf(flagId: string): FlagSafety["overrides"] {
    const own = flagSettings.get(flagId);
    if (!own) return NO_OVERRIDES;
    const { automatic_rollback, metrics, window_minutes } = own;
    return {
      automatic_rollback: automatic_rollback ?? null,
      metrics: metrics ?? {},
      window_minutes: window_minutes ?? null,
    };
  }

  /** Returns the settings of a flag, merged over the global ones. */
  function configOf(flagId: string): SafetyConfig {
    const common = settings.get(SETTINGS_ID) ?? DEFAULTS;
    const own = overridesOf(flagId);
    const metrics = Object.entries({ ...common.metrics, ...own.metrics });
    return {
      automatic_rollback: own.automatic_rollback ?? common.automatic_rollback,
      metrics: Object.fromEntries(metrics.filter((entry): entry is [string, SafetyMetric] => entry[1] !== null)),
      window_minutes: own.window_minutes ?? common.window_minutes,
    };
  }

  async function show(flag: FlagRecord): Promise<FlagSafety> {
    const now = runtime.now();
    const config = configOf(flag.id);
    const { health, values, since, warnings } = await watch(analysis, flag, config, now);
    return {
      feature_flag_id: flag.id,
      feature_flag_key: flag.key,
      rollout_percentage: flag.rollout_percentage,
      ...config,
      overrides: overridesOf(flag.id),
      health,
      values,
      watched_since: since === null ? null : timestampOf(since),
      warnings,
      unguarded_reason: unguardedReason(flag, config),
      evaluated_at: timestampOf(now),
    };
  }

  /** Writes the flag and its rollback record atomically. */
  async function rollBack(
    change: (flag: FlagRecord) => boolean,
    flagId: string,
    wish: Pick<RollbackRecord, "new_percentage" | "reason" | "automatic" | "metric" | "evidence" | "created_by">,
    noted: Noted,
  ): Promise<RollbackAnswer | null> {
    const { new_percentage, reason } = wish;
    const by: Change = { ...noted("safety.rollback", reason), emergency: true };
    let before: FlagRecord | undefined;
    let rollback_id = "";
    const roll = (flag: FlagRecord) => {
      before = change(flag) ? flag : undefined;
      const rules = new_percentage === 0 ? { rules_enabled: false } : {};
      return before ? { rollout_percentage: new_percentage, ...rules, rollbacks: (flag.rollbacks ?? 0) + 1 } : null;
    };
    const alongside = () => {
      const { id, key, rollout_percentage } = before!;
      const flag = { feature_flag_id: id, feature_flag_key: key, previous_percentage: rollout_percentage };
      const insertion = rollbacks.insertion({ ...wish, ...flag }, by);
      rollback_id = insertion.id;
      return insertion;
    };
    const after = await featureFlags.roll(flagId, roll, by, { alongside });
    if (!before) return null;
    // This server rolled the flag back, so it writes the consequences even if it has lost the lease.
    const why = `Safety rollback to ${new_percentage} %: ${reason}`;
    const paused_schedules = await pauseSchedules(flagId, why, {
      ...noted("rollout_schedule.pause", why),
      emergency: true,
      fence: undefined,
    });
    return {
      success: true,
      feature_flag_id: flagId,
      previous_percentage: before.rollout_percentage,
      new_percentage,
      previous_status: before.status,
      new_status: after.status,
      rollback_id,
      paused_schedules,
    };
  }

  const service: SafetyService = {
    settings() {
      const { automatic_rollback, metrics, window_minutes } = settings.get(SETTINGS_ID) ?? DEFAULTS;
      const updated_at = settings.get(SETTINGS_ID)?.updated_at ?? null;
      return { automatic_rollback, metrics, window_minutes, updated_at };
    },
    async updateSettings(body, by) {
      const merged = (current: SafetyConfig): SafetyConfig => ({
        automatic_rollback: body.automatic_rollback ?? current.automatic_rollback,
        metrics: body.metrics ?? current.metrics,
        window_minutes: body.window_minutes ?? current.window_minutes,
      });
      if (settings.get(SETTINGS_ID)) {
        await settings.update(SETTINGS_ID, (current) => ({ ...current, ...merged(current) }), by);
      } else await settings.insert({ id: SETTINGS_ID, ...merged(DEFAULTS) }, by);
      return service.settings();
    },
    flag: (idOrKey) => show(featureFlags.require(idOrKey)),
    async updateFlag(idOrKey, body, by) {
      const flag = featureFlags.require(idOrKey);
      const current = flagSettings.get(flag.id) ?? null;
      rights.require(by, "flagSafety", { id: flag.id, before: current, after: current });
      const merged = (current: FlagSafety["overrides"]): FlagSafety["overrides"] => ({
        automatic_rollback:
          body.automatic_rollback === undefined ? current.automatic_rollback : body.automatic_rollback,
        metrics: body.metrics === undefined ? current.metrics : (body.metrics ?? {}),
        window_minutes: body.window_minutes === undefined ? current.window_minutes : body.window_minutes,
      });
      if (flagSettings.get(flag.id)) {
        await flagSettings.update(flag.id, (current) => ({ ...current, ...merged(overridesOf(flag.id)) }), by);
      } else await flagSettings.insert({ id: flag.id, ...merged(NO_OVERRIDES) }, by);
      return show(flag);
    },
    async rollback(idOrKey, { percentage, reason }, caller, noted) {
      const isBack = ({ rollout_percentage }: FlagRecord) => {
        if (percentage <= rollout_percentage) return true;
        throw invalid(
          ["body", "percentage"],
          `A rollback cannot raise the percentage; the flag is at ${rollout_percentage} %`,
        );
      };
      const wish = {
        new_percentage: percentage,
        reason: reason ?? "Manual rollback",
        automatic: false,
        metric: null,
        evidence: null,
        created_by: personOf(caller),
      };
      const answer = await rollBack(isBack, featureFlags.require(idOrKey).id, wish, noted);
      if (!answer) throw new Error("A manual rollback always takes place");
      return answer;
    },
    history({ feature_flag_id }) {
      const flagId = feature_flag_id === undefined ? undefined : (featureFlags.find(feature_flag_id)?.id ?? "");
      const all = rollbacks.all().reverse();
      return flagId === undefined ? all : all.filter((one) => one.feature_flag_id === flagId);
    },
    guarded: () =>
      featureFlags
        .list({ status_filter: "ACTIVE" })
        .map(({ id }) => id)
        .filter((id) => configOf(id).automatic_rollback),
    async check(flagId, noted) {
      const flag = featureFlags.find(flagId);
      if (!flag) return;
      const { harm } = await watch(analysis, flag, configOf(flagId), runtime.now());
      if (!harm) return;
      const [lower, upper] = (harm.confidence_interval ?? [0, 0]).map((end) => end.toFixed(4));
      const reason = `"${harm.name}" is ${harm.value_in?.toFixed(4)} in the rollout and ${harm.value_out?.toFixed(4)} out of it (difference between ${lower} and ${upper})`;
      const wish = {
        new_percentage: 0,
        reason,
        automatic: true,
        metric: harm.name,
        evidence: harm,
        created_by: null,
      };
      // Applies to the judged version only. A concurrent change is judged next time.
      await rollBack((current) => current.version === flag.version, flagId, wish, noted);
    },
  };
  return service;
}
