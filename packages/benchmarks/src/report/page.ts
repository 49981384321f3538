import type { Group } from "../measure/group.ts";
import { isFine } from "../measure/target.ts";
import { toSection, verdictsOf } from "./section.ts";
import type { StoredRun } from "./stored-run.ts";

const HEAD = `# Benchmarks

\`pnpm bench\` measures Assay, its peers and the floors in one run, and writes this page and its charts. Only ratios of one run
mean anything on another machine: the figures of a row were measured in turns (A B C A B C …), and a ratio is the median of the
ratios of each round. Quartiles say how much rounds differ. No test asserts a time.

\`pnpm bench --only=http\` measures one group, \`--quick\` measures shorter, and \`--only=http --beside=FOLDER\`
compares this checkout with another one. What was measured is kept in [\`packages/benchmarks/measured\`](../packages/benchmarks/measured).
[Growth](benchmarks/growth.md) shows how costs grow; \`pnpm bench:growth\` writes it.`;

/** Returns the page of all groups as Markdown. @param runs by name of the group; a group without a run is named as such */
export function toPage(groups: readonly Group[], runs: ReadonlyMap<string, StoredRun>): string {
  const sections = groups.map((group) => {
    const run = runs.get(group.name);
    return run ? toSection(group, run) : `## ${group.title}\n\nNot measured yet.`;
  });
  return `${[HEAD, summaryOf(groups, runs), ...sections].join("\n\n")}\n`;
}

/** Counts the targets of each group. */
function summaryOf(groups: readonly Group[], runs: ReadonlyMap<string, StoredRun>): string {
  const rows = groups.map((group) => {
    const verdicts = verdictsOf(group, runs.get(group.name) ?? { measurements: [] });
    const reached = verdicts.filter(({ outcome }) => outcome === "reached").length;
    const missed = verdicts.filter(({ outcome }) => outcome === "explained").length;
    const failed = verdicts.filter((verdict) => !isFine(verdict)).length;
    return `| ${group.title} | ${verdicts.length} | ${reached} | ${missed} | ${failed} |`;
  });
  return [
    "| | Targets | Reached | Missed, explained | Not measured or not explained |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}
