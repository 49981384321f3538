import { expect, test } from "vitest";
import { addPoints, type Curve, powersOfTen } from "./growth.ts";

test("sizes are the powers of ten from the first to the last, both included", () => {
  expect(powersOfTen(10, 10_000)).toEqual([10, 100, 1_000, 10_000]);
  expect(powersOfTen(1, 1)).toEqual([1]);
  expect(powersOfTen(10, 99)).toEqual([10]);
});

test("each subject has a curve, and each size adds a point to it", () => {
  const curves: Curve[] = [];
  addPoints(
    curves,
    10,
    new Map([
      ["ours", 5],
      ["floor", 2],
    ]),
  );
  addPoints(curves, 100, new Map([["ours", 50]]));
  expect(curves).toEqual([
    {
      subject: "ours",
      points: [
        [10, 5],
        [100, 50],
      ],
    },
    { subject: "floor", points: [[10, 2]] },
  ]);
});
