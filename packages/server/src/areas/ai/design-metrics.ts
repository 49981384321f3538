import type { DesignAssumption, ExperimentDesign } from "@assay/contract";
import type { Direction, Reading, ReadMetric } from "@assay/design";

type Metric = ExperimentDesign["metrics"][number];

/** Names of rates that fit the metric of any template. */
const GENERAL_NAMES = new Set(
  "conversion rate cvr success completion completions convert converts complete completes finish finishes conversions".split(
    " ",
  ),
);
/** Maximum length of a metric's name, in characters. A description may contain longer names. */
const MAX_NAME_LENGTH = 100;
/** Words for the same event. */
const SYNONYMS: Record<string, string> = {
  order: "purchase",
  buy: "purchase",
  bought: "purchase",
  book: "purchase",
  "sign-up": "signup",
  register: "signup",
  registration: "signup",
  ctr: "click",
  spend: "purchase",
  arpu: "revenue",
};

/**
 * Returns the metrics of a template, with the metric of the description as the primary one, and with its guardrails.
 *
 * @param direction direction of the primary metric
 */
export function toMetrics(
  templates: readonly Metric[],
  { metric, guardrails = [] }: Reading,
  direction: Direction,
): { metrics: Metric[]; assumptions: DesignAssumption[] } {
  const metrics = [...templates];
  const assumptions: DesignAssumption[] = [];
  const place = (read: ReadMetric, role: "PRIMARY" | "GUARDRAIL", towards: Direction) => {
    const found = metrics.findIndex((one) => isSame(one, read, role));
    const chosen = found >= 0 ? metrics[found]! : toMetric(read, metrics);
    if (found >= 0) metrics.splice(found, 1);
    else {
      const reason = `No template has the metric "${chosen.name}": send events of this type, or change the metric.`;
      assumptions.push({ field: "event_type", value: chosen.event_type, reason });
    }
    metrics.push({ ...chosen, role, direction: towards });
  };
  const primary = metrics.find(({ role }) => role === "PRIMARY")!;
  if (!metric) {
    const reason = `Not stated: the metric "${primary.name}" of the template.`;
    assumptions.push({ field: "metric", value: primary.id, reason });
  } else {
    metrics.splice(metrics.indexOf(primary), 1, { ...primary, role: "SECONDARY" });
    const isGeneral = metric.value.kind === "CONVERSION" && isGeneralName(metric.value.name);
    if (isGeneral) {
      metrics.splice(
        metrics.findIndex(({ id }) => id === primary.id),
        1,
        { ...primary, direction },
      );
      const reason = `Not stated: the event of the template's metric "${primary.name}".`;
      assumptions.push({ field: "event_type", value: primary.event_type, reason });
    } else place(metric.value, "PRIMARY", direction);
  }
  for (const guardrail of guardrails) place(guardrail, "GUARDRAIL", guardrail.improves);
  // The primary metric first, and the guardrails last.
  const order = ["PRIMARY", "SECONDARY", "GUARDRAIL"];
  return { metrics: metrics.sort((one, other) => order.indexOf(one.role) - order.indexOf(other.role)), assumptions };
}

const isGeneralName = (name: string) => name.split(" ").every((word) => GENERAL_NAMES.has(word));

function isSame(metric: Metric, read: ReadMetric, role: Metric["role"]): boolean {
  if (metric.kind !== read.kind || (role === "GUARDRAIL" && metric.role === "PRIMARY")) return false;
  if (metric.kind === "RATIO" || metric.kind === "QUANTILE") return false;
  const known = new Set(stemsOf(`${metric.name} ${metric.event_type.replaceAll("_", " ")}`));
  return stemsOf(read.name.replace(/ rate$| per .*/, "")).every((stem) => known.has(stem));
}

/** Words without endings: `Clicked` and `clicks` are `click`. */
function stemsOf(name: string): string[] {
  return name
    .toLowerCase()
    .split(" ")
    .map((word) => SYNONYMS[word.replace(/s$/, "")] ?? SYNONYMS[word] ?? word)
    .map((word) => word.replace(/(?:ed|es|s|e)$/, ""));
}

function toMetric({ name, kind, improves, quantile }: ReadMetric, others: readonly Metric[]): Metric {
  const event_type = slugOf(name.replace(/ rate$| per .*/, ""));
  const [, divisor] = / per (.*)$/.exec(name) ?? [];
  const taken = new Set(others.map(({ id }) => id));
  let id = slugOf(name);
  while (taken.has(id)) id += "_";
  return {
    id,
    name: [...name[0]!.toUpperCase(), ...name.slice(1)].slice(0, MAX_NAME_LENGTH).join(""),
    event_type,
    kind,
    ...(kind === "RATIO" ? { denominator_event_type: slugOf(divisor ?? "purchase") } : {}),
    ...(kind === "QUANTILE" && quantile !== undefined ? { quantile } : {}),
    direction: improves,
    role: "SECONDARY",
  };
}

/** Returns a name as a key, or `metric` for a name without any letter that a key may have. */
const slugOf = (name: string) =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
    .slice(0, 100) || "metric";
