import { clusterEstimate, jointMomentsOf } from "@assay/core/stats";
import { describe, expect, it } from "vitest";
import { adjustClusters, contributionsOf } from "./cluster-adjustment.ts";

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

  it("whose covariate does not vary leave the arms as they are", () => {
    const [control, treatment] = [arm(40, () => 0).contributions, arm(44, () => 0).contributions];
    expect(adjustClusters(control, treatment)!.slopes).toBeNull();
  });
});
