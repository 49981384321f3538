import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseUtc, toTimestamp } from "./timestamp.ts";

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

describe("parseUtc", () => {
  test.each([
    "2026-01-31T09:30:15.250Z",
    "2026-01-31T09:30:15Z",
    "1970-01-01T00:00:00.000Z",
    "1969-12-31T23:59:59.999Z",
    "2024-02-29T12:00:00Z",
    "2000-02-29T12:00:00Z",
    "2025-02-28T23:59:59Z",
    "2026-04-30T00:00:00Z",
    "2026-03-01T00:00:00Z",
    "2026-12-31T23:59:59.999Z",
    "0000-01-01T00:00:00.000Z",
    "0000-03-01T00:00:00.000Z",
    "9999-12-31T23:59:59.999Z",
  ])("reads %s as Date does", (text) => expect(parseUtc(text)).toBe(Date.parse(text)));

  test.each([
    "2025-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2026-02-30T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-01-32T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z",
    "2026-01-01T00:00:60Z",
    "2026-01-01T00:00:00.1Z",
    "2026-01-01T00:00:00.12xZ",
    "2026-01-01T00:00:00,123Z",
    "2026-01-01T00:00:0xZ",
    "2026-01-01T00:0x:00Z",
    "2026-01-01T0x:00:00Z",
    "2026-01-0xT00:00:00Z",
    "2026-0x-01T00:00:00Z",
    "x026-01-01T00:00:00Z",
    "2026/01-01T00:00:00Z",
    "2026-01/01T00:00:00Z",
    "2026-01-01 00:00:00Z",
    "2026-01-01T00-00:00Z",
    "2026-01-01T00:00-00Z",
    "2026-01-01T00:00:00z",
    "2026-01-01T00:00:00.000z",
    "2026-01-01T00:00:00+00:00",
    "2026-01-01",
    "",
  ])("leaves %j to others", (text) => expect(parseUtc(text)).toBeNull());

  test("agrees with Date on every instant", () => {
    const dates = fc.date({ min: new Date("0000-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });
    fc.assert(fc.property(dates, (date) => parseUtc(date.toISOString()) === date.getTime()));
  });

  test("never reads what toTimestamp would read otherwise", () => {
    const part = (max: number) => fc.integer({ min: 0, max }).map((value) => String(value).padStart(2, "0"));
    const texts = fc
      .tuple(fc.integer({ min: 1890, max: 2110 }), part(14), part(33), part(26), part(62), part(62))
      .map(([year, month, day, hour, minute, second]) => `${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
    fc.assert(
      fc.property(texts, (text) => {
        const time = parseUtc(text);
        const written = time === null ? null : new Date(time).toISOString();
        return written === null ? toTimestamp(text) === null || text.includes("T24:00") : toTimestamp(text) === written;
      }),
    );
  });
});
