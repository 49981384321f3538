import type { InteractionPair, InteractionScan, Novelty, NoveltyPair } from "@assay/contract";
import type { Analysis } from "../../analysis/analysis.ts";
import { invalid } from "../../ground/errors.ts";
import type { Runtime } from "../../ground/runtime.ts";
import { runInSlices } from "../../ground/slices.ts";
import type { Caller } from "../../model/caller.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { armsOf, clusterAttribute, toSubject } from "../../model/experiment-subject.ts";
import { requireVisible } from "../../model/experiment-visibility.ts";
import type { FlagRecord } from "../../model/feature-flag.ts";
import type { Collection } from "../../storage/collection.ts";
import { type Compare, toNovelty, WATCHED_HOURS } from "./novelty.ts";
import { toPair } from "./pair.ts";
import { toScan } from "./scan.ts";

export interface InteractionOptions {
  /** Id or name of a metric. */
  metric_id?: string | undefined;
  alpha: number;
}

/** Tests whether experiments affect each other, and whether their effects last. */
export interface InteractionService {
  /** @throws ApiError 404, 422 for the same experiment twice or a metric that neither has */
  pair(a: string, b: string, options: InteractionOptions, caller: Caller): Promise<InteractionPair>;
  /** Tests all pairs of ACTIVE experiments, at most the {@link MAX_SCANNED} started last. */
  scan(options: { alpha: number }): Promise<InteractionScan>;
  /** @throws ApiError 404, 422 as `pair` */
  novelty(a: string, b: string, options: InteractionOptions, caller: Caller): Promise<NoveltyPair>;
  /**
   * Tests whether the effect on the first PRIMARY metric of one experiment lasts, at the experiment's alpha.
   * @throws ApiError 404
   */
  noveltyOf(idOrKey: string, caller: Caller): Promise<Novelty>;
}

/** The maximum number of experiments in a scan. They form 190 pairs, whose sums take seconds with millions of users. */
const MAX_SCANNED = 20;

/** Creates the service over the analysis. */
export function createInteractionService(deps: {
  runtime: Runtime;
  /** With a unique index `key`. */
  experiments: Collection<ExperimentRecord>;
  analysis: Analysis;
  compare: Compare;
  /** The flag that an experiment runs on. */
  flagOf(experiment: ExperimentRecord): FlagRecord | undefined;
}): InteractionService {
  const { runtime, experiments, analysis, compare, flagOf } = deps;

  function findTwo(first: string, second: string, { metric_id }: InteractionOptions, caller: Caller) {
    const a = requireVisible(experiments, first, caller);
    const b = requireVisible(experiments, second, caller);
    if (a.id === b.id) throw invalid(["path", "exp_b_id"], "Expected two different experiments");
    if (metric_id !== undefined && !mayHave(a, metric_id) && !mayHave(b, metric_id)) throw unknownMetric(metric_id);
    return [a, b] as const;
  }

  const overlapsOf = (first: ExperimentRecord, others: readonly ExperimentRecord[], metric: string | null) =>
    analysis.answer(toSubject(first), first.version, {
      about: "overlaps",
      options: { others: others.map(toSubject), metric },
    });

  /** The experiment with the attribute that draws its users: its flag's where it is on one. */
  const withUnit = (record: ExperimentRecord): ExperimentRecord => {
    return { ...record, bucket_by: clusterAttribute(record, flagOf(record)) };
  };

  async function noveltyOf(record: ExperimentRecord, { metric_id, alpha }: InteractionOptions) {
    const options = { metric: metric_id ?? null, cohorts: true, withinHours: WATCHED_HOURS };
    const looks = await analysis.answer(toSubject(record), record.version, { about: "looks", options });
    return toNovelty(record, looks, { compare, alpha, now: runtime.now() });
  }

  return {
    async pair(first, second, options, caller) {
      const [a, b] = findTwo(first, second, options, caller);
      const [overlap] = await overlapsOf(a, [b], options.metric_id ?? null);
      const pair = toPair(withUnit(a), withUnit(b), overlap!, options.alpha);
      // Metrics that the experiments do not list exist once an event has them.
      const isUnknown = options.metric_id !== undefined && pair.warning === "NO_METRIC";
      if (isUnknown) throw unknownMetric(options.metric_id!);
      return pair;
    },
    async scan({ alpha }) {
      const active = experiments
        .all()
        .filter((record) => record.status === "ACTIVE" && armsOf(record).length > 1)
        .sort((a, b) => ((a.started_at ?? "") < (b.started_at ?? "") ? 1 : -1));
      const records = active.slice(0, MAX_SCANNED).reverse();
      const [first, ...others] = records;
      const overlaps = first && others.length > 0 ? await overlapsOf(first, others, null) : [];
      return runInSlices(toScan(records.map(withUnit), overlaps, { alpha, leftOut: active.length - records.length }));
    },
    async novelty(first, second, options, caller) {
      const [a, b] = findTwo(first, second, options, caller);
      const answer = { experiment_a: await noveltyOf(a, options), experiment_b: await noveltyOf(b, options) };
      const isUnknown = Object.values(answer).every(({ warning }) => warning === "NO_METRIC");
      if (isUnknown && options.metric_id !== undefined) throw unknownMetric(options.metric_id);
      return answer;
    },
    noveltyOf(idOrKey, caller) {
      const record = requireVisible(experiments, idOrKey, caller);
      return noveltyOf(record, { alpha: record.alpha });
    },
  };
}

/** Whether an experiment has a metric, or may have one once events arrive. */
function mayHave({ metrics }: ExperimentRecord, idOrName: string): boolean {
  return metrics.length === 0 || metrics.some(({ id, name }) => id === idOrName || name === idOrName);
}

function unknownMetric(metric: string) {
  return invalid(["query", "metric_id"], `Neither experiment has a metric "${metric}"`, "unknown_metric");
}
