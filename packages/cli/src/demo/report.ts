import type { Metric, MetricResult, Results } from "@assay/client";
import { toTable } from "./table.ts";

const HEADER = ["metric", "control", "treatment", "difference", "95% interval", "relative", "p", "verdict"];

/** Formats the results of an experiment as a table. */
export function toReport(results: Results, metrics: Metric[]): string {
  const rows = results.metrics.map((row) => toRow(row, metrics));
  const { srm, sample_size, variants } = results;
  const arms = variants.map(({ key, sample_size }) => `${key} ${count(sample_size)}`).join(", ");
  const split = srm.warning ? "NOT the configured split, find out why first" : "no mismatch (warns below 0.001)";
  return [
    toTable(HEADER, rows),
    "",
    `Users: ${count(sample_size.control + sample_size.treatment)} (${arms})`,
    `Sample ratio: p = ${srm.p_value === null ? "–" : toP(srm.p_value)}, ${split}`,
  ].join("\n");
}

function toRow(row: MetricResult, metrics: Metric[]): string[] {
  const isShare = row.kind === "CONVERSION";
  const show = (value: number) => (isShare ? `${(value * 100).toFixed(2)} %` : value.toFixed(3));
  const change = (value: number) => signed(isShare ? `${(value * 100).toFixed(2)} pp` : value.toFixed(3));
  const [low, high] = row.confidence_interval ?? [];
  return [
    `${row.name}${row.role === "PRIMARY" ? " *" : ""}`,
    show(row.control_value),
    show(row.treatment_value),
    change(row.difference),
    low === undefined || high === undefined ? "–" : `${change(low)} … ${change(high)}`,
    row.relative_difference === null ? "–" : `${signed((row.relative_difference * 100).toFixed(2))} %`,
    toP(row.p_value),
    verdict(row, metrics),
  ];
}

/** Says whether the treatment is better, in the direction of the metric. */
function verdict({ metric_id, is_significant, difference }: MetricResult, metrics: Metric[]): string {
  if (!is_significant) return "no difference shown";
  const direction = metrics.find(({ id }) => id === metric_id)?.direction ?? "INCREASE";
  return difference > 0 === (direction === "INCREASE") ? "better" : "worse";
}

function toP(p: number): string {
  return p < 0.0001 ? "< 0.0001" : p.toFixed(4);
}

function signed(text: string): string {
  return text.startsWith("-") ? text.replace("-", "−") : `+${text}`;
}

function count(number: number): string {
  return number.toLocaleString("en");
}
