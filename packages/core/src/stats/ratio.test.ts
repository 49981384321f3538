import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jointMomentsOf, mergeJointMoments } from "./joint-moments.ts";
import { momentsOf } from "./moments.ts";
import { ratioTest } from "./ratio.ts";
import { welchTest } from "./welch.ts";

const users = fc.array(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 1, max: 9 })), { maxLength: 30 });
const columns = (rows: readonly (readonly [number, number])[]) =>
  jointMomentsOf(
    rows.map(([numerator]) => numerator),
    rows.map(([, denominator]) => denominator),
  );

describe("the test of a ratio", () => {
  it("is Welch's t-test where every denominator is 1", () => {
    fc.assert(
      fc.property(users, users, (a, b) => {
        const ones = (rows: typeof a) => columns(rows.map(([numerator]) => [numerator, 1] as const));
        const ratio = ratioTest(ones(a), ones(b));
        const welch = welchTest(momentsOf(a.map(([n]) => n)), momentsOf(b.map(([n]) => n)));
        expect(ratio.status).toBe(welch.status);
        if (welch.status === "OK") expect(ratio.pValue).toBeCloseTo(welch.pValue ?? Number.NaN, 9);
      }),
    );
  });

  it("does not depend on how the users were split, nor on the order of the arms", () => {
    fc.assert(
      fc.property(users, users, users, (a, b, c) => {
        const whole = ratioTest(columns([...a, ...b]), columns(c));
        const split = ratioTest(mergeJointMoments(columns(a), columns(b)), columns(c));
        const back = ratioTest(columns(c), columns([...a, ...b]));
        expect(split.status).toBe(whole.status);
        if (whole.status !== "OK") return;
        expect(split.pValue).toBeCloseTo(whole.pValue ?? Number.NaN, 8);
        expect(back.pValue).toBeCloseTo(whole.pValue ?? Number.NaN, 12);
      }),
    );
  });

  it("sees no variance in a ratio that is the same for every user", () => {
    const same = columns([
      [0.1, 1],
      [0.3, 3],
      [0.7, 7],
    ]);
    expect(ratioTest(same, same)).toMatchObject({ pValue: null, significant: false, status: "ZERO_VARIANCE" });
  });

  it("is undefined without any denominator, and without users", () => {
    const none = columns([
      [1, 0],
      [2, 0],
    ]);
    const some = columns([
      [1, 1],
      [2, 3],
    ]);
    expect(ratioTest(none, some)).toMatchObject({ difference: null, pValue: null, status: "ZERO_DENOMINATOR" });
    expect(ratioTest(columns([]), some)).toMatchObject({ difference: null, status: "INSUFFICIENT_DATA" });
  });

  it("refuses columns of unequal lengths", () => {
    expect(() => jointMomentsOf([1, 2], [1])).toThrow(RangeError);
  });
});
