import type { FlagSafety, SafetyMetric, SafetyMetricInput, SafetySettings } from "@assay/client";
import { toPercent } from "../parts/format.ts";
import { TEXT } from "../text.ts";
import { toPoints } from "./words.ts";

/** A monitored metric as the editor has it: numbers are the text that the user types, rates in percent. */
export interface MetricDraft {
  name: string;
  event: string;
  aggregation: SafetyMetric["aggregation"];
  comparison: SafetyMetric["comparison"];
  warning: string;
  critical: string;
  minUsers: string;
}

export interface SafetyDraft {
  /** `common` takes what the settings of all flags say. */
  automatic: "common" | "on" | "off";
  /** Minutes; empty takes those of the settings of all flags. */
  window: string;
  metrics: MetricDraft[];
  /** Metrics of all flags that this flag does not watch. */
  ignored: string[];
}

export const NEW_METRIC: MetricDraft = {
  name: "",
  event: "",
  aggregation: "RATE",
  comparison: "GREATER_THAN",
  warning: "",
  critical: "",
  minUsers: "100",
};

const scaleOf = (aggregation: SafetyMetric["aggregation"]) => (aggregation === "RATE" ? 100 : 1);

function toMetricDraft([name, metric]: [string, SafetyMetric]): MetricDraft {
  const { event_type, aggregation, comparison, warning_threshold, critical_threshold, min_users } = metric;
  const say = (value: unknown) =>
    typeof value === "number" ? String(Number((value * scaleOf(aggregation)).toFixed(8))) : "";
  return {
    name,
    event: event_type,
    aggregation,
    comparison,
    warning: say(warning_threshold),
    critical: say(critical_threshold),
    minUsers: String(min_users),
  };
}

const toAutomatic = (value: boolean | null) => (value === null ? "common" : value ? "on" : "off");

export const ofSettings = ({ automatic_rollback, window_minutes, metrics }: SafetySettings): SafetyDraft => ({
  automatic: toAutomatic(automatic_rollback),
  window: String(window_minutes),
  metrics: Object.entries(metrics).map(toMetricDraft),
  ignored: [],
});

export function ofFlag({ overrides }: FlagSafety): SafetyDraft {
  const { automatic_rollback, window_minutes, metrics } = overrides;
  const own = Object.entries(metrics).filter((entry): entry is [string, SafetyMetric] => entry[1] !== null);
  return {
    automatic: toAutomatic(automatic_rollback),
    window: window_minutes === null ? "" : String(window_minutes),
    metrics: own.map(toMetricDraft),
    ignored: Object.keys(metrics).filter((name) => metrics[name] === null),
  };
}

/** Names of the metrics of all flags, which this flag watches unless it ignores them. */
export function inheritedBy({ metrics, overrides }: FlagSafety): string[] {
  const inherited = Object.keys(metrics).filter((name) => !(name in overrides.metrics));
  return [...inherited, ...Object.keys(overrides.metrics).filter((name) => overrides.metrics[name] === null)].sort();
}

/** Returns the body of the change. */
export function fromDraft({ automatic, window, metrics, ignored }: SafetyDraft) {
  const watched = metrics.map(({ name, event, aggregation, comparison, warning, critical, minUsers }) => {
    const read = (text: string) => (text.trim() === "" ? null : Number(text) / scaleOf(aggregation));
    const metric: SafetyMetricInput = {
      event_type: event,
      aggregation,
      comparison,
      warning_threshold: read(warning),
      critical_threshold: read(critical),
      min_users: Number(minUsers),
    };
    return [name, metric] as const;
  });
  return {
    automatic_rollback: automatic === "common" ? null : automatic === "on",
    window_minutes: window.trim() === "" ? null : Number(window),
    metrics: Object.fromEntries([...ignored.map((name) => [name, null] as const), ...watched]),
  };
}

type Aggregation = SafetyMetric["aggregation"] | undefined;

/** A value of a metric: rates in percent. */
export function sayValue(value: unknown, aggregation: Aggregation): string {
  if (typeof value !== "number") return TEXT.diff.absent;
  return aggregation === "RATE" ? toPercent(value * 100) : String(Number(value.toPrecision(4)));
}

/** A difference of a metric: rates in percentage points. */
export function sayDifference(value: number, aggregation: Aggregation): string {
  if (aggregation === "RATE") return toPoints(value);
  return `${value > 0 ? "+" : ""}${Number(value.toPrecision(4))}`;
}
