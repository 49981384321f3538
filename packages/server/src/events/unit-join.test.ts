import { expect, test } from "vitest";
import { toUnitJoins } from "./unit-join.ts";

const experiment = { id: "x", bucket_by: "company" };
const joinsOf = (attributes: Record<string, unknown>, changes: object = {}) =>
  toUnitJoins("ada", { ...experiment, ...changes }, undefined, attributes, 5);

test("joins a user to the unit of the attribute that the experiment buckets by", () => {
  expect(joinsOf({ company: "acme" })).toEqual([{ userId: "ada", unitId: "company=acme", experimentId: "x" }]);
  expect(joinsOf({ company: 7 })).toEqual([{ userId: "ada", unitId: "company=7", experimentId: "x" }]);
  expect(joinsOf({ company: 0 })).toEqual([{ userId: "ada", unitId: "company=0", experimentId: "x" }]);
});

test.each([{}, { company: "" }, { company: null }, { company: true }, { company: ["acme"] }, { country: "DE" }])(
  "joins no unit with the attributes %j",
  (attributes) => {
    expect(joinsOf(attributes)).toEqual([]);
  },
);

test.each([null, "user_id", "targetingKey"])("joins no unit if the experiment buckets by %j", (bucket_by) => {
  const attributes = { company: "acme", user_id: "bob", targetingKey: "bob", null: "bob" };
  expect(joinsOf(attributes, { bucket_by })).toEqual([]);
});

test("has the time of the exposure in a switchback", () => {
  const [join] = joinsOf({ company: "acme" }, { switchback: { period_minutes: 60, washout_minutes: 0 } });
  expect(join).toMatchObject({ unitId: "company=acme", time: 5 });
});
