import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clusterEstimate, clusterQuantileEstimate, effectiveClusters } from "./cluster.ts";
import { jointMomentsOf } from "./joint-moments.ts";
import { quantileEstimate } from "./quantile.ts";
import { ratioEstimate } from "./ratio.ts";

const SIZES = [12, 3, 7, 30, 1, 9, 5, 18];
const CONVERTED = [4, 0, 3, 11, 1, 2, 0, 9];

describe("the mean over users of clusters", () => {
  it("has the error over clusters that R's linearised residuals give", () => {
    // R: n <- c(12, 3, 7, 30, 1, 9, 5, 18); s <- c(4, 0, 3, 11, 1, 2, 0, 9); r <- sum(s) / sum(n); e <- s - r * n
    //    G <- sum(n)^2 / sum(n^2); c(r, G, sqrt(sum(e^2) / sum(n)^2 * G / (G - 1)))
    const { n, value, variance } = clusterEstimate(jointMomentsOf(CONVERTED, SIZES));
    expect(value).toBeCloseTo(0.352941176470588, 12);
    expect(n).toBeCloseTo(4.7129810828441, 12);
    expect(Math.sqrt(variance! / n)).toBeCloseTo(0.0487910286659536, 12);
  });

  it("is the plain ratio where all clusters are of one size", () => {
    const sums = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(sums, fc.integer({ min: 1, max: 40 }), (values, size) => {
        const moments = jointMomentsOf(
          values,
          values.map(() => size),
        );
        const [ours, plain] = [clusterEstimate(moments), ratioEstimate(moments)];
        expect(ours.n).toBeCloseTo(values.length, 9);
        expect(ours.value).toBe(plain.value);
        expect(ours.variance).toBeCloseTo(plain.variance!, 9);
      }),
    );
  });

  it("has no error where one cluster is all there is, or there is none", () => {
    expect(clusterEstimate(jointMomentsOf([3], [9]))).toMatchObject({ n: 1, variance: null });
    expect(effectiveClusters(jointMomentsOf([], []))).toBe(0);
  });
});

describe("a quantile of users of clusters", () => {
  const values = SIZES.flatMap((size, cluster) => Array.from({ length: size }, (_, i) => cluster * 5 + i));
  const users = SIZES.flatMap((size, cluster) => Array.from({ length: size }, () => cluster));

  it("widens the error of the quantile with clusters as units by their unequal sizes", () => {
    const [ours, plain] = [clusterQuantileEstimate({ values, users }), quantileEstimate({ values, users })];
    // By hand: 85^2 / 1533 effective clusters of 8, so the squared error grows by 7 / 8 G / (G - 1).
    const effective = 85 ** 2 / 1533;
    expect(ours.users).toBeCloseTo(effective, 12);
    expect(ours.value).toBe(plain.value);
    const factor = ((7 / 8) * effective) / (effective - 1);
    expect(ours.standardError! / plain.standardError!).toBeCloseTo(Math.sqrt(factor), 12);
  });

  it("has no error where all values are of one cluster", () => {
    const one = clusterQuantileEstimate({ values, users: values.map(() => 0) });
    expect(one).toMatchObject({ standardError: null, status: "INSUFFICIENT_DATA" });
  });
});
