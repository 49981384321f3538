import { createEngine, type Definitions, type Engine } from "@assay/core";
import { memoryStore, type Store } from "@assay/store";
import { type AnalysisOptions, createAnalysis } from "../../analysis/analysis.ts";
import { createRuntime, type Logger, silentLogger, timestampOf } from "../../ground/runtime.ts";
import type { Caller } from "../../model/caller.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import type { FlagRecord } from "../../model/feature-flag.ts";
import { SYSTEM } from "../../storage/change.ts";
import { createCollections } from "../../storage/collections.ts";
import { createResultsService } from "../results/service.ts";
import { createTrackingService } from "./service.ts";

/** A Friday noon. */
export const NOON = Date.UTC(2026, 0, 9, 12);
export const HOUR = 3_600_000;
export const BY = { actor: SYSTEM, action: "test" };
export const VIEWER: Caller = {
  type: "USER",
  actor: SYSTEM,
  userId: "v",
  role: "VIEWER",
  isSuperuser: false,
  sessionId: null,
};
export const ANALYST: Caller = { ...VIEWER, role: "ANALYST" };

/** An experiment `checkout` of two equal arms, ACTIVE since an hour before noon, changed as asked. */
export function experimentRecord(
  changes: Partial<ExperimentRecord> = {},
): Omit<ExperimentRecord, "version"> & { id: string } {
  const key = changes.key ?? "checkout";
  const at = timestampOf(NOON - HOUR);
  return {
    id: `id-of-${key}`,
    key,
    name: key,
    description: "",
    experiment_type: "AB_TEST",
    status: "ACTIVE",
    start_date: null,
    end_date: null,
    created_by: "someone",
    hypothesis: "",
    targeting_rules: null,
    rules: [],
    variants: ["control", "treatment"].map((arm) => ({
      id: arm,
      key: arm,
      name: arm,
      weight: 0.5,
      is_control: arm === "control",
    })),
    metrics: [],
    bayesian_enabled: false,
    bayesian_config: null,
    feature_flag_key: null,
    bucket_by: null,
    alpha: 0.05,
    correction: "HOLM",
    allocation: "FIXED",
    mutual_exclusion_group_id: null,
    planned_sample_size: null,
    group_sequential: null,
    tracker_issue_key: null,
    crm_campaign_id: null,
    code_pull_request: null,
    schedule_error: null,
    winner: null,
    started_at: at,
    ended_at: null,
    created_at: at,
    updated_at: at,
    status_history: [{ status: "ACTIVE", at }],
    ...changes,
  };
}

function definitionsOf(experiments: ExperimentRecord[]): Definitions {
  return { schema_version: 1, flags: [], segments: [], groups: [], holdout: null, experiments };
}

/** Tracking and results over a store, with a clock that stands still. */
export async function createTracking(options: AnalysisOptions & { store?: Store; logger?: Logger } = {}) {
  const { store = memoryStore(), logger = silentLogger, ...analysisOptions } = options;
  const clock = { now: NOON };
  const runtime = createRuntime({ now: () => clock.now, logger });
  const collections = createCollections(store, runtime);
  const experiments = collections.define<ExperimentRecord>({
    name: "experiments",
    resource: "experiment",
    title: (record) => record.name,
    unique: { key: { of: (record) => record.key, taken: () => "taken" } },
  });
  const flags = collections.define<FlagRecord>({
    name: "flags",
    resource: "feature_flag",
    title: (record) => record.name,
    unique: { key: { of: (record) => record.key, taken: () => "taken" } },
  });
  await collections.open();
  const engine: Engine = createEngine(definitionsOf(experiments.all()), { now: runtime.now });
  experiments.onChange(() => engine.update(definitionsOf(experiments.all())));
  const analysis = createAnalysis(store, runtime, { thread: "INLINE", ...analysisOptions });
  const tracking = createTrackingService({
    store,
    runtime,
    collections,
    experiments,
    flags,
    engine,
    analysis,
    flagUsage: { note() {} },
    trail: { record() {} },
    traces: { remove: async () => [], find: async () => [] },
  });
  const results = createResultsService({
    runtime,
    experiments,
    analysis,
    flagOf: () => undefined,
    synced: () => undefined,
    askWarehouse: () => Promise.reject(new Error("No warehouse")),
  });
  return {
    store,
    clock,
    collections,
    experiments,
    flags,
    analysis,
    tracking,
    results,
    addExperiment: (changes: Partial<ExperimentRecord> = {}) => experiments.insert(experimentRecord(changes), BY),
    /** Changes the status now. */
    async move(id: string, status: ExperimentRecord["status"]) {
      const entry = { status, at: timestampOf(clock.now) };
      await experiments.update(
        id,
        (record) => ({ ...record, status, status_history: [...record.status_history, entry] }),
        BY,
      );
    },
    async close() {
      await tracking.close();
      await analysis.close();
      await collections.close();
    },
  };
}
