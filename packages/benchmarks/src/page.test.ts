import { describe, expect, it } from "vitest";
import { groups } from "./groups.ts";
import { growths } from "./growths.ts";
import { filesOf, growthFilesOf, readDoc, readGrowths, readRuns, readScale, scaleFilesOf } from "./report/files.ts";
import { verdictsOf } from "./report/section.ts";

const runs = await readRuns(groups);
const stored = await readGrowths(growths);
const scale = scaleFilesOf(await readScale());
const files = [...filesOf(groups, runs), ...growthFilesOf(growths, stored), ...scale];

describe("the pages about benchmarks", () => {
  it.each(files)(
    "docs/%s shows what is kept; `pnpm --filter @assay/benchmarks run page` writes it",
    async (path, text) => {
      expect(await readDoc(path)).toBe(text);
    },
  );

  it("have measurements of every group and question", () => {
    expect(groups.filter(({ name }) => !runs.has(name))).toEqual([]);
    expect(growths.filter(({ name }) => !stored.has(name))).toEqual([]);
  });

  it.each(groups.map((group) => [group.name, group] as const))("have measured every target of %s", (name, group) => {
    const verdicts = verdictsOf(group, runs.get(name) ?? { measurements: [] });
    expect(verdicts.length).toBeGreaterThan(0);
    expect(verdicts.filter(({ outcome }) => outcome === "not measured").map(({ target }) => target.claim)).toEqual([]);
  });

  it("show only cases in a chart that were measured, in one unit, and no more than there are colours", () => {
    for (const { name, chart } of groups) {
      const shown = runs.get(name)!.measurements.filter((one) => chart.cases.includes(one.case));
      expect(new Set(shown.map((one) => one.case)).size, name).toBe(chart.cases.length);
      expect(new Set(shown.map(({ unit }) => unit)).size, name).toBe(1);
      expect(chart.cases.length).toBeLessThanOrEqual(5);
    }
  });
});
