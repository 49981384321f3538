import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CORPUS } from "./corpus.fixture.ts";
import { missingOf } from "./missing.ts";
import { readDescription } from "./read.ts";
import { normalize } from "./token.ts";

const words = CORPUS.flatMap(([text]) => text.split(" "));
const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.string({ unit: fc.constantFrom(..."0123456789.,%$€+-/():;\"' abk"), maxLength: 300 }),
  fc.array(fc.constantFrom(...words), { maxLength: 40 }).map((parts) => parts.join(" ")),
);

/** Every value with the words that say it. */
function saidIn(value: unknown): { value: unknown; text: string }[] {
  if (typeof value !== "object" || value === null) return [];
  if ("text" in value && "value" in value) return [value as { value: unknown; text: string }];
  return Object.values(value).flatMap(saidIn);
}

function numbersIn(value: unknown): number[] {
  if (typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

test("a sentence gives the metric, its baseline and the effect, each with the words that say it", () => {
  const reading = readDescription("Raise conversion from 4 % to 4.4 %.");
  expect(reading).toEqual({
    metric: { value: { name: "conversion", kind: "CONVERSION", improves: "INCREASE" }, text: "conversion" },
    direction: { value: "INCREASE", text: "4 % to 4.4 %" },
    baseline: { value: 0.04, text: "4 %" },
    effect: { value: { value: 0.004, relative: false }, text: "4 % to 4.4 %" },
    doubts: [],
    unread: [],
  });
  expect(missingOf(reading)).toEqual(["traffic"]);
});

test("a range is no value but a doubt", () => {
  const { baseline, doubts } = readDescription("Conversion is 3-4 % now.");
  expect(baseline).toBeUndefined();
  expect(doubts).toEqual([{ about: "baseline", reason: 'The baseline could be "3" or "4 %".' }]);
});

describe("any text", () => {
  test("is read without an error, and what is read stands in it", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const reading = readDescription(text);
        const normal = normalize(text);
        for (const { text: source } of saidIn(reading)) expect(source !== "" && normal.includes(source)).toBe(true);
        for (const unread of reading.unread) expect(normal).toContain(unread);
        expect(readDescription(text)).toEqual(reading);
      }),
      { numRuns: 2000 },
    );
  });

  test.each(["reduce the error rate by 0%", "raise conversion by 0 points"])("reads no effect from %j", (text) => {
    const { effect, doubts } = readDescription(text);
    expect(effect).toBeUndefined();
    expect(doubts).toContainEqual({ about: "effect", reason: expect.stringMatching(/^".*0.*" is not a change\.$/) });
  });

  test("gives finite numbers in their range only", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const reading = readDescription(text);
        expect(numbersIn(reading).every(Number.isFinite)).toBe(true);
        const { metric, baseline, power, alpha, standardDeviation, dailyUsers, arms, direction, effect } = reading;
        const shares = [power, alpha, metric?.value.kind === "CONVERSION" ? baseline : undefined];
        for (const share of shares) expect(share === undefined || (share.value > 0 && share.value < 1)).toBe(true);
        expect(standardDeviation === undefined || standardDeviation.value > 0).toBe(true);
        expect(dailyUsers === undefined || (dailyUsers.value >= 1 && Number.isInteger(dailyUsers.value))).toBe(true);
        expect(arms === undefined || (arms.value >= 2 && arms.value <= 10)).toBe(true);
        if (direction && effect) expect(effect.value.value < 0).toBe(direction.value === "DECREASE");
      }),
      { numRuns: 2000 },
    );
  });
});

const LENGTH = 10_000;
test.each([
  "1 ",
  " ",
  "1",
  '"',
  "/a",
  "now ",
  "1,000,",
  "111,111",
  "1.",
  "a-",
  "a'",
  "from 2% to ",
  "5 in 100 ",
  "users a day ",
  "without revenue per user ",
  "conversion rate ",
  "standard deviation of ",
  "a/b/",
  "1/",
  "in Saint ",
  "％",
  "ﷺ",
  "\ud800",
  "e\u0301",
  "p95 latency of 3 s, ",
])("10,000 characters of %j take less than 50 ms", (part) => {
  const text = part.repeat(Math.ceil(LENGTH / part.length)).slice(0, LENGTH);
  readDescription(text);
  // The least of several, of processor time: other processes and the garbage collector work as well.
  let shortest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 30 && shortest >= 50; run++) {
    const start = process.cpuUsage();
    readDescription(text);
    const { user, system } = process.cpuUsage(start);
    shortest = Math.min(shortest, (user + system) / 1000);
  }
  expect(shortest).toBeLessThan(50);
});

describe("the readers of numbers", () => {
  const baselineOf = (text: string) => readDescription(text).baseline?.value;

  test.each([
    ["ARPU of 1,200 €", 1200],
    ["ARPU of 1.200 €", 1200],
    ["ARPU of 1 200 €", 1200],
    ["ARPU of 1'200 €", 1200],
    ["ARPU of 1.200,50 €", 1200.5],
    ["ARPU of 1,200.50 €", 1200.5],
    ["ARPU of 12,5 €", 12.5],
    ["ARPU of 3k €", 3000],
    ["ARPU of 1.2M ¥", 1_200_000],
    ["ARPU of 90 cents", 0.9],
    ["conversion of 1.250 %", 0.0125],
    ["conversion of ４，５ ％", 0.045],
    ["conversion of twelve percent", 0.12],
  ])("%s is %d", (text, value) => {
    expect(baselineOf(text)).toBeCloseTo(value, 10);
  });

  test("a number without a meaning is reported, years and names are not", () => {
    expect(readDescription("Conversion is 4 % and the zorp is 17 %.").unread).toEqual(["17 %"]);
    expect(readDescription("A new page with 40 apples").unread).toEqual(["40"]);
    expect(readDescription("In 2024 the top 10 list of version 2.0 had 5-star reviews").unread).toEqual([]);
  });
});
