import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assignmentDependenceTest, interactionTest, interactionWaldTest } from "./interaction.ts";
import { momentsOf } from "./moments.ts";

const cell = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 2, maxLength: 12 }).map(momentsOf);
const table = (rows: number, columns: number) =>
  fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: rows, maxLength: rows });
const any = { minimumUsers: 2 };
const transpose = <T>(rows: readonly (readonly T[])[]) => rows[0]!.map((_, j) => rows.map((row) => row[j]!));

describe("the test of interaction", () => {
  it("is the same from either experiment's side", () => {
    fc.assert(
      fc.property(table(2, 2), (cells) => {
        const forth = interactionTest(cells, any);
        const back = interactionTest(transpose(cells), any);
        expect(back.difference!).toBeCloseTo(forth.difference!, 10);
        if (forth.status === "OK") expect(back.pValue!).toBeCloseTo(forth.pValue!, 10);
      }),
    );
  });

  it("by Wald's chi-square is the squared z of the two-by-two contrast", () => {
    fc.assert(
      fc.property(table(2, 2), (cells) => {
        const z = interactionTest(cells, { ...any, referenceDistribution: "normal" });
        const wald = interactionWaldTest(cells, any);
        fc.pre(z.status === "OK");
        expect(wald.df).toBe(1);
        expect(wald.chiSquare!).toBeCloseTo(z.statistic! ** 2, 6);
        expect(wald.pValue!).toBeCloseTo(z.pValue!, 9);
      }),
    );
  });

  it("by Wald's chi-square does not depend on which arms are the controls", () => {
    fc.assert(
      fc.property(table(3, 4), (cells) => {
        const forth = interactionWaldTest(cells, any);
        const back = interactionWaldTest(transpose([...cells].reverse()), any);
        expect(forth.df).toBe(6);
        fc.pre(forth.status === "OK" && back.status === "OK");
        fc.pre(cells.flat().every(({ m2 }) => m2 > 0));
        expect(back.chiSquare! / Math.max(forth.chiSquare!, 1e-9)).toBeCloseTo(1, 6);
      }),
    );
  });

  it("finds none where effects add up", () => {
    const at = (mean: number) => momentsOf([mean - 1, mean, mean + 1]);
    const additive = [
      [at(1), at(3), at(9)],
      [at(2), at(4), at(10)],
    ];
    expect(interactionWaldTest(additive, any)).toMatchObject({ chiSquare: 0, df: 2, pValue: 1, significant: false });
  });

  it("waits for a hundred users in every cell, unless told otherwise", () => {
    const small = [
      [momentsOf([1, 2]), momentsOf([1, 3])],
      [momentsOf([2, 2]), momentsOf([1, 5])],
    ];
    expect(interactionTest(small)).toMatchObject({ difference: 0.5, pValue: null, status: "INSUFFICIENT_DATA" });
    expect(interactionWaldTest(small)).toMatchObject({ pValue: null, status: "INSUFFICIENT_DATA" });
  });

  it("is undefined where nothing varies", () => {
    const flat = momentsOf([1, 1]);
    const cells = [
      [flat, flat],
      [flat, flat],
    ];
    expect(interactionTest(cells, any)).toMatchObject({ pValue: null, status: "ZERO_VARIANCE" });
    expect(interactionWaldTest(cells, any)).toMatchObject({ pValue: null, status: "ZERO_VARIANCE" });
  });

  it("refuses a table of another size", () => {
    expect(() => interactionTest([[momentsOf([])]])).toThrow(RangeError);
    expect(() => interactionWaldTest([[momentsOf([1])], [momentsOf([1])]])).toThrow(RangeError);
  });
});

describe("the test of dependent assignments", () => {
  it("finds none in a table that is a product, and a clear one in a diagonal", () => {
    expect(
      assignmentDependenceTest([
        [10, 20],
        [30, 60],
      ]),
    ).toMatchObject({ chiSquare: 0, df: 1, pValue: 1 });
    const diagonal = assignmentDependenceTest([
      [50, 0],
      [0, 50],
    ]);
    expect(diagonal).toMatchObject({ chiSquare: 100, significant: true });
  });

  it("is undefined where only one arm of an experiment has users", () => {
    expect(assignmentDependenceTest([[10, 20]])).toMatchObject({ pValue: null, status: "INSUFFICIENT_DATA" });
    expect(assignmentDependenceTest([])).toMatchObject({ pValue: null, status: "INSUFFICIENT_DATA" });
  });
});
