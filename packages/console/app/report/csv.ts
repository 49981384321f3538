import { stringify } from "csv-stringify/browser/esm/sync";
import type { ReportInput } from "./report.ts";

/**
 * The effects as CSV with a header: one line for each metric and treatment, numbers in full precision. Formulas are
 * escaped, so that a spreadsheet does not run them.
 */
export function toCsv({ overview }: ReportInput): string {
  const control = overview.variants.find(({ is_control }) => is_control)?.key ?? "";
  const rows = overview.metrics.map((row) => ({
    experiment: overview.experiment_key,
    metric: row.name,
    metric_id: row.metric_id,
    role: row.role,
    direction: row.direction,
    control,
    treatment: row.variant,
    control_users: row.n.control,
    treatment_users: row.n.treatment,
    control_value: row.control_value,
    treatment_value: row.treatment_value,
    difference: row.difference,
    interval_low: row.interval?.[0],
    interval_high: row.interval?.[1],
    lift: row.lift,
    lift_low: row.lift_interval?.[0],
    lift_high: row.lift_interval?.[1],
    level: row.level,
    method: row.method,
    reading: row.reading,
    conclusion: row.conclusion,
    status: row.status,
  }));
  return stringify(rows, { header: true, record_delimiter: "windows", escape_formulas: true });
}
