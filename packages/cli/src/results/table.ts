import { type ReportInput, type ReportRow, toSummary } from "@assay/console/report";

const COLUMNS: [name: keyof ReportRow, title: string][] = [
  ["metric", "Metric"],
  ["role", "Role"],
  ["treatment", "Treatment"],
  ["controlValue", "Control"],
  ["treatmentValue", "Value"],
  ["difference", "Difference"],
  ["interval", "Interval"],
  ["reading", "Reading"],
];
const NUMBERS: readonly (keyof ReportRow)[] = ["controlValue", "treatmentValue", "difference", "interval"];

/** Returns the decision, the effects and the warnings as text for a terminal. */
export function toTable(input: ReportInput): string {
  const { name, key, state, decision, sentence, facts, method, rows, warnings } = toSummary(input);
  const width = Math.max(...facts.map(({ label }) => label.length));
  const lines = [
    `${name} (${key}), ${state.toLowerCase()}`,
    "",
    decision,
    sentence,
    "",
    ...facts.map(({ label, value }) => `${label.padEnd(width)}  ${value}`),
    "",
    ...(rows.length > 0 ? [...toRows(rows), "", method] : ["No metrics."]),
    ...warnings.map((warning) => `Warning: ${warning}`),
  ];
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

function toRows(rows: readonly ReportRow[]): string[] {
  const widths = COLUMNS.map(([name, title]) => Math.max(title.length, ...rows.map((row) => row[name].length)));
  const toLine = (cells: readonly string[]) =>
    cells
      .map((cell, index) =>
        NUMBERS.includes(COLUMNS[index]![0]) ? cell.padStart(widths[index]!) : cell.padEnd(widths[index]!),
      )
      .join("  ");
  return [toLine(COLUMNS.map(([, title]) => title)), ...rows.map((row) => toLine(COLUMNS.map(([name]) => row[name])))];
}
