import type { MetricResult, Results } from "@assay/contract";
import type { ExperimentRecord } from "../../model/experiment.ts";

/** Maximum number of rows in a comment. The results contain the rest. */
const MAX_ROWS = 20;

/** Returns the comment on a completed experiment, in plain text that every tracker shows unchanged. */
export function toComment(experiment: ExperimentRecord, results: Results | null): string {
  const { key, winner } = experiment;
  const lines = [`Assay: experiment ${key} is COMPLETED${winner ? `, ${winner} wins` : ""}.`];
  if (!results || results.metrics.length === 0) return [...lines, "There is no data to show."].join("\n");
  const { control, treatment } = results.sample_size;
  lines.push(`Users: ${control} in control, ${treatment} in treatment.`);
  if (results.srm.warning) lines.push("Sample ratio mismatch: the split is not the one configured, do not trust this.");
  const rows = [...results.metrics].sort((a, b) => ROLES.indexOf(a.role) - ROLES.indexOf(b.role));
  lines.push(...rows.slice(0, MAX_ROWS).map(toLine));
  if (rows.length > MAX_ROWS) lines.push(`and ${rows.length - MAX_ROWS} more`);
  return lines.join("\n");
}

const ROLES = ["PRIMARY", "GUARDRAIL", "SECONDARY"];

function toLine(row: MetricResult): string {
  const name = `${plain(row.name)} (${row.role.toLowerCase()}), ${row.variant}`;
  if (row.status !== "OK") return `- ${name}: ${row.status}`;
  const change = row.relative_difference === null ? "" : `, ${signed(row.relative_difference * 100)} %`;
  const interval = row.confidence_interval?.map(number).join(" to ");
  return (
    `- ${name}: ${number(row.control_value)} to ${number(row.treatment_value)}${change}` +
    `${interval ? `, difference ${interval}` : ""}, p = ${number(row.adjusted_p_value ?? row.p_value)}` +
    `${row.is_significant ? ", significant" : ""}`
  );
}

function number(value: number): string {
  return String(Number(value.toPrecision(4)));
}

function signed(value: number): string {
  return `${value > 0 ? "+" : ""}${Number(value.toPrecision(3))}`;
}

/** Strips markup, links and mentions from a user-chosen name. */
function plain(text: string): string {
  return text
    .replace(/[<>[\]{}|`*_~#!\\]/g, " ")
    .replace(/@|:(?=\/\/)/g, "$&\u200b")
    .replace(/\s+/g, " ")
    .trim();
}
