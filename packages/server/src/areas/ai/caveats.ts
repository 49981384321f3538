import type { Interpretation } from "@assay/contract";
import { isUnshown, within } from "./hypothesis-words.ts";
import { type Finding, isWorse, number, type Reading } from "./interpretation.ts";

type Caveat = Interpretation["caveats"][number];

const WEEK = 7 * 86_400_000;
/** A usual relative effect. Without the power to detect it, "no effect" is weak evidence. */
const USUAL_LIFT = 0.1;

/** Caveats for missing events. */
const GONE: readonly Caveat[] = [
  {
    code: "EVENTS_REMOVED",
    message: "The experiment's first events are older than the server keeps them: its first users are missing.",
  },
  {
    code: "EVENTS_DAMAGED",
    message: "A record of the event log failed its checksum: events of this experiment may be missing.",
  },
  {
    code: "EVENTS_DELAYED",
    message: "The event engine does not have the latest events yet: the results will change once it has.",
  },
];

/** Caveats about users assigned in clusters. */
const CLUSTERED: readonly Caveat[] = [
  {
    code: "CLUSTER_UNKNOWN",
    message: "Users whose exposures lack the attribute that the experiment buckets by are left out.",
  },
  {
    code: "FEW_CLUSTERS",
    message: "An arm has fewer than 10 clusters of users, or effectively so, which makes the results unreliable.",
  },
  {
    code: "PERIODS_MISALIGNED",
    message: "The periods of the attribute that the experiment buckets by are not those of its switchback.",
  },
  {
    code: "CARRY_OVER",
    message: "What users do depends on the arm they had in the period before, so the effect is too small or too large.",
  },
  {
    code: "UNITS_NOT_INDEPENDENT",
    message:
      "Users were assigned together but are compared as if assigned individually: effects may be false positives.",
  },
];

/** Returns a caveat for every property of the data that lowers the trust in its results, with the numbers. */
export function toCaveats(reading: Reading): Caveat[] {
  const { results } = reading;
  const gone = GONE.filter(({ code }) => results.analysis_warnings.includes(code));
  if (reading.users === 0) return [{ code: "NO_DATA", message: "There are no users to compare." }, ...gone];
  const found: (Caveat | null)[] = [
    sampleRatio(reading),
    results.crossover === 0
      ? null
      : { code: "CROSSOVER", message: `${results.crossover} users were seen in two arms and left out.` },
    ...reading.findings.filter(isPeeked).map(
      ({ row }): Caveat => ({
        code: "PEEKING",
        message: `${row.name}, ${row.variant}: p ${number(row.p_value)} counts only at the planned size, once; no test that may be read at any time agrees.`,
      }),
    ),
    bayesDisagrees(reading),
    lowPower(reading),
    changing(reading),
    ...reading.findings
      .filter((one) => one.isGuardrail && isWorse(one))
      .map(({ row }): Caveat => ({ code: "GUARDRAIL", message: `${row.name} is worse for ${row.variant}.` })),
    ...reading.findings.filter(isUnshown).map(
      ({ row }): Caveat => ({
        code: "MARGIN_NOT_SHOWN",
        message: `${row.name}, ${row.variant}: ${within(row)} is not shown; that no harm is significant does not show it.`,
      }),
    ),
    results.analysis_warnings.includes("MARGIN_CHANGED")
      ? {
          code: "MARGIN_CHANGED",
          message:
            "A hypothesis or margin was changed after the start: one that follows from the results shows nothing.",
        }
      : null,
    manyComparisons(reading),
    reading.results.metrics.some(({ role }) => role === "PRIMARY")
      ? null
      : {
          code: "NO_PRIMARY_METRIC",
          message:
            "No metric is PRIMARY, so the first one is used; do not choose the metric after you see the results.",
        },
    shortRun(reading),
    ...CLUSTERED.filter(({ code }) => results.analysis_warnings.includes(code)),
    results.analysis_warnings.includes("EXPOSURES_INFERRED")
      ? {
          code: "EXPOSURES_INFERRED",
          message: "Some exposures were inferred from outcomes, so conversion rates mean nothing.",
        }
      : null,
    reading.sequential.analysis_warnings.includes("PERIODS_POOLED")
      ? {
          code: "PERIODS_POOLED",
          message:
            "The weights have changed, and the tests that may be read at any time do not tell the periods apart.",
        }
      : null,
    reading.sequential.analysis_warnings.includes("ONE_LOOK")
      ? { code: "ONE_LOOK", message: "All data was received on one day, so there is only one daily look." }
      : null,
  ];
  return [...found.filter((caveat) => caveat !== null), ...gone];
}

