import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { twoSidedNormalQuantile } from "./normal.ts";
import { quantileEstimate, quantileTest } from "./quantile.ts";
import { sampleQuantile } from "./winsorising.ts";

const values = fc.array(fc.integer({ min: -1000, max: 1000 }), { maxLength: 80 });

describe("a quantile", () => {
  it("lies in its interval, which lies in the data", () => {
    fc.assert(
      fc.property(values, fc.constantFrom(0.25, 0.5, 0.75), (list, quantile) => {
        const { value, confidenceInterval } = quantileEstimate({ values: list }, { quantile });
        if (confidenceInterval === null) return;
        expect(confidenceInterval[0]).toBeLessThanOrEqual(value ?? -Infinity);
        expect(confidenceInterval[1]).toBeGreaterThanOrEqual(value ?? Infinity);
        expect(confidenceInterval[0]).toBeGreaterThanOrEqual(Math.min(...list));
        expect(confidenceInterval[1]).toBeLessThanOrEqual(Math.max(...list));
      }),
    );
  });

  it("does not depend on the order of the observations", () => {
    fc.assert(
      fc.property(values, (list) => {
        const [forth, back] = [quantileEstimate({ values: list }), quantileEstimate({ values: [...list].reverse() })];
        expect(back.value).toBe(forth.value);
        expect(back.standardError ?? 0).toBeCloseTo(forth.standardError ?? 0, 9);
      }),
    );
  });

  it("is less certain where users repeat themselves", () => {
    const alone = Array.from({ length: 100 }, (_, i) => (i * 37) % 101);
    const thrice = alone.flatMap((value) => [value, value, value]);
    const users = alone.flatMap((_, user) => [user, user, user]);
    const clustered = quantileEstimate({ values: thrice, users });
    expect(clustered).toMatchObject({ n: 300, users: 100 });
    expect(clustered.standardError!).toBeGreaterThan(quantileEstimate({ values: thrice }).standardError! * 1.5);
  });

  it("is refused while the data is too little for it", () => {
    const list = Array.from({ length: 40 }, (_, i) => i);
    expect(quantileEstimate({ values: list }, { quantile: 0.95 })).toMatchObject({
      standardError: null,
      confidenceInterval: null,
      status: "INSUFFICIENT_DATA",
    });
    expect(quantileEstimate({ values: list }, { quantile: 0.5 }).status).toBe("OK");
    expect(quantileEstimate({ values: [] })).toMatchObject({ value: null, status: "INSUFFICIENT_DATA" });
  });

  it("has no error to judge by where all observations are the same", () => {
    expect(quantileEstimate({ values: new Array(50).fill(3) })).toMatchObject({ value: 3, status: "ZERO_VARIANCE" });
  });
});

