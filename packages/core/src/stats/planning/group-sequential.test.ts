import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalQuantile, normalSf } from "../normal.ts";
import { type SpendingFunction, spendingSchedule } from "./alpha-spending.ts";
import {
  groupSequentialInflation,
  groupSequentialPower,
  groupSequentialPValue,
  stagewiseEstimate,
} from "./group-sequential.ts";

// Reference numbers: the same integrals, nested, by mpmath's adaptive quadrature with 18 digits.
const LOOKS = [
  { information: 1 / 3, zBoundary: 3.7 },
  { information: 2 / 3, zBoundary: 2.5 },
  { information: 1, zBoundary: 2 },
];
const close = (value: number, reference: number) =>
  expect(Math.abs(value / reference - 1), `${value} for ${reference}`).toBeLessThan(1e-11);

describe("the power of a group-sequential test", () => {
  it("is the probability to leave the boundaries at any look", () => {
    const { power, stopping, expectedInformation } = groupSequentialPower(LOOKS, 2.9);
    [0.021398615860804, 0.42639552684876, 0.37237559335976].forEach((p, look) => {
      close(stopping[look]!, p);
    });
    close(power, 0.82016973606932);
    close(
      expectedInformation,
      (0.021398615860804 + 2 * 0.42639552684876) / 3 + 1 - 0.021398615860804 - 0.42639552684876,
    );
  });

  it("counts both sides, and looks that lie unevenly or beyond the plan", () => {
    const looks = LOOKS.map((look, i) => ({ ...look, information: [0.3, 0.6, 1.1][i]! }));
    const { stopping } = groupSequentialPower(looks, -1.5);
    [0.0020014564211311, 0.088772997745514, 0.25410714547737].forEach((p, look) => {
      close(stopping[look]!, p);
    });
  });

  it("without an effect is the alpha that was spent", () => {
    for (const spending of ["obrien_fleming", "pocock", "power", "hsd"] satisfies SpendingFunction[]) {
      const looks = spendingSchedule(spending, [0.1, 0.35, 0.8, 1], { alpha: 0.03 });
      close(groupSequentialPower(looks, 0).power, looks.at(-1)!.cumulativeAlpha);
    }
  });

  it("of one look is that of the z-test", () => {
    const { power, stopping } = groupSequentialPower([{ information: 1, zBoundary: 1.96 }], 2.8);
    close(power, normalSf(1.96 - 2.8) + normalSf(1.96 + 2.8));
    expect(stopping).toHaveLength(1);
  });

  it("skips a look that cannot stop", () => {
    const { stopping } = groupSequentialPower([{ information: 0.5, zBoundary: null }, LOOKS[2]!], 2.8);
    expect(stopping[0]).toBeLessThan(1e-200);
    close(stopping[1]!, normalSf(2 - 2.8) + normalSf(2 + 2.8));
  });
});

describe("the users that a group-sequential test needs", () => {
  it("are a few per cent more than one look needs", () => {
    const inflation = groupSequentialInflation(LOOKS, { power: 0.8 });
    const drift = Math.sqrt(inflation) * (normalQuantile(0.975) + normalQuantile(0.8));
    close(groupSequentialPower(LOOKS, drift).power, 0.8);
    expect(inflation).toBeGreaterThan(1);
    expect(inflation).toBeLessThan(1.05);
    const single = groupSequentialInflation([{ information: 1, zBoundary: -normalQuantile(0.025) }], { power: 0.9 });
    expect(single).toBeCloseTo(1, 6);
  });

  it("refuses a power that lies below alpha", () => {
    expect(() => groupSequentialInflation(LOOKS, { power: 0.04 })).toThrow(RangeError);
    expect(() => groupSequentialInflation(LOOKS, { power: 1 })).toThrow(RangeError);
  });
});

