import fc from "fast-check";
import { expect, test } from "vitest";
import { type CellTally, groupsOfCells, statisticsOfCells, tallyPlans } from "./cells.ts";
import { metric } from "./records.fixture.ts";

const METRICS = [
  metric({ id: "converted", kind: "CONVERSION" }),
  metric({ id: "least", aggregation: "MIN" }),
  metric({ id: "basket", aggregation: "MEAN" }),
  metric({ id: "ratio", kind: "RATIO", denominator_event_type: "visit" }),
  metric({ id: "median", kind: "QUANTILE" }),
];

test("metrics need a tally for each number of a user", () => {
  expect(tallyPlans(METRICS).map(({ operation, eventType }) => [operation, eventType])).toEqual([
    ["ANY", "purchase"],
    ["MINIMUM", "purchase"],
    ["SUM", "purchase"],
    ["VALUES", "purchase"],
    ["SUM_OR_COUNT", "purchase"],
    ["COUNT", "visit"],
    ["LIST", "purchase"],
  ]);
});

const column = (...numbers: number[]): CellTally => ({ cells: Float64Array.from(numbers) });
const tallies: CellTally[] = [
  column(1, 0, 1, 1),
  column(3, Number.NaN, 1, 4),
  column(8, 0, 1, 9),
  column(2, 0, 1, 2),
  column(8, 0, 2, 9),
  column(4, 0, 0, 3),
  { values: [3, 5, 1, 4, 5], slots: [0, 0, 2, 3, 3] },
];
const cells = { arms: Uint8Array.of(0, 0, 1, 1), crossover: 2, forced: 1, inferred: 3, tallies };

test("users are summed up by arm, and a minimum without values counts as 0", () => {
  const { metrics, ...counts } = statisticsOfCells({ variants: ["c", "t"] }, METRICS, cells);
  expect(counts).toEqual({ users: [2, 2], crossover: 2, forced: 1, inferred: 3, clusters: null });
  expect(metrics.map(({ form }) => form)).toEqual(["PROPORTION", "MEAN", "MEAN", "RATIO", "QUANTILE"]);
  expect(metrics[0]).toMatchObject({
    arms: [
      { successes: 1, n: 2 },
      { successes: 2, n: 2 },
    ],
  });
  expect(metrics[1]).toMatchObject({
    arms: [
      { n: 2, mean: 1.5, m2: 4.5 },
      { n: 2, mean: 2.5, m2: 4.5 },
    ],
  });
  expect(metrics[2]).toMatchObject({ arms: [{ mean: 2 }, { mean: 2.75 }] });
  expect(metrics[3]).toMatchObject({ arms: [{ means: [4, 2] }, { means: [5.5, 1.5] }] });
  expect(metrics[4]).toMatchObject({ arms: [{ value: 4 }, { value: 4 }] });
});

test("groups of adjacent users have their own sums", () => {
  const groups = groupsOfCells({ variants: ["c", "t"] }, METRICS, cells, [1, 1, 4]);
  expect(groups.map(({ users }) => users)).toEqual([
    [1, 0],
    [0, 0],
    [1, 2],
  ]);
  expect(groups[2]!.metrics[1]).toMatchObject({
    arms: [
      { n: 1, mean: 0 },
      { n: 2, mean: 2.5 },
    ],
  });
});

test("groups that split all users have the users of all", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(4), { maxLength: 4 }), (lengths) => {
      const ends = lengths.map((_, index) => lengths.slice(0, index + 1).reduce((sum, length) => sum + length, 0));
      const inside = [...ends.filter((end) => end <= 4), 4];
      const users = groupsOfCells({ variants: ["c", "t"] }, METRICS, cells, inside).flatMap((group) => group.users);
      expect(users.reduce((sum, count) => sum + count, 0)).toBe(4);
    }),
  );
});
