import { expect, test } from "vitest";
import { createLookup, type Measurement } from "./measurement.ts";
import { isFine, judge, type Target } from "./target.ts";

const measured = (subject: string, ...rounds: number[]): Measurement => ({ case: "one", subject, unit: "ns", rounds });
const lookup = createLookup([
  measured("ours", 100, 110, 90),
  measured("swift", 300, 330, 270),
  measured("slow", 900, 1, 900),
  { ...measured("ours", 7), case: "another" },
]);
const target = (fields: Partial<Target>): Target => ({
  claim: "One flag: times as fast as the fastest peer",
  bound: { kind: "atLeast", value: 3 },
  reached: ({ ratio, least }) => ratio("one", least("one", ["ours"]), "ours"),
  ...fields,
});
const outcomeOf = (fields: Partial<Target>) => judge(target(fields), lookup).outcome;

test("a target is reached at its bound, and not beyond it", () => {
  expect(judge(target({}), lookup)).toMatchObject({ outcome: "reached", value: 3 });
  expect(outcomeOf({ bound: { kind: "atLeast", value: 3.01 } })).toBe("unexplained");
  expect(outcomeOf({ bound: { kind: "atMost", value: 3 } })).toBe("reached");
  expect(outcomeOf({ bound: { kind: "atMost", value: 2.99 } })).toBe("unexplained");
});

test("a miss is fine only with an explanation", () => {
  const missed = { bound: { kind: "atLeast", value: 4 } as const };
  expect(isFine(judge(target(missed), lookup))).toBe(false);
  const explained = judge(target({ ...missed, miss: "The peer is faster." }), lookup);
  expect([explained.outcome, isFine(explained)]).toEqual(["explained", true]);
  // An explanation changes nothing about a target that is reached.
  expect(outcomeOf({ miss: "The peer is faster." })).toBe("reached");
});

test("an explanation may name figures of the run", () => {
  const miss: Target["miss"] = ({ ratio }) => `The slow one is ${ratio("one", "slow", "swift")} times as slow.`;
  const verdict = judge(target({ bound: { kind: "atLeast", value: 4 }, miss }), lookup);
  expect(verdict).toMatchObject({ outcome: "explained", why: "The slow one is 3 times as slow." });
  expect(judge(target({ miss }), lookup)).not.toHaveProperty("why");
});

test("a target without a measurement fails, an explanation or not", () => {
  for (const reached of [
    () => lookup.ratio("one", "swift", "absent"),
    () => lookup.ratio("absent", "swift", "ours"),
    () => lookup.ratio("another", lookup.least("another", ["ours"]), "ours"),
    () => lookup.spread("one", "absent").median,
    () => 0 / 0,
  ]) {
    const verdict = judge(target({ reached, miss: "Known." }), lookup);
    expect(verdict).toMatchObject({ outcome: "not measured", value: null });
    expect(isFine(verdict)).toBe(false);
  }
});

test("an error that is no missing measurement is thrown", () => {
  const reached = () => {
    throw new TypeError("The target is wrong");
  };
  expect(() => judge(target({ reached }), lookup)).toThrow(TypeError);
});

test("the fastest peer is the one with the least median, not with the least round", () => {
  expect(lookup.least("one", ["ours"])).toBe("swift");
});

test("the greatest figure is that of the worst round", () => {
  expect(lookup.greatest("one", "slow")).toBe(900);
  expect(lookup.greatest("one", "ours")).toBe(110);
});

test("a ratio is the median of the rounds' ratios", () => {
  const uneven = createLookup([measured("a", 10, 100, 30), measured("b", 10, 10, 10)]);
  expect(uneven.ratio("one", "a", "b")).toBe(3);
  expect(uneven.spread("one", "a").median).toBe(30);
});