describe("a quantile of tied observations", () => {
  /** Deterministic uniform numbers (mulberry32). */
  function uniforms(seed: number): () => number {
    let state = seed;
    return () => {
      state = (state + 0x6d2b79f5) | 0;
      let x = Math.imul(state ^ (state >>> 15), state | 1);
      x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
      return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
    };
  }

  it.each<[string, number, (uniform: number) => number]>([
    ["whole numbers, the median between two", 0.5, (u) => Math.floor(20 * u)],
    ["whole numbers, the median in the middle of one", 0.5, (u) => Math.floor(21 * u)],
    ["whole numbers as wide as the interval", 0.5, (u) => Math.floor(70 * u)],
    ["values at uneven distances", 0.5, (u) => [0, 1, 100, 101][Math.floor(4 * u)]!],
    ["two values", 0.5, (u) => Math.floor(2 * u)],
    ["a 90 % quantile between two numbers", 0.9, (u) => Math.floor(20 * u)],
  ])("seldom differs between equal arms: %s", (_name, quantile, draw) => {
    const uniform = uniforms(1);
    const arm = () => ({ values: Float64Array.from({ length: 2000 }, () => draw(uniform())) });
    let found = 0;
    for (let i = 0; i < 200; i++) if (quantileTest(arm(), arm(), { quantile }).significant) found++;
    expect(found).toBeLessThanOrEqual(10);
  });

  it("reaches the next values, whose larger step is an error too", () => {
    const values = [1, 4, 5].flatMap((value) => new Array(1000).fill(value));
    const { confidenceInterval, standardError, value } = quantileEstimate({ values });
    expect([value, confidenceInterval]).toEqual([4, [1, 5]]);
    expect(standardError).toBeCloseTo(3 / twoSidedNormalQuantile(0.05), 12);
  });

  it("answers a large shift, also where most share one value", () => {
    const values = Array.from({ length: 1000 }, (_, i) => (i < 600 ? 0 : i % 5));
    expect(quantileEstimate({ values })).toMatchObject({ value: 0, confidenceInterval: [0, 1], status: "OK" });
    const shifted = { values: values.map((value) => value + 10) };
    expect(quantileTest({ values }, shifted)).toMatchObject({ difference: 10, significant: true });
  });

  it("is the plain order statistics' where no observation is tied", () => {
    // Below 1e-290 a difference is too small to divide without rounding.
    const observation = fc
      .double({ min: -1e6, max: 1e6, noNaN: true })
      .filter((value) => value === 0 || Math.abs(value) > 1e-290);
    const distinct = fc.uniqueArray(observation, { minLength: 2, maxLength: 80 });
    fc.assert(
      fc.property(
        distinct.filter((list) => new Set(list.map((value) => value + 0)).size === list.length),
        fc.constantFrom(0.25, 0.5, 0.9),
        fc.constantFrom(0.01, 0.05, 0.5),
        (values, quantile, alpha) => {
          const answer = quantileEstimate({ values }, { quantile, alpha });
          if (answer.status !== "OK") return;
          const n = values.length;
          const share = values.filter((value) => value <= answer.value!).length / n;
          const reach = twoSidedNormalQuantile(alpha) * Math.sqrt((share * (1 - share)) / (n - 1));
          const sorted = Float64Array.from(values).sort();
          const lower = sampleQuantile(sorted, Math.max(0, quantile - reach))!;
          const upper = sampleQuantile(sorted, Math.min(1, quantile + reach))!;
          expect(answer.confidenceInterval![0]).toBeCloseTo(lower, 6);
          expect(answer.confidenceInterval![1]).toBeCloseTo(upper, 6);
          const [low, high] = answer.confidenceInterval!;
          expect(answer.standardError).toBe((high - low) / (2 * twoSidedNormalQuantile(alpha)));
        },
      ),
    );
  });
});

describe("the test of a quantile", () => {
  it("turns around with the arms and finds a large shift", () => {
    const control = Array.from({ length: 200 }, (_, i) => (i * 61) % 199);
    const treatment = control.map((value) => value + 80);
    const forth = quantileTest({ values: control }, { values: treatment });
    const back = quantileTest({ values: treatment }, { values: control });
    expect(forth).toMatchObject({ difference: 80, significant: true, status: "OK", df: null });
    expect(back.pValue).toBe(forth.pValue);
  });

  it("answers the difference alone where an error is undefined", () => {
    const few = { values: [1, 2, 3] };
    const enough = { values: Array.from({ length: 50 }, (_, i) => i) };
    expect(quantileTest(few, enough)).toMatchObject({ difference: 22.5, pValue: null, status: "INSUFFICIENT_DATA" });
    expect(quantileTest({ values: [] }, enough)).toMatchObject({ difference: null, status: "INSUFFICIENT_DATA" });
  });

  it("refuses a quantile outside (0, 1) and users of another number than the values", () => {
    expect(() => quantileEstimate({ values: [1] }, { quantile: 1 })).toThrow(RangeError);
    expect(() => quantileEstimate({ values: [1], users: [] })).toThrow(RangeError);
  });
});
