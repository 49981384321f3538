import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toTimestamp } from "./timestamp.ts";

describe("toTimestamp", () => {
  test.each([
    ["2026-01-31", "2026-01-31T00:00:00.000Z"],
    ["2026-01-31T09:30", "2026-01-31T09:30:00.000Z"],
    ["2026-01-31T09:30:15", "2026-01-31T09:30:15.000Z"],
    ["2026-01-31 09:30:15.5Z", "2026-01-31T09:30:15.500Z"],
    ["2026-01-31T09:30:15.123456+02:00", "2026-01-31T07:30:15.123Z"],
    ["2026-01-01T00:30:00+0530", "2025-12-31T19:00:00.000Z"],
    ["2026-01-01T00:30:00-08", "2026-01-01T08:30:00.000Z"],
    ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"],
    ["0050-01-01", "0050-01-01T00:00:00.000Z"],
  ])("reads %s as %s", (text, timestamp) => expect(toTimestamp(text)).toBe(timestamp));

  test.each([
    "",
    "now",
    "2026-02-30",
    "2025-02-29",
    "2026-13-01",
    "2026-01-01T24:01",
    "2026-01-01T10",
    "1735689600",
    "2026-1-1",
  ])("rejects %j", (text) => expect(toTimestamp(text)).toBeNull());

  test("agrees with Date on every instant it writes", () => {
    const dates = fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });
    fc.assert(fc.property(dates, (date) => toTimestamp(date.toISOString()) === date.toISOString()));
  });

  test("never throws, and returns only what Date can read", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const timestamp = toTimestamp(text);
        return timestamp === null || new Date(timestamp).toISOString() === timestamp;
      }),
    );
  });
});
