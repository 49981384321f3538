import { clusterEstimate, jointMomentsOf } from "@assay/core/stats";
import { describe, expect, it } from "vitest";
import { adjustClusters, contributionsOf, mergeContributions } from "./cluster-adjustment.ts";

const column = (length: number, of: (cluster: number) => number) => Float64Array.from({ length }, (_, i) => of(i));

/** Clusters of an arm: sums of the outcome, users, and sums of a covariate. */
function arm(length: number, covariate: (cluster: number) => number, users = (i: number) => 1 + (i % 4)) {
  const columns = [column(length, (i) => (i * 37) % 11), column(length, users), column(length, users)];
  const sums = { columns: [...columns, column(length, covariate)], arms: new Uint8Array(length) };
  return { columns, contributions: contributionsOf(sums, 1)[0]! };
}

describe("the contributions of clusters", () => {
  it("have the mean over users, and the error of the estimate over clusters", () => {
    const { columns, contributions } = arm(50, (i) => i % 7);
    const { moments, effective } = contributions;
    const plain = clusterEstimate(jointMomentsOf(columns[0]!, columns[1]!));
    const users = column(50, (i) => 1 + (i % 4)).reduce((sum, n) => sum + n);
    expect(moments.means[0]).toBeCloseTo(plain.value, 12);
    expect(moments.means[1]).toBeCloseTo(column(50, (i) => i % 7).reduce((sum, x) => sum + x) / users, 12);
    expect(effective).toBeCloseTo(plain.n, 12);
    const square = (moments.products[0]![0]! / 49 / 50) * ((1 - 1 / 50) / (1 - 1 / effective));
    expect(square).toBeCloseTo(plain.variance! / plain.n, 12);
  });

  it("of an arm without a denominator are none, so that it is not adjusted", () => {
    const [none, some] = [
      arm(
        50,
        () => 1,
        () => 0,
      ).contributions,
      arm(50, (i) => i % 7).contributions,
    ];
    expect(none).toMatchObject({ moments: { n: 0 }, effective: 0 });
    expect(adjustClusters(none, some)).toBeNull();
  });

  it("adjust two arms with twenty effective clusters per coefficient together, and not with fewer", () => {
    const equal = (length: number) =>
      arm(
        length,
        (i) => i % 7,
        () => 3,
      ).contributions;
    expect(adjustClusters(equal(20), equal(19))).toBeNull();
    expect(adjustClusters(equal(20), equal(20))).toMatchObject({
      slopes: "COMMON",
      control: { n: expect.closeTo(20, 9) },
    });
  });

  // R, on contributions y and x of each arm: `lm(y ~ I(x - X))`, where X is the mean of both arms; the intercept, and its
  // squared error plus k / N^2 d^2 var(x), where d is the difference between the slopes, times (1 - 2 / k) / (1 - 2 / G).
  it("adjust two arms with slopes per arm, as R does", () => {
    const [control, treatment] = [arm(90, (i) => i % 7).contributions, arm(90, (i) => (i * 5) % 9).contributions];
    const { slopes, ...arms } = adjustClusters(control, treatment, { slopes: "PER_ARM" })!;
    expect(slopes).toBe("PER_ARM");
    for (const [own, value, square, n] of [
      [arms.control, 2.09262516214274, 0.0259577968386811, 73.7804511278195],
      [arms.treatment, 1.9074503828985, 0.0250513033357644, 73.7804511278195],
    ] as const) {
      expect(own.value).toBeCloseTo(value, 12);
      expect(own.variance! / own.n).toBeCloseTo(square, 12);
      expect(own.n).toBeCloseTo(n, 9);
    }
  });

  it("have slopes per arm only where asked, with twenty effective clusters per coefficient in each arm", () => {
    const equal = (length: number) =>
      arm(
        length,
        (i) => 1 + (i % 7),
        () => 3,
      ).contributions;
    const slopesOf = (control: number, treatment: number) =>
      adjustClusters(equal(control), equal(treatment), { slopes: "PER_ARM" })!.slopes;
    expect(slopesOf(40, 40)).toBe("PER_ARM");
    expect(slopesOf(40, 39)).toBe("COMMON");
    expect(slopesOf(39, 400)).toBe("COMMON");
    expect(adjustClusters(equal(40), equal(40))!.slopes).toBe("COMMON");
  });

  it("have slopes per arm only with twenty clusters of each arm whose covariate is not 0", () => {
    const carried = (carriers: number) => arm(90, (i) => Number(i < carriers)).contributions;
    const slopesOf = (control: number, treatment: number) =>
      adjustClusters(carried(control), carried(treatment), { slopes: "PER_ARM" })!.slopes;
    expect(carried(19).carriers).toEqual([19]);
    expect(slopesOf(20, 20)).toBe("PER_ARM");
    expect(slopesOf(20, 19)).toBe("COMMON");
    expect(slopesOf(19, 90)).toBe("COMMON");
  });

  it("of two arms together are those of one arm with the clusters of both", () => {
    const [some, others] = [arm(50, (i) => i % 7).contributions, arm(30, (i) => i % 5).contributions];
    const both = mergeContributions(some, others);
    expect(both.moments.n).toBe(80);
    expect(both.effective).toBeCloseTo(some.effective + others.effective, 12);
    expect(both.carriers).toEqual([some.carriers[0]! + others.carriers[0]!]);
  });

  it("whose covariate does not vary leave the arms as they are", () => {
    const [control, treatment] = [arm(40, () => 0).contributions, arm(44, () => 0).contributions];
    expect(adjustClusters(control, treatment)!.slopes).toBeNull();
  });
});
