import { armMarginTest, compareArms } from "@assay/core/stats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clusterLiftInterval } from "./cluster-lift.ts";

const arm = (value: number, variance: number, n: number) => ({ value, variance, n });

function intervalOf(control: ReturnType<typeof arm>, treatment: ReturnType<typeof arm>, alpha = 0.05) {
  const interval = compareArms(control, treatment, { alpha }).relativeConfidenceInterval;
  return interval && clusterLiftInterval(interval, control, treatment, alpha);
}

describe("the interval of the lift between few clusters", () => {
  // R: uniroot of 2 pt(-|t - R c| / sqrt(R^2 v_c / n_c + v_t / n_t), df) - 0.05 on both sides of t / c, with Satterthwaite's
  // df at R. The arm with the larger error has more of it than its variance in both arms together would say.
  it.each([
    { control: arm(10, 4, 12), treatment: arm(12, 36, 6), ends: [-0.42868423724, 0.832222515503] },
    { control: arm(-10, 4, 12), treatment: arm(-12, 36, 6), ends: [-0.832222515503, 0.42868423724] },
    { control: arm(0.3, 0.02, 8), treatment: arm(0.24, 0.004, 30), ends: [-0.430208873697, 0.323194319564] },
  ])("has R's ends for $control and $treatment", ({ control, treatment, ends }) => {
    const [lower, upper] = intervalOf(control, treatment)!;
    expect(lower).toBeCloseTo(ends[0]!, 9);
    expect(upper).toBeCloseTo(ends[1]!, 9);
  });

  it("is that of compareArms where the variance of both arms together says more", () => {
    const [control, treatment] = [arm(10, 9, 400), arm(11, 9, 400)];
    const before = compareArms(control, treatment).relativeConfidenceInterval!;
    expect(intervalOf(control, treatment)![0]).toBeCloseTo(before[0], 3);
    expect(intervalOf(control, treatment)![0]).toBeLessThanOrEqual(before[0]);
  });

  it("is unknown where the control may be 0", () => {
    // t of the control is 2.04: beyond 1.96, but not beyond 2.57, the value of t for 5 degrees of freedom.
    const [control, treatment] = [arm(1, 1.44, 6), arm(3, 0.01, 6)];
    expect(compareArms(control, treatment).relativeConfidenceInterval).toBeNull();
    expect(clusterLiftInterval([1, 90], control, treatment, 0.05)).toBeNull();
  });

  it("agrees with the test of a margin, and contains the interval of compareArms", () => {
    const variance = fc.double({ min: 0.01, max: 20, noNaN: true });
    const clusters = fc.integer({ min: 5, max: 40 });
    const arms = fc.record({ value: fc.double({ min: -20, max: 20, noNaN: true }), variance, n: clusters });
    const margins = fc.double({ min: 0.01, max: 0.9, noNaN: true });
    fc.assert(
      fc.property(arms, arms, margins, (control, treatment, margin) => {
        const interval = intervalOf(control, treatment);
        if (interval === null) return;
        const [from, to] = compareArms(control, treatment).relativeConfidenceInterval!;
        expect(interval[0]).toBeLessThanOrEqual(from);
        expect(interval[1]).toBeGreaterThanOrEqual(to);
        const { aboveLower, belowUpper } = armMarginTest(control, treatment, margin);
        if (aboveLower! < 0.025 - 1e-9) expect(interval[0]).toBeGreaterThan(-margin);
        if (belowUpper! < 0.025 - 1e-9) expect(interval[1]).toBeLessThan(margin);
      }),
      { numRuns: 500 },
    );
  });
});
