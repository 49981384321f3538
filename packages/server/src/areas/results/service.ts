import type { AnswerTo, Question, SufficientStatistics } from "@assay/analysis";
import {
  type BreakdownQuery,
  type BreakdownResults,
  type CupedQuery,
  type CupedResults,
  type Results,
  SequentialQuery,
  type SequentialResults,
  type TimeseriesQuery,
  type TimeseriesResults,
} from "@assay/contract";
import type { z } from "zod";
import type { Analysis } from "../../analysis/analysis.ts";
import { conflict, invalid } from "../../ground/errors.ts";
import { type Runtime, timestampOf } from "../../ground/runtime.ts";
import { runInSlices } from "../../ground/slices.ts";
import type { Caller } from "../../model/caller.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { plannedUsers } from "../../model/experiment-plan.ts";
import { armsOf, clusterAttribute, toSubject } from "../../model/experiment-subject.ts";
import { requireVisible } from "../../model/experiment-visibility.ts";
import { weightChanges } from "../../model/experiment-weights.ts";
import type { FlagRecord } from "../../model/feature-flag.ts";
import type { SyncRecord } from "../../model/warehouse.ts";
import type { Collection } from "../../storage/collection.ts";
import { toResults } from "./answer.ts";
import { toBreakdown } from "./breakdown.ts";
import { clusterWarnings } from "./clusters.ts";
import { toCuped } from "./cuped.ts";
import type { Evidence } from "./evidence.ts";
import { alphaShares, toPlannedLook } from "./planned-look.ts";
import { armOf, defaultMetric, metricOf, unknownMetric } from "./selection.ts";
import { toSequential } from "./sequential.ts";
import { requirePlan } from "./sequential-plan.ts";
import { switchbackWarnings } from "./switchback.ts";
import { toTimeseries } from "./timeseries.ts";
import { looksOf, toWarehouseResults } from "./warehouse.ts";

/** Dependencies of the results service. */
export interface ResultsDependencies {
  runtime: Runtime;
  /** With a unique index `key`. */
  experiments: Collection<ExperimentRecord>;
  analysis: Analysis;
  /** The flag that an experiment runs on. */
  flagOf(experiment: ExperimentRecord): FlagRecord | undefined;
  /** The last successful sync of an experiment from a warehouse. */
  synced(experimentId: string): SyncRecord | undefined;
  /** Reads an answer from the warehouse of a sync. @throws ApiError 409, 422 */
  askWarehouse<Q extends Details>(record: ExperimentRecord, sync: SyncRecord, question: Q): Promise<AnswerTo<Q>>;
}

/** The questions that a warehouse answers on request, and the analysis too. */
type Details = Extract<Question, { about: "covariates" | "breakdown" | "looks" }>;

/**
 * Computes the results of experiments, by id or key, including every acknowledged event. Every method throws an
 * ApiError 404 for an unknown experiment, and for a DRAFT if the caller may not see drafts; 422 for a metric or variant
 * that the experiment does not have; 409 for results that a warehouse cannot provide.
 */
export interface ResultsService {
  /** The results from the warehouse of the experiment's last sync, unless `source` is EMBEDDED. */
  get(idOrKey: string, caller: Caller, source?: Results["source"]): Promise<Results>;
  sequential(idOrKey: string, query: z.output<typeof SequentialQuery>, caller: Caller): Promise<SequentialResults>;
  cuped(idOrKey: string, query: z.output<typeof CupedQuery>, caller: Caller): Promise<CupedResults>;
  breakdown(idOrKey: string, query: z.output<typeof BreakdownQuery>, caller: Caller): Promise<BreakdownResults>;
  timeseries(idOrKey: string, query: z.output<typeof TimeseriesQuery>, caller: Caller): Promise<TimeseriesResults>;
  /** The last results from events that this server computed of an experiment, without computing any. */
  known(experimentId: string): Results | undefined;
  /** Returns all results that a decision needs. */
  evidence(idOrKey: string, caller: Caller): Promise<Evidence>;
}

interface Shown {
  version: number;
  /** Until when the events are complete; undefined if all are counted. */
  until: number | null | undefined;
  statistics: SufficientStatistics;
  results: Promise<Results>;
  /** `results`, once they are computed. */
  answer?: Results;
}

