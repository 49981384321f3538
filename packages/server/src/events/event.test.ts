import { MAX_AHEAD_MS } from "@assay/analysis";
import { TrackingEvent } from "@assay/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkEvent, isPlainEvent, MAX_BACK_MS, openEnvelope } from "./event.ts";

const NOW = Date.UTC(2026, 2, 1, 12);
const at = (time: number) => ({ event_type: "t", user_id: "u", timestamp: new Date(time).toISOString() });

const anything = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.constant(null),
  fc.constant(undefined),
  fc.constant([]),
  fc.constant({}),
);
const odd = fc.record(
  {
    event_type: fc.oneof(fc.string(), anything),
    user_id: fc.oneof(fc.string({ maxLength: 3 }), fc.constant("x".repeat(1025)), anything),
    experiment_id: anything,
    variant_id: anything,
    feature_flag_key: anything,
    value: fc.oneof(fc.double(), anything),
    event_metadata: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), anything),
    event_id: anything,
    timestamp: fc.oneof(
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.constantFrom(
        "2026-02-30T00:00:00Z",
        "2026-02-28T24:00:00Z",
        "2026-02-28",
        "2026-02-28T10:00:00+02:00",
        "today",
      ),
      anything,
    ),
  },
  { requiredKeys: ["event_type", "user_id"] },
);

describe("an event", () => {
  it("skips the schema only if the schema would accept it unchanged", () => {
    fc.assert(
      fc.property(odd, (value) => {
        if (!isPlainEvent(value)) return;
        const parsed = TrackingEvent.parse(value);
        expect({ ...parsed, timestamp: parsed.timestamp && Date.parse(parsed.timestamp) }).toEqual({
          ...value,
          timestamp: value.timestamp && Date.parse(value.timestamp),
        });
      }),
      { numRuns: 2000 },
    );
  });

  it("is not changed by the schema, except for its timestamp", () => {
    const accepted = fc.record({
      event_type: fc.string({ minLength: 1, unit: "binary" }),
      user_id: fc.string({ minLength: 1, unit: "binary" }),
      experiment_id: fc.option(fc.string({ minLength: 1 })),
      event_id: fc.option(fc.string({ minLength: 1 })),
      value: fc.option(fc.double({ min: -1e15, max: 1e15, noNaN: true })),
      event_metadata: fc.option(fc.dictionary(fc.string(), fc.jsonValue())),
      timestamp: fc.constantFrom("2026-02-28", "2026-02-28T10:00:00+02:00", "2026-02-28T24:00:00Z"),
    });
    fc.assert(
      fc.property(accepted, (value) => {
        const { timestamp: read, ...parsed } = TrackingEvent.parse(value);
        const { timestamp: sent, ...fields } = value;
        expect(parsed).toEqual(fields);
        expect(checkEvent(value, NOW, 0)).toBe(Date.parse(read ?? ""));
      }),
    );
  });

  it("skips the schema if it is plain, with or without metadata", () => {
    const plain = { ...at(NOW), event_id: "e", experiment_id: "x", variant_id: "a", value: 1 };
    expect(isPlainEvent(plain)).toBe(true);
    expect(isPlainEvent({ ...plain, event_metadata: { page: "/" } })).toBe(true);
  });

  it.each([
    ["event_type", 255],
    ["user_id", 1024],
    ["experiment_id", 255],
    ["variant_id", 255],
    ["feature_flag_key", 255],
    ["event_id", 255],
  ])("may have a %s of at most %d characters, and not an empty one", (field, length) => {
    const withText = (text: string) => ({ ...at(NOW), [field]: text });
    expect(isPlainEvent(withText("x".repeat(length)))).toBe(true);
    for (const text of ["x".repeat(length + 1), ""]) {
      expect(isPlainEvent(withText(text))).toBe(false);
      expect(checkEvent(withText(text), NOW, 0)).toMatchObject([{ loc: [field] }]);
    }
  });

  it.each([[[]], [["page"]]])("may not have the list %j as metadata", (event_metadata) => {
    expect(isPlainEvent({ ...at(NOW), event_metadata })).toBe(false);
    expect(checkEvent({ ...at(NOW), event_metadata }, NOW, 0)).toMatchObject([{ loc: ["event_metadata"] }]);
  });

  it.each([[null], [[]], ["event"], [1]])("may not be %j", (value) => {
    expect(isPlainEvent(value)).toBe(false);
    expect(checkEvent(value, NOW, 0)).toMatchObject([{ loc: [] }]);
  });

  it.each([1e15, -1e15, 0, -0, 5e-324, null])("may have the value %d", (value) => {
    expect(checkEvent({ ...at(NOW), value }, NOW, 0)).toBe(NOW);
    // The schema looks at what is not plain.
    expect(checkEvent({ ...at(NOW), timestamp: "2026-03-01", value }, NOW, 0)).toBe(Date.UTC(2026, 2, 1));
  });

  it.each([
    [1e15 + 1, "too_big"],
    [-1e15 - 1, "too_small"],
    [1e308, "too_big"],
    ["1", "invalid_type"],
  ])("cannot have the value %d, whose sums would overflow", (value, type) => {
    expect(checkEvent({ ...at(NOW), value }, NOW, 0)).toMatchObject([{ loc: ["value"], type }]);
  });

  it("may be at most one hour ahead and 90 days back", () => {
    expect(checkEvent(at(NOW + MAX_AHEAD_MS), NOW, 0)).toBe(NOW + MAX_AHEAD_MS);
    expect(checkEvent(at(NOW + MAX_AHEAD_MS + 1), NOW, 0)).toMatchObject([{ type: "timestamp_too_late" }]);
    expect(checkEvent(at(NOW - MAX_BACK_MS), NOW, 0)).toBe(NOW - MAX_BACK_MS);
    expect(checkEvent(at(NOW - MAX_BACK_MS - 1), NOW, 0)).toMatchObject([{ type: "timestamp_too_early" }]);
  });

  it("has the time of receipt if it has no timestamp", () => {
    expect(checkEvent({ event_type: "t", user_id: "u" }, NOW, 5000)).toBe(NOW);
  });

  it("is corrected for the client's clock before its time is checked", () => {
    expect(checkEvent(at(NOW + 3 * MAX_AHEAD_MS), NOW, -3 * MAX_AHEAD_MS)).toBe(NOW);
  });

  it("comes alone, in an array or in an object, and errors name its path", () => {
    expect(openEnvelope({ event_type: "t" }, 2)).toMatchObject({ events: [{ event_type: "t" }], loc: [] });
    expect(openEnvelope([1, 2], 2)).toMatchObject({ events: [1, 2], loc: ["body"] });
    const sent_at = "2026-03-01T12:00:00Z";
    expect(openEnvelope({ events: [1], sent_at }, 2)).toEqual({ events: [1], sentAt: NOW, loc: ["body", "events"] });
    for (const body of [
      [],
      [1, 2, 3],
      { events: [] },
      { events: 1 },
      { events: [1], sent_at: "x" },
      { events: [1], sent_at: "2026/03/01" },
      null,
      7,
    ]) {
      expect(() => openEnvelope(body, 2)).toThrow(expect.objectContaining({ status: 422 }));
    }
  });
});
