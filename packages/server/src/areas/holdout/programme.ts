import type { SufficientStatistics } from "@assay/analysis";
import type { HoldoutProgramme, MetricResult } from "@assay/contract";
import { type EffectLaw, effectLaw, MIN_EXPERIMENTS } from "@assay/core/stats/shrinkage";
import { mapInSlices } from "../../ground/slices.ts";
import type { Caller } from "../../model/caller.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { shippedArm } from "../../model/experiment-outcome.ts";
import { isVisible } from "../../model/experiment-visibility.ts";
import type { HoldoutRecord } from "../../model/holdout.ts";
import type { PastLift, PastLifts } from "../../model/lift.ts";
import type { Collection } from "../../storage/collection.ts";

/** What a holdout has measured: a row per metric. */
interface Measured {
  statistics: Pick<SufficientStatistics, "metrics">;
  metrics: readonly MetricResult[];
}

/** Sums up what was shipped while a holdout was active, of the experiments that the caller may see. */
export type ProgrammeOf = (holdout: HoldoutRecord, measured: Measured, caller: Caller) => Promise<HoldoutProgramme>;

/** A shipped lift, and its place in the law of its kind; without a law where too few experiments are known. */
interface Shipped {
  lift: PastLift;
  place: number;
  law: EffectLaw | null;
  /** The probability that the true effect is none or harm; null without a law. */
  falseSign: number | null;
}

export function createProgramme(deps: {
  experiments: Pick<Collection<ExperimentRecord>, "all">;
  pastLifts: PastLifts;
}): ProgrammeOf {
  return async (holdout, measured, caller) => {
    const experiments = deps.experiments
      .all()
      .filter((experiment) => isVisible(experiment, caller) && isShippedIn(experiment, holdout));
    const ids = new Set(experiments.map(({ id }) => id));
    const found = experiments.length === 0 ? [] : toShipped(await deps.pastLifts(caller), ids);
    const lifts = await mapInSlices(found, (one): Shipped => ({ ...one, falseSign: falseSignOf(one) }));
    const assessed = experiments.flatMap(({ id, metrics }) => {
      const own = lifts.filter(({ lift, law }) => lift.experiment.id === id && law !== null);
      const first = metrics.find((metric) => own.some(({ lift }) => lift.metric.id === metric.id));
      return own.filter(({ lift }) => lift.metric.id === first?.id);
    });
    const expected = assessed.length === 0 ? null : falseOnes(assessed);
    return {
      shipped: experiments.length,
      assessed: assessed.length,
      expected_false: expected,
      false_discovery_rate: expected === null ? null : expected / assessed.length,
      effects: byMetric(lifts).map((own) => toEffect(own, measured)),
    };
  };
}

function isShippedIn(experiment: ExperimentRecord, { started_at, ended_at }: HoldoutRecord): boolean {
  const at = experiment.ended_at;
  if (shippedArm(experiment) === null || at === null || started_at === null) return false;
  return at >= started_at && (ended_at === null || at <= ended_at);
}

/** The lifts of the arms that these experiments shipped, in the law of all lifts of their kind. */
function toShipped(past: readonly PastLift[], ids: ReadonlySet<string>): Omit<Shipped, "falseSign">[] {
  const kinds = [...new Set(past.map(({ metric }) => metric.kind))];
  return kinds.flatMap((kind) => {
    const alike = past.filter(({ metric }) => metric.kind === kind);
    const count = new Set(alike.map(({ experiment }) => experiment.id)).size;
    const isShipped = ({ experiment, variant }: PastLift) =>
      ids.has(experiment.id) && shippedArm(experiment) === variant;
    if (!alike.some(isShipped)) return [];
    // Each has at least so many others.
    const law = count > MIN_EXPERIMENTS ? effectLaw(alike) : null;
    return alike.flatMap((lift, place) => (isShipped(lift) ? [{ lift, place, law }] : []));
  });
}

/** By event type, kind and direction. */
function byMetric(lifts: readonly Shipped[]): Shipped[][] {
  const groups = new Map<string, Shipped[]>();
  for (const one of lifts) {
    const { event_type, kind, direction } = one.lift.metric;
    const name = JSON.stringify([event_type, kind, direction]);
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  return [...groups.values()];
}

function falseSignOf({ law, place }: Pick<Shipped, "law" | "place">): number | null {
  return law && 1 - law.sumOf([place]).chanceToWin;
}

function falseOnes(lifts: readonly Shipped[]): number {
  return lifts.reduce((sum, { falseSign }) => sum + (falseSign ?? 0), 0);
}

function toEffect(lifts: readonly Shipped[], measured: Measured): HoldoutProgramme["effects"][number] {
  const { law, lift } = lifts[0]!;
  const { event_type, kind, direction } = lift.metric;
  const sign = direction === "DECREASE" ? -1 : 1;
  const sum = law?.sumOf(lifts.map(({ place }) => place));
  const [low, high] = sum?.interval ?? [0, 0];
  const same = measured.statistics.metrics.find(
    ({ metric }) => metric.event_type === event_type && metric.kind === kind,
  );
  const row = measured.metrics.find(({ metric_id }) => metric_id === same?.metric.id);
  return {
    event_type,
    kind,
    shipped: lifts.length,
    observed_lift: sign * lifts.reduce((total, one) => total + one.lift.estimate, 0),
    corrected_lift: sum ? sign * sum.mean : null,
    corrected_interval: sum ? (sign > 0 ? [low, high] : [-high, -low]) : null,
    expected_false: law ? falseOnes(lifts) : null,
    holdout_lift: row?.relative_difference ?? null,
    holdout_interval: row?.relative_confidence_interval ?? null,
  };
}
