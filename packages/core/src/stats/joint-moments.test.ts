import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { covarianceOf, jointMomentsFromSums, jointMomentsOf, mergeJointMoments } from "./joint-moments.ts";
import { momentsOf, varianceOf } from "./moments.ts";

const rows = fc.array(fc.tuple(fc.integer({ min: -99, max: 99 }), fc.integer({ min: -99, max: 99 })), {
  maxLength: 30,
});
const momentsOfRows = (list: readonly (readonly [number, number])[]) =>
  jointMomentsOf(
    list.map(([x]) => x),
    list.map(([, y]) => y),
  );

describe("joint moments", () => {
  it("hold each value's own moments", () => {
    fc.assert(
      fc.property(rows, (list) => {
        const joint = momentsOfRows(list);
        const own = momentsOf(list.map(([, y]) => y));
        expect(joint.n).toBe(own.n);
        expect(joint.means[1]).toBeCloseTo(own.mean, 10);
        expect(joint.products[1]?.[1]).toBeCloseTo(own.m2, 7);
      }),
    );
  });

  it("do not depend on how the users were split before merging", () => {
    fc.assert(
      fc.property(rows, rows, (a, b) => {
        const whole = momentsOfRows([...a, ...b]);
        const merged = mergeJointMoments(momentsOfRows(a), momentsOfRows(b));
        expect(merged.n).toBe(whole.n);
        whole.products.flat().forEach((product, i) => {
          expect(merged.products.flat()[i]).toBeCloseTo(product, 6);
        });
      }),
    );
  });

  it("can be had from raw sums", () => {
    fc.assert(
      fc.property(rows, (list) => {
        const sum = (f: (row: readonly [number, number]) => number) => list.reduce((total, row) => total + f(row), 0);
        const products = [[sum(([x]) => x * x)], [sum(([x, y]) => x * y), sum(([, y]) => y * y)]];
        const fromSums = jointMomentsFromSums(list.length, [sum(([x]) => x), sum(([, y]) => y)], products);
        momentsOfRows(list)
          .products.flat()
          .forEach((product, i) => {
            expect(fromSums.products.flat()[i]).toBeCloseTo(product, 6);
          });
      }),
    );
  });

  it("give the variance of any weighted sum of the values", () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: -5, max: 5 }), fc.integer({ min: -5, max: 5 }), (list, a, b) => {
        fc.pre(list.length > 1);
        const combined = varianceOf(momentsOf(list.map(([x, y]) => a * x + b * y)));
        expect(covarianceOf(momentsOfRows(list), [a, b], [a, b])).toBeCloseTo(combined ?? Number.NaN, 6);
      }),
    );
  });
});