function sampleRatio({ results: { srm } }: Reading): Caveat | null {
  if (!srm.warning) return null;
  const sizes = Object.entries(srm.observed).map(
    ([arm, users]) => `${arm} ${users} for ${number(srm.expected[arm] ?? 0)}`,
  );
  return {
    code: "SRM",
    message: `Sample ratio mismatch, p ${number(srm.anytime_p_value ?? 0)}: ${sizes.join(", ")} expected.`,
  };
}

/** Whether a row is significant only by a fixed-horizon test, on another day than the planned one. */
function isPeeked({ row, establishedBy, isPrimary }: Finding): boolean {
  return isPrimary && row.is_significant && establishedBy === null;
}

/**
 * Returns a caveat if a significant primary metric contradicts the Bayes factor. The factor weighs the effects that the
 * prior expects, so with many users a wide prior favours no effect.
 */
function bayesDisagrees({ results, findings }: Reading): Caveat | null {
  const bayes = results.bayesian_results;
  if (bayes?.decision !== "ACCEPT_NULL") return null;
  const found = findings.find(
    ({ row, isPrimary }) => isPrimary && row.metric_id === bayes.metric_id && row.is_significant,
  );
  if (!found) return null;
  const factor = bayes.bayes_factor === null ? "below its limit" : number(bayes.bayes_factor);
  return {
    code: "BAYES_DISAGREES",
    message: `${found.row.name}, ${found.row.variant}: p ${number(found.row.p_value)}, but the Bayes factor ${factor} favours no effect, because the prior expects larger effects than this one.`,
  };
}

function lowPower({ findings, record, results, users, hasEnded }: Reading): Caveat | null {
  const planned = record.planned_sample_size;
  if (planned !== null && !hasEnded) {
    const { days_left: days, users_per_day: rate } = results.progress;
    const left = days && rate ? `; ${days} ${days === 1 ? "day" : "days"} left at ${number(rate)} a day` : "";
    return { code: "LOW_POWER", message: `${users} of ${planned} planned users so far${left}.` };
  }
  const weak = findings.find(
    ({ row, isPrimary, establishedBy, detectable }) =>
      isPrimary &&
      establishedBy === null &&
      detectable !== null &&
      row.control_value !== 0 &&
      detectable > USUAL_LIFT * Math.abs(row.control_value),
  );
  if (!weak) return null;
  const share = number((100 * weak.detectable!) / Math.abs(weak.row.control_value));
  return {
    code: "LOW_POWER",
    message: `${weak.row.name}: this much data finds only effects of ${share} % of control and more, at 80 % power.`,
  };
}

function changing({ novelty }: Reading): Caveat | null {
  if (!novelty.has_novelty && !novelty.has_primacy) return null;
  const [early, late] = [number(novelty.early_effect ?? 0), number(novelty.late_effect ?? 0)];
  const message = `${novelty.metric}, ${novelty.variant}: the effect changes with the days, ${early} in the first half and ${late} in the second.`;
  return { code: "NOVELTY", message };
}

function manyComparisons({ findings, record }: Reading): Caveat | null {
  const lost = findings.filter(({ row }) => row.is_significant && (row.adjusted_p_value ?? 1) >= record.alpha);
  if (lost.length === 0) return null;
  const names = lost.map(({ row }) => `${row.name} (${row.variant})`).join(", ");
  return {
    code: "MULTIPLE_COMPARISONS",
    message: `Significant alone, but not among ${findings.length} comparisons: ${names}.`,
  };
}

function shortRun({ record, results }: Reading): Caveat | null {
  if (record.started_at === null) return null;
  const lasted = Date.parse(record.ended_at ?? results.computed_at) - Date.parse(record.started_at);
  if (lasted >= WEEK) return null;
  return {
    code: "SHORT_RUN",
    message: "The experiment ran for less than a week, so it does not include every day of the week.",
  };
}
