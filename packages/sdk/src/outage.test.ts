import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withErrorAfter } from "./outage.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const codes = { GENERAL: "sdk:GENERAL" };

function watch(errorAfterMs?: number) {
  const emitted: [string, unknown][] = [];
  const outage = withErrorAfter<string>(
    (event, details) => void emitted.push([event, details]),
    { errorAfterMs },
    codes,
  );
  return { ...outage, emitted, events: () => emitted.map(([event]) => event) };
}

test("an outage is an error once it has lasted for the given time, and fresh definitions end it", () => {
  const { emit, emitted } = watch(60_000);
  emit("Stale", { message: "unreachable" });
  vi.advanceTimersByTime(59_999);
  expect(emitted).toEqual([["Stale", { message: "unreachable" }]]);
  vi.advanceTimersByTime(1);
  expect(emitted.slice(1)).toEqual([["Error", { message: "unreachable", errorCode: "sdk:GENERAL" }]]);
  emit("Ready", {});
  vi.advanceTimersByTime(600_000);
  expect(emitted.slice(2)).toEqual([["Ready", {}]]);
});

test.each<[string, (outage: ReturnType<typeof watch>) => void]>([
  ["fresh definitions", ({ emit }) => emit("Ready", {})],
  ["closing the provider", ({ close }) => close()],
])("%s before that time prevents the error, and leaves no timer", (_, end) => {
  const outage = watch(60_000);
  outage.emit("Stale", {});
  end(outage);
  expect(vi.getTimerCount()).toBe(0);
  expect(outage.events()).not.toContain("Error");
});

test("changed flags during an outage do not delay the error", () => {
  const { emit, events } = watch(60_000);
  emit("Stale", {});
  vi.advanceTimersByTime(59_999);
  emit("ConfigurationChanged", { flagsChanged: ["checkout"] });
  vi.advanceTimersByTime(1);
  expect(events()).toEqual(["Stale", "ConfigurationChanged", "Error"]);
});

test("without the option an outage stays stale", () => {
  const { emit, events } = watch();
  emit("Stale", {});
  expect([vi.getTimerCount(), events()]).toEqual([0, ["Stale"]]);
});
