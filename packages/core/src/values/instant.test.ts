import { describe, expect, it } from "vitest";
import { toInstant } from "./instant.ts";

describe("times", () => {
  it.each([
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["2024-01-01T10:00", "2024-01-01T10:00:00.000Z"],
    ["2024-01-01 10:00:30", "2024-01-01T10:00:30.000Z"],
    ["2024-01-01T10:00:00.1239Z", "2024-01-01T10:00:00.123Z"],
    ["2024-01-01T10:00:00+02:00", "2024-01-01T08:00:00.000Z"],
    ["2024-01-01T10:00:00-0530", "2024-01-01T15:30:00.000Z"],
    ["2024-01-01T10:00:00,5+02", "2024-01-01T08:00:00.500Z"],
    ["2024-01-01T24:00", "2024-01-02T00:00:00.000Z"],
    ["0050-01-01", "0050-01-01T00:00:00.000Z"],
  ])("read %s as %s", (text, expected) => {
    expect(new Date(toInstant(text)!).toISOString()).toBe(expected);
  });

  it("may be given as milliseconds or as a Date", () => {
    expect(toInstant(1_700_000_000_000)).toBe(1_700_000_000_000);
    expect(toInstant(new Date(5))).toBe(5);
  });

  it.each([
    "",
    "2024",
    "2023-02-29",
    "2024-13-01",
    "2024-01-01T25:00",
    "2024-01-01T10:61",
    "2024-01-01T10:00+99:00",
    "2024-01-01T10:00+02:",
    "yesterday",
    Number.NaN,
    null,
    true,
    new Date(Number.NaN),
  ])("reject %s", (value) => {
    expect(toInstant(value)).toBeNull();
  });
});
