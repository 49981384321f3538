import { describe, expect, it } from "vitest";
import type { TargetingRules, TimeRules } from "../format/definition.ts";
import type { EvaluationContext } from "../format/result.ts";
import { linkPredicate } from "../runtime/predicate.ts";
import { toTargeting } from "./block.ts";

const links = { flag: () => undefined, segment: () => undefined, now: Date.now };

function matches(rules: TargetingRules, context: EvaluationContext, now = "2024-01-01T00:00:00Z"): boolean {
  const { blocks } = toTargeting(rules, { references: [] });
  return blocks === null || linkPredicate(blocks, links)(context, Date.parse(now));
}

describe("targeting blocks", () => {
  it("combine with AND, and any value of a list matches", () => {
    const rules = { countries: ["DE", "FR"], browsers: ["Firefox"], user_attributes: { plan: ["pro", 3] } };
    expect(matches(rules, { country: "fr", browser: "firefox", plan: "pro" })).toBe(true);
    expect(matches(rules, { country: "fr", browser: "firefox", plan: "3" })).toBe(true);
    expect(matches(rules, { country: "fr", browser: "firefox", plan: "free" })).toBe(false);
    expect(matches(rules, { country: "fr", plan: "pro" })).toBe(false);
  });

  it("do not restrict if they are empty", () => {
    expect(
      toTargeting({ countries: [], user_segments: [], user_attributes: { plan: [] } }, { references: [] }).blocks,
    ).toBeNull();
  });

  it("match a list-valued attribute if any element matches", () => {
    expect(matches({ user_attributes: { role: ["admin"] } }, { role: ["viewer", "admin"] })).toBe(true);
  });

  it("match segments that the context names", () => {
    expect(matches({ user_segments: ["beta"] }, { user_segments: ["beta", "vip"] })).toBe(true);
    expect(matches({ user_segments: ["beta"] }, { user_segments: "beta" })).toBe(true);
    expect(matches({ user_segments: ["beta"] }, {})).toBe(false);
  });
});

describe("time rules", () => {
  const at = (time_rules: TimeRules, now: string) => matches({ time_rules }, {}, now);

  it("run from the start date (in) to the end date (out)", () => {
    const rules = { start_date: "2024-03-01", end_date: "2024-03-02T12:00:00+02:00" };
    expect(at(rules, "2024-02-29T23:59:59.999Z")).toBe(false);
    expect(at(rules, "2024-03-01T00:00:00Z")).toBe(true);
    expect(at(rules, "2024-03-02T09:59:59Z")).toBe(true);
    expect(at(rules, "2024-03-02T10:00:00Z")).toBe(false);
  });

  it("read days and hours on the zone's wall clock, through a change of the clocks", () => {
    const rules: TimeRules = { timezone: "Europe/Berlin", day_of_week: ["sunday"], hour_of_day: { start: 3, end: 4 } };
    // 31 March 2024: 2 a.m. becomes 3 a.m. at 01:00 UTC.
    expect(at(rules, "2024-03-31T00:59:00Z")).toBe(false);
    expect(at(rules, "2024-03-31T01:00:00Z")).toBe(true);
    expect(at(rules, "2024-03-31T02:00:00Z")).toBe(false);
    expect(at(rules, "2024-03-24T02:30:00Z")).toBe(true);
  });

  it("wrap hours over midnight into the next weekday", () => {
    const rules: TimeRules = { day_of_week: ["monday"], hour_of_day: { start: 22, end: 6 } };
    expect(at(rules, "2024-01-01T22:00:00Z")).toBe(true);
    expect(at(rules, "2024-01-01T05:59:00Z")).toBe(true);
    expect(at(rules, "2024-01-01T06:00:00Z")).toBe(false);
    expect(at(rules, "2024-01-02T05:00:00Z")).toBe(false);
  });

  it("may last until the end of the day", () => {
    expect(at({ hour_of_day: { start: 0, end: 24 } }, "2024-01-01T23:59:00Z")).toBe(true);
    expect(at({ hour_of_day: { start: 23, end: 24 } }, "2024-01-01T22:59:00Z")).toBe(false);
  });

  it("distinguish zones with half-hour offsets", () => {
    const rules: TimeRules = { timezone: "Asia/Kolkata", hour_of_day: { start: 12, end: 13 } };
    expect(at(rules, "2024-01-01T06:29:00Z")).toBe(false);
    expect(at(rules, "2024-01-01T06:30:00Z")).toBe(true);
  });

  it("use the clock if no time is given", () => {
    const { blocks } = toTargeting({ time_rules: { start_date: "2024-01-01" } }, { references: [] });
    for (const [now, isLater] of [
      [0, false],
      [Date.parse("2024-01-01"), true],
    ] as const) {
      expect(linkPredicate(blocks!, { ...links, now: () => now })({}, undefined)).toBe(isLater);
    }
  });
});
