import type { Look, MetricStatistics } from "@assay/analysis";
import type { Novelty } from "@assay/contract";
import { type Decision, noveltyTest } from "@assay/core/stats";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { armsOf } from "../../model/experiment-subject.ts";

/** How many hours after the first exposure a user's events count: the same for the first and the last users. */
export const WATCHED_HOURS = 24;
const DAY = 86_400_000;

/** Compares an arm, counted from 1, with control. */
export type Compare = (statistics: MetricStatistics, arm: number, alpha: number) => { compared: Decision };

/**
 * Computes the novelty of one experiment from its looks, whose cohorts contain what users did in their first day; of
 * the named metric, or else the first PRIMARY metric, or else the first.
 * @param now milliseconds since 1970; days whose users are not all past their first day are left out
 */
export function toNovelty(
  record: ExperimentRecord,
  looks: readonly Look[],
  { compare, alpha, now }: { compare: Compare; alpha: number; now: number },
): Novelty {
  const metrics = looks.at(-1)?.metrics.map(({ metric }) => metric) ?? [];
  const number = Math.max(
    0,
    metrics.findIndex(({ role }) => role === "PRIMARY"),
  );
  const metric = metrics[number] ?? null;
  const variant = armsOf(record)[1]?.key ?? null;
  const through = Math.min(now, record.ended_at === null ? now : Date.parse(record.ended_at));
  const watched = looks.filter(({ date }) => Date.parse(date) + DAY + WATCHED_HOURS * 3_600_000 <= through);
  const days = metric && variant ? byCalendar(watched).map((look) => toDay(look, number, compare, alpha)) : [];
  const test = noveltyTest(
    days.map(({ effect, standardError }) => ({ difference: effect, standardError })),
    { alpha },
  );
  const [early, late] = [test.early.difference, test.late.difference];
  const shrinks = early !== null && late !== null && Math.abs(late) < Math.abs(early);
  return {
    experiment_id: record.id,
    experiment_key: record.key,
    metric: metric?.name ?? null,
    metric_id: metric?.id ?? null,
    variant,
    daily: days.map(({ standardError: _, ...day }) => day),
    early_effect: early,
    late_effect: late,
    slope: test.slope,
    p_value: test.slopePValue,
    has_novelty: test.significant && shrinks,
    has_primacy: test.significant && !shrinks,
    warning:
      variant === null
        ? "ONE_ARM"
        : looks.length > 0 && !metric
          ? "NO_METRIC"
          : test.status === "OK"
            ? null
            : "TOO_FEW_DAYS",
  };
}

interface Day {
  date: string;
  look: Look | null;
}

/** Lists all days from the first to the last, including days without users. */
function byCalendar(looks: readonly Look[]): Day[] {
  const [first, last] = [looks[0], looks.at(-1)];
  if (!first || !last) return [];
  const byDate = new Map(looks.map((look) => [look.date, look]));
  const length = (Date.parse(last.date) - Date.parse(first.date)) / DAY + 1;
  return Array.from({ length }, (_, index) => {
    const date = new Date(Date.parse(first.date) + index * DAY).toISOString().slice(0, 10);
    return { date, look: byDate.get(date) ?? null };
  });
}

function toDay({ date, look }: Day, metric: number, compare: Compare, alpha: number) {
  const cohort = look?.cohort ?? null;
  const statistics = cohort?.metrics[metric];
  const compared = statistics ? compare(statistics, 1, alpha).compared : null;
  return {
    date,
    n_control: cohort?.users[0] ?? 0,
    n_treatment: cohort?.users[1] ?? 0,
    effect: compared?.difference ?? null,
    ci: compared?.confidenceInterval ?? null,
    standardError: compared?.standardError ?? null,
  };
}