const DAY = 86_400_000;
/**
 * Maximum number of days of all metrics and treatments in an answer. More do not fit into 10 MB: each has at least 88
 * bytes.
 */
const MAX_LOOKS = 120_000;
const STATISTICS = { about: "statistics", options: null } as const;
const CARRY_OVER = { about: "carryOver", options: null } as const;
/** Maximum number of rows of a breakdown. More do not fit into 10 MB: each has at least 276 bytes. */
const MAX_SEGMENT_ROWS = 40_000;

/** Creates the results service over the analysis. */
export function createResultsService(dependencies: ResultsDependencies): ResultsService {
  const { runtime, experiments, analysis, flagOf, synced, askWarehouse } = dependencies;
  // The tests cost little, but an unchanged answer should keep its time.
  const shown = new Map<string, Shown>();

  const find = (idOrKey: string, caller: Caller) => requireVisible(experiments, idOrKey, caller);

  function ask<Q extends Question>(record: ExperimentRecord, question: Q): Promise<AnswerTo<Q>> {
    return analysis.answer(toSubject(record), record.version, question);
  }

  /** Answers from the warehouse if the experiment was synced from one, otherwise from events. */
  function askDetails<Q extends Details>(record: ExperimentRecord, question: Q): Promise<AnswerTo<Q>> {
    const sync = synced(record.id);
    return sync ? askWarehouse(record, sync, question) : ask(record, question);
  }

  /** Adds warnings: events of the experiment may have been removed or lost, and users may be in clusters. */
  async function noting<A extends { analysis_warnings: string[] }>(record: ExperimentRecord, answer: A): Promise<A> {
    const isClustered = clusterAttribute(record, flagOf(record)) !== null;
    const statistics = isClustered ? await ask(record, STATISTICS) : null;
    const warnings = [
      ...(statistics ? clusterWarnings(statistics) : []),
      ...(statistics?.stays ? switchbackWarnings(statistics.stays, await ask(record, CARRY_OVER)) : []),
      ...(await analysis.missing(record)),
    ];
    return warnings.length > 0 ? { ...answer, analysis_warnings: [...answer.analysis_warnings, ...warnings] } : answer;
  }

  /** Adds the warning that a warehouse treats users as if assigned individually. */
  function notingUsers<A extends { analysis_warnings: string[] }>(record: ExperimentRecord, answer: A): A {
    if (clusterAttribute(record, flagOf(record)) === null) return answer;
    return { ...answer, analysis_warnings: [...answer.analysis_warnings, "UNITS_NOT_INDEPENDENT"] };
  }

  /** Adds the warnings about the source of the details. */
  async function notingSource<A extends { analysis_warnings: string[] }>(record: ExperimentRecord, answer: A) {
    return synced(record.id) ? notingUsers(record, answer) : noting(record, answer);
  }

  /** @param until until when the events are complete; undefined if all are counted */
  async function compute(
    record: ExperimentRecord,
    statistics: SufficientStatistics,
    until: number | null | undefined,
  ): Promise<Results> {
    const changes = weightChanges(record);
    // A cluster may have users in several periods, which are then not independent.
    const periods =
      changes.length > 0 && !statistics.clusters
        ? await ask(record, { about: "periods", options: { changes, metric: null } })
        : null;
    // Days are left only until the planned size.
    const isWaiting = record.status === "ACTIVE" && plannedUsers(record) !== null;
    const days = isWaiting ? await ask(record, { about: "arrivals", options: null }) : null;
    const steps = toResults(record, statistics, timestampOf(runtime.now()), { periods, days });
    const complete = until === undefined ? {} : { complete_until: until === null ? null : timestampOf(until) };
    return noting(record, { ...(await runInSlices(steps)), ...complete });
  }

  const service: ResultsService = {
    async get(idOrKey, caller, source) {
      const record = find(idOrKey, caller);
      const sync = synced(record.id);
      if (source === "WAREHOUSE" && !sync) throw notSynced();
      if (sync && source !== "EMBEDDED")
        return notingUsers(record, await runInSlices(toWarehouseResults(record, sync)));
      const statistics = await ask(record, STATISTICS);
      const known = shown.get(record.id);
      const until = analysis.completeUntil(statistics);
      // The statistics are the same object until an event arrives.
      if (known?.version === record.version && known.until === until && known.statistics === statistics)
        return known.results;
      // Requests that arrive meanwhile wait for the same answer.
      const results = compute(record, statistics, until);
      const entry: Shown = { version: record.version, until, statistics, results };
      shown.set(record.id, entry);
      results.then(
        (answer) => {
          entry.answer = answer;
        },
        () => {
          if (shown.get(record.id) === entry) shown.delete(record.id);
        },
      );
      return results;
    },
    known: (experimentId) => shown.get(experimentId)?.answer,
    async sequential(idOrKey, query, caller) {
      const record = find(idOrKey, caller);
      requirePlan(record, query);
      const sync = synced(record.id);
      if (sync) return notingUsers(record, await runInSlices(toSequential(record, looksOf(record, sync), query)));
      const looks = await ask(record, { about: "looks", options: { metric: null, cohorts: false } });
      const metrics = looks.at(-1)?.metrics.length ?? 0;
      const count = looks.length * metrics * (armsOf(record).length - 1);
      if (count > MAX_LOOKS) throw tooLarge(`The response would have more than ${MAX_LOOKS} looks`);
      return noting(record, await runInSlices(toSequential(record, looks, query)));
    },
    async cuped(idOrKey, query, caller) {
      const record = find(idOrKey, caller);
      if (record.switchback) throw conflict("A switchback is adjusted by variance_reduction instead");
      const { winsorize, lower_pct, upper_pct, lookback_days } = query;
      const options = {
        lookbackMs: lookback_days * DAY,
        winsorize: winsorize ? ([lower_pct, upper_pct] as const) : null,
      };
      const statistics = await askDetails(record, { about: "covariates", options });
      return notingSource(record, await runInSlices(toCuped(record, statistics, query)));
    },
    async breakdown(idOrKey, query, caller) {
      const record = find(idOrKey, caller);
      const metric = metricOf(record, query.metric_id);
      const options = { dimension: query.dimension, metric };
      const breakdown = await askDetails(record, { about: "breakdown", options });
      // Metrics that the experiment does not list exist once an event has them.
      const hasUsers = breakdown.segments.some(({ users }) => users.some((n) => n > 0));
      if (metric !== null && hasUsers && breakdown.metrics.length === 0) throw unknownMetric(metric);
      const rows = breakdown.segments.length * breakdown.metrics.length * (armsOf(record).length - 1);
      if (rows > MAX_SEGMENT_ROWS) {
        throw tooLarge(`The response would have more than ${MAX_SEGMENT_ROWS} rows; request one metric_id`);
      }
      return notingSource(record, await runInSlices(toBreakdown(record, breakdown, query)));
    },
    async timeseries(idOrKey, query, caller) {
      const record = find(idOrKey, caller);
      const arm = armOf(record, query.variant);
      const metric = metricOf(record, query.metric_id) ?? defaultMetric(record);
      const looks = await askDetails(record, { about: "looks", options: { metric, cohorts: true } });
      if (metric !== null && looks.length > 0 && looks.at(-1)?.metrics.length === 0) throw unknownMetric(metric);
      return notingSource(record, toTimeseries(record, looks, arm));
    },
    async evidence(idOrKey, caller) {
      const record = find(idOrKey, caller);
      const sync = synced(record.id);
      const looks = sync
        ? looksOf(record, sync)
        : await ask(record, { about: "looks", options: { metric: null, cohorts: false } });
      const alpha = alphaShares(record);
      const query = SequentialQuery.parse({ alpha: alpha.anytime });
      return {
        record,
        results: await service.get(record.id, caller),
        sequential: await runInSlices(toSequential(record, looks, query)),
        planned: await runInSlices(toPlannedLook(record, looks)),
        alpha,
      };
    },
  };
  return service;
}

const notSynced = () => invalid(["query", "source"], "The experiment was not synced from a warehouse", "not_synced");

const tooLarge = (message: string) => invalid(["query"], message, "too_large");
