import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { benjaminiHochberg, benjaminiYekutieli, bonferroni, holm, rejections } from "./multiple-comparisons.ts";

const pValue = fc.double({ min: 0, max: 1, noNaN: true });
const pValues = fc.array(fc.option(pValue), { maxLength: 20 });

describe("adjusted p-values", () => {
  it("are never below the raw ones nor above 1, and keep their order", () => {
    for (const adjust of [bonferroni, holm, benjaminiHochberg, benjaminiYekutieli]) {
      fc.assert(
        fc.property(pValues, (list) => {
          const adjusted = adjust(list);
          list.forEach((p, i) => {
            expect(adjusted[i] === null).toBe(p === null);
            if (p === null) return;
            expect(adjusted[i]).toBeGreaterThanOrEqual(p);
            expect(adjusted[i]).toBeLessThanOrEqual(1);
            list.forEach((q, j) => {
              if (q !== null && p < q) expect(adjusted[i]!).toBeLessThanOrEqual(adjusted[j]!);
            });
          });
        }),
      );
    }
  });

  it("rank the procedures: Bonferroni is never below Holm, nor Holm below Benjamini-Hochberg", () => {
    fc.assert(
      fc.property(fc.array(pValue, { minLength: 1 }), (list) => {
        const [b, h, f] = [bonferroni(list), holm(list), benjaminiHochberg(list)];
        list.forEach((_, i) => {
          expect(b[i]!).toBeGreaterThanOrEqual(h[i]!);
          expect(h[i]!).toBeGreaterThanOrEqual(f[i]! - 1e-15);
        });
      }),
    );
  });

  it("do not count a comparison that was not tested", () => {
    expect(bonferroni([0.01, null, 0.02])).toEqual([0.02, null, 0.04]);
  });

  it("reject at most alpha", () => {
    expect(rejections([0.05, 0.051, null], 0.05)).toEqual([true, false, false]);
  });

  it("refuse what is no probability", () => {
    expect(() => holm([1.2])).toThrow(RangeError);
  });
});
