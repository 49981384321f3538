import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quantileEstimate, quantileTest } from "./quantile.ts";

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
