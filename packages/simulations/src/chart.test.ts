import { describe, expect, it } from "vitest";
import { comparisonChart, lineChart } from "./chart.ts";

/** Returns the centres of the dots of a chart, in its order, legends included. */
const dotsOf = (chart: string) =>
  [...chart.matchAll(/cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [Number(x), Number(y)]);
const labelsOf = (chart: string) => [...chart.matchAll(/<text[^>]*>([^<]*)</g)].map(([, label]) => label);

describe("a line chart", () => {
  const series = [
    {
      name: "a",
      dots: true,
      points: [
        [10, 100],
        [100, 1_000],
        [1_000, 10_000],
      ] as const,
    },
  ];
  const axes = { x: "flags", y: "ns", yFormat: "number" } as const;

  it("puts powers of ten at equal distances on a logarithmic axis, and there alone", () => {
    const [first, second, third] = dotsOf(lineChart({ ...axes, isLogarithmic: true }, series));
    expect(second![0]! - first![0]!).toBeCloseTo(third![0]! - second![0]!, 0);
    expect(second![1]! - first![1]!).toBeCloseTo(third![1]! - second![1]!, 0);
    const [a, b, c] = dotsOf(lineChart(axes, series));
    expect((c![0]! - b![0]!) / (b![0]! - a![0]!)).toBeCloseTo(10, 0);
  });

  it("names the powers of ten of both axes", () => {
    const labels = labelsOf(lineChart({ ...axes, isLogarithmic: true }, series));
    for (const label of ["10", "100", "1 k", "10 k"]) expect(labels).toContain(label);
    expect(labels).not.toContain("0");
  });
});

describe("a comparison", () => {
  const spread = (median: number) => ({ median, low: median / 2, high: median * 2 });

  it("has a row for each name, and a dot for each spread of a series", () => {
    const chart = comparisonChart(
      "ns",
      ["ours", "theirs"],
      [
        { name: "one flag", spreads: [spread(100), spread(1_000)] },
        { name: "all flags", spreads: [spread(10_000), null] },
      ],
    );
    expect(labelsOf(chart)).toEqual(expect.arrayContaining(["ours", "theirs", "one flag", "all flags", "ns"]));
    const [, ours, theirs, , all, ...rest] = dotsOf(chart);
    expect(rest).toEqual([]);
    // A row lies below the other; more is further right, by equal steps for equal ratios.
    expect(theirs![1]).toBeGreaterThan(ours![1]!);
    expect(all![1]).toBe(ours![1]);
    expect(all![0]! - theirs![0]!).toBeCloseTo(theirs![0]! - ours![0]!, 0);
  });

  it("escapes names", () => {
    expect(comparisonChart("a < b", ["x & y"], [{ name: "n", spreads: [spread(1)] }])).toContain("x &amp; y");
  });
});