describe("the estimate of a test that has stopped", () => {
  const LOOKS_SO_FAR = [
    { information: 0.3, zBoundary: 3 },
    { information: 0.6, zBoundary: 2.5 },
  ];

  it("is median-unbiased, and its interval and p-value follow the order of the stops", () => {
    const { estimate, confidenceInterval, pValue } = stagewiseEstimate(LOOKS_SO_FAR, 2.8, 0.5);
    close(estimate, 1.3850237943157);
    close(confidenceInterval[0], 0.38543982476959);
    close(confidenceInterval[1], 2.3710296513446);
    close(pValue, 0.0071206128809704);
  });

  it("mirrors an effect of the other sign", () => {
    const up = stagewiseEstimate(LOOKS_SO_FAR, 2.8, 0.5);
    const down = stagewiseEstimate(LOOKS_SO_FAR, -2.8, 0.5);
    close(down.estimate, -up.estimate);
    close(down.confidenceInterval[0], -up.confidenceInterval[1]);
    close(down.pValue, up.pValue);
  });

  it("at the first look is the usual one", () => {
    const { estimate, confidenceInterval, pValue } = stagewiseEstimate([{ information: 0.2, zBoundary: 2 }], 2.4, 3);
    close(estimate, 7.2);
    close(confidenceInterval[1], 3 * (2.4 - normalQuantile(0.025)));
    close(pValue, 2 * normalSf(2.4));
  });

  it("contains no effect exactly if p is not below alpha, and lies nearer to it than the last look's difference", () => {
    const z = fc.double({ min: 2.0001, max: 6, noNaN: true });
    fc.assert(
      fc.property(z, fc.double({ min: 0.1, max: 0.5, noNaN: true }), (last, first) => {
        const fractions = [first, first + 0.3, 1];
        const looks = spendingSchedule("pocock", fractions);
        const stopped = stagewiseEstimate(looks, last, 1);
        expect(stopped.confidenceInterval[0] > 0).toBe(stopped.pValue < 0.05);
        expect(stopped.estimate).toBeLessThan(last);
        expect(stopped.confidenceInterval[0]).toBeLessThan(stopped.estimate);
        expect(stopped.confidenceInterval[1]).toBeGreaterThan(stopped.estimate);
      }),
      { numRuns: 20 },
    );
  });

  it("is found for an effect of fifty standard errors", () => {
    const { estimate, pValue } = stagewiseEstimate(LOOKS_SO_FAR, 50, 1);
    expect(Number.isFinite(estimate)).toBe(true);
    expect(pValue).toBeGreaterThanOrEqual(0);
    expect(pValue).toBeLessThan(0.01);
  });
});

describe("the p-value over looks", () => {
  it("is the least level whose boundary was crossed", () => {
    close(groupSequentialPValue("pocock", [0.5, 1], [1.9, 2.3]), 0.039467016669046);
    close(groupSequentialPValue("obrien_fleming", [0.5], [-2.7]), 0.077494719886806);
  });

  it("is below alpha exactly if a boundary at alpha was crossed", () => {
    const z = fc.array(fc.double({ min: -4, max: 4, noNaN: true }), { minLength: 1, maxLength: 4 });
    const spending = fc.constantFrom<SpendingFunction>("obrien_fleming", "pocock", "power", "hsd");
    fc.assert(
      fc.property(z, spending, fc.double({ min: 0.001, max: 0.2, noNaN: true }), (seen, how, alpha) => {
        const fractions = [0.25, 0.5, 0.75, 1].slice(0, seen.length);
        const looks = spendingSchedule(how, fractions, { alpha });
        const crossed = looks.some(({ zBoundary }, i) => zBoundary !== null && Math.abs(seen[i]!) > zBoundary);
        expect(groupSequentialPValue(how, fractions, seen) < alpha).toBe(crossed);
      }),
      { numRuns: 40 },
    );
  });

  it("takes the information of a last look that came after more users than planned", () => {
    const information = [0.5, 1.3];
    const [, last] = spendingSchedule("pocock", [0.5, 1], { information });
    close(last!.zBoundary!, 2.2383881255749);
    close(groupSequentialPValue("pocock", [0.5, 1], [0, last!.zBoundary!], { information }), 0.05);
  });

  it("is 1 without a look or an effect, and 0 for one beyond all numbers", () => {
    expect(groupSequentialPValue("pocock", [], [])).toBe(1);
    expect(groupSequentialPValue("pocock", [0.5, 1], [0, 0])).toBe(1);
    expect(groupSequentialPValue("pocock", [0.5], [60])).toBe(0);
  });
});
