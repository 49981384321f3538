import { comparisonChart } from "@assay/simulations/chart";
import type { Group, Picture } from "../measure/group.ts";
import { createLookup, type Measurement } from "../measure/measurement.ts";
import { written } from "../measure/number.ts";
import { spreadOf } from "../measure/statistics.ts";
import { judge, type Verdict } from "../measure/target.ts";
import type { StoredRun } from "./stored-run.ts";

/** Returns what became of the targets of a group. */
export function verdictsOf({ targets }: Group, { measurements }: Pick<StoredRun, "measurements">): Verdict[] {
  const lookup = createLookup(measurements);
  return targets.map((target) => judge(target, lookup));
}

/** Draws the chart of a group. */
export function pictureOf({ name, title, chart }: Group, { measurements }: StoredRun): Picture {
  const shown = measurements.filter((one) => chart.cases.includes(one.case));
  const subjects = [...new Set(shown.map(({ subject }) => subject))];
  const series = chart.cases.map((caseName) => ({
    name: caseName,
    spreads: subjects.map((subject) => {
      const found = shown.find((one) => one.case === caseName && one.subject === subject);
      return found ? spreadOf(found.rounds) : null;
    }),
  }));
  return {
    file: `benchmarks/${name}.svg`,
    caption: `${title}: ${chart.axis}, on a logarithmic axis; medians, and the quartiles as lines.`,
    chart: comparisonChart(chart.axis, subjects, series),
  };
}

/** Writes the section of a group as Markdown. */
export function toSection(group: Group, run: StoredRun): string {
  const { file, caption } = pictureOf(group, run);
  return [
    `## ${group.title}`,
    group.setting,
    `Measured by \`${run.command}\` on ${run.date}: ${run.machine}.`,
    targetTable(verdictsOf(group, run)),
    `![${caption}](${file})\n\n${caption}`,
    ...tablesOf(run.measurements),
    ...versionsOf(run),
  ].join("\n\n");
}

/** Writes a table for each case, with its medians and quartiles. */
export function tablesOf(measurements: readonly Measurement[]): string[] {
  return casesOf(measurements).map(([name, own]) => caseTable(name, own));
}

function targetTable(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(({ target, outcome, value, explanation }) => {
    const bound = `${target.bound.kind === "atLeast" ? "≥" : "≤"} ${written(target.bound.value)}`;
    const result =
      outcome === "explained" ? `missed: ${explanation}` : outcome === "reached" ? "reached" : `**${outcome}**`;
    return `| ${target.claim} | ${bound} | ${value === null ? "" : written(value)} | ${result} |`;
  });
  return ["| Target | Bound | Measured | |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function casesOf(measurements: readonly Measurement[]): [string, Measurement[]][] {
  const cases = new Map<string, Measurement[]>();
  for (const one of measurements) cases.set(one.case, [...(cases.get(one.case) ?? []), one]);
  return [...cases];
}

function caseTable(name: string, measurements: readonly Measurement[]): string {
  const [first] = measurements;
  const rows = measurements.map(({ subject, rounds }) => {
    const { median, low, high } = spreadOf(rounds);
    return `| ${subject} | ${written(median)} | ${written(low)} to ${written(high)} | ${rounds.length} |`;
  });
  return [
    `### ${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    "",
    `| | Median, ${first!.unit} | Quartiles | Rounds |`,
    "| --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

function versionsOf({ versions }: StoredRun): string[] {
  const names = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return names.length > 0 ? [`Versions: ${names.join(", ")}.`] : [];
}
