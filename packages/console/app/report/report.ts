import type { Experiment, Overview, Results } from "@assay/client";
import { toEffects } from "../experiments/effects.ts";
import { toArmValue, toDifference, toInterval, toP } from "../experiments/numbers.ts";
import { toCount, toPercent } from "../parts/format.ts";
import { TEXT } from "../text.ts";

const { results: words, report: own } = TEXT;

/** What a report is made of: the answers of three routes of the API. */
export interface ReportInput {
  /** Of `GET /experiments/{experiment_id}`. */
  experiment: Experiment;
  /** Of `GET /results/{experiment_id}/overview`. */
  overview: Overview;
  /** Of `GET /results/{experiment_id}`. */
  results: Results;
}

/** The effect of one treatment on one metric, as people read it. */
export interface ReportRow {
  metric: string;
  role: string;
  treatment: string;
  /** The value of the control: a percentage for rates. */
  controlValue: string;
  treatmentValue: string;
  /** Treatment less control: percentage points for rates; a dash without an estimate. */
  difference: string;
  interval: string;
  reading: string;
}

/** The results of an experiment in words, with the numbers of the console. */
export interface ReportSummary {
  name: string;
  key: string;
  state: string;
  hypothesis: string;
  decision: string;
  sentence: string;
  reasons: string[];
  facts: { label: string; value: string }[];
  warnings: string[];
  /** The test that decides, its level and the number of users. */
  method: string;
  rows: ReportRow[];
}

/** `2026-03-07 10:00 UTC`, the same for every reader. */
export const toUtcMinute = (time: string) => `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** Says what an experiment has shown. */
export function toSummary({ experiment, overview, results }: ReportInput): ReportSummary {
  const { decision, srm, planned_users, users } = overview;
  const control = overview.variants.find(({ is_control }) => is_control)?.key ?? "";
  const planned = planned_users === null ? words.unplanned : words.planned(toCount(planned_users));
  const observed = overview.variants.map((one) => `${one.key} ${toCount(one.users)}`).join(" : ");
  const p = srm.anytime_p_value;
  const [first] = overview.metrics;
  const levels = [...new Set(overview.metrics.map(({ level }) => toPercent(level * 100)))].join(TEXT.words.and);
  const crossover = results.crossover > 0 ? [words.crossover(toCount(results.crossover))] : [];
  return {
    name: experiment.name,
    key: experiment.key,
    state: TEXT.experiments.states[experiment.status],
    hypothesis: experiment.hypothesis,
    decision: words.verdicts[decision.action](decision.variant ?? "", control),
    sentence: decision.sentence,
    reasons: decision.reasons,
    facts: [
      { label: words.users, value: `${toCount(users)} ${planned}` },
      {
        label: words.split,
        value: srm.state ? `${words.splits[srm.state]}, ${words.splitHint[srm.state]}` : TEXT.diff.absent,
      },
      { label: own.arms, value: p === null ? observed : words.srm(observed, toP(p)) },
      ...(experiment.winner ? [{ label: TEXT.experiments.winner, value: experiment.winner }] : []),
      { label: own.computed, value: toUtcMinute(overview.computed_at) },
    ],
    warnings: [...overview.warnings.map(({ message }) => message), ...crossover],
    method: first ? words.methods[first.method](levels, toCount(users)) : "",
    rows: toEffects(experiment, overview, results).map((effect) => ({
      metric: effect.metric,
      role: words.roles[effect.role],
      treatment: effect.variant,
      controlValue: toArmValue(effect.control, effect),
      treatmentValue: toArmValue(effect.treatment, effect),
      difference: effect.difference === null ? TEXT.diff.absent : toDifference(effect.difference, effect.isRate),
      interval: effect.interval ? toInterval(effect.interval, effect.isRate) : TEXT.diff.absent,
      reading: words.readings[effect.reading],
    })),
  };
}
