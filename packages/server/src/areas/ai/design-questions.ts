import type { DesignQuestion, DesignReading, DesignRequest } from "@assay/contract";
import { type Doubt, type Missing, missingOf, type Reading } from "@assay/design";
import { isMean } from "./design-plan.ts";

/** Lists the values in the description by the fields of a design. */
export function toReadings({ metric, effect, ...reading }: Reading): DesignReading[] {
  const isRate = metric?.value.kind === "CONVERSION";
  const values = [
    ["metric_kind", metric && { value: metric.value.kind, text: metric.text }],
    ["direction", reading.direction],
    [isRate ? "baseline_rate" : "mean", reading.baseline],
    ["standard_deviation", reading.standardDeviation],
    [
      effect?.value.relative ? "relative_effect" : "absolute_effect",
      effect && { ...effect, value: effect.value.value },
    ],
    ["daily_users", reading.dailyUsers],
    ["variants", reading.arms],
    ["weights", reading.split && { ...reading.split, value: reading.split.value.join("/") }],
    ["alpha", reading.alpha],
    ["power", reading.power],
    ["days", reading.days],
  ] as const;
  return values.flatMap(([field, said]) => (said ? [{ field, value: said.value, text: said.text }] : []));
}

/** Lists the questions: values that neither the description nor the request gives, and doubts. */
export function toQuestions(request: DesignRequest, reading: Reading, unusable: readonly Doubt[]): DesignQuestion[] {
  const mean = isMean(request, reading);
  const given: Partial<Record<Missing, boolean>> = {
    metric: request.baseline_rate !== undefined || request.mean !== undefined,
    direction: request.direction !== undefined,
    baseline: request.baseline_rate !== undefined || request.mean !== undefined,
    effect: request.mde !== undefined,
    standard_deviation: request.standard_deviation !== undefined || !mean,
    traffic: request.daily_users !== undefined,
  };
  const doubts = [...reading.doubts, ...unusable];
  const missing = new Set(missingOf(reading));
  // A number that was read as a mean does not answer the question of the standard deviation.
  if (mean && reading.standardDeviation === undefined) missing.add("standard_deviation");
  for (const { about } of unusable) if (about !== "power") missing.add(about);
  const open = [...missing].filter((name) => given[name] !== true);
  const reasonOf = (name: string) =>
    [...new Set(doubts.filter(({ about }) => about === name).map(({ reason }) => reason))].join(" ");
  const ask = (name: Missing) => {
    const [field, question] = questionOf(name, reading, mean);
    return { field, question: `${reasonOf(name)} ${question}`.trim() };
  };
  const levels = reasonOf("power");
  return [
    ...open.map(ask),
    ...(levels ? [{ field: "power", question: `${levels} What power is wanted?` }] : []),
    ...reading.unread.map((text) => ({
      field: "description",
      question: `What does "${text}" mean? The design does not use it.`,
    })),
  ];
}

function questionOf(
  name: Missing,
  { metric, audience = [] }: Reading,
  mean: boolean,
): [field: string, question: string] {
  const subject = metric ? `"${metric.value.name}"` : "the metric";
  switch (name) {
    case "metric":
      return ["description", "Which metric decides, and is it a share of users, a mean or a count per user?"];
    case "direction":
      return ["direction", `Is ${subject} to increase or to decrease?`];
    case "baseline":
      return [mean ? "mean" : "baseline_rate", `What is ${subject} today?`];
    case "effect":
      return ["mde", `What is the smallest change of ${subject} worth finding?`];
    case "standard_deviation":
      return ["standard_deviation", deviationQuestion(metric?.value.kind, subject)];
    case "traffic":
      return ["daily_users", "How many users a day enter the experiment?"];
    case "audience": {
      const groups = audience.map((group) => `"${group}"`).join(" and ");
      return ["description", `By which attribute or segment are ${groups} known? Add it to targeting_rules.`];
    }
  }
}

function deviationQuestion(kind: string | undefined, subject: string): string {
  if (kind !== "QUANTILE" && kind !== "RATIO") return `What is the standard deviation of ${subject} among users?`;
  return `What is the standard error of ${subject} in control, times the square root of its number of users?`;
}
