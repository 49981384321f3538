import { createEngine } from "@assay/core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ConnectionError } from "./connection.ts";
import { NO_DEFINITIONS } from "./definition-format.ts";
import { createProviderCore, type FlagSourceListeners } from "./provider.ts";
import type { ErrorCodes } from "./resolution.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const codes = { GENERAL: "sdk:GENERAL", PROVIDER_FATAL: "sdk:FATAL" } as ErrorCodes<string>;
const unreachable = new ConnectionError("unreachable", {});

/** A provider over a source that fails and recovers as the test says. */
function watch(errorAfterMs?: number) {
  const emitted: [string, unknown][] = [];
  let listeners: FlagSourceListeners | undefined;
  const state = { isReady: true };
  const { report, close } = createProviderCore(
    (given) => {
      listeners = given;
      const engine = createEngine(NO_DEFINITIONS);
      return Object.assign(state, { engine, failure: undefined, freshness: () => "STATIC" as const, close() {} });
    },
    { push: () => true, drop: () => false, close: async () => {} },
    errorAfterMs === undefined ? {} : { errorAfterMs },
    codes,
    (event, details) => void emitted.push([event, details]),
  );
  return { ...listeners!, state, report, close, emitted, events: () => emitted.map(([event]) => event) };
}

test("an outage is an error once it has lasted for the given time, and fresh definitions end it", () => {
  const { onError, onRecover, emitted } = watch(60_000);
  onError(unreachable);
  vi.advanceTimersByTime(59_999);
  expect(emitted).toEqual([["Stale", { message: "unreachable" }]]);
  vi.advanceTimersByTime(1);
  expect(emitted.slice(1)).toEqual([["Error", { message: "unreachable", errorCode: "sdk:GENERAL" }]]);
  onRecover();
  vi.advanceTimersByTime(600_000);
  expect(emitted.slice(2)).toEqual([["Ready", { message: "Definitions are fresh" }]]);
});

test.each<[string, (outage: ReturnType<typeof watch>) => void]>([
  ["fresh definitions", ({ onRecover }) => onRecover()],
  ["closing the provider", ({ close }) => void close()],
])("%s before that time prevents the error, and leaves no timer", (_, end) => {
  const outage = watch(60_000);
  outage.onError(unreachable);
  end(outage);
  expect(vi.getTimerCount()).toBe(0);
  expect(outage.events()).not.toContain("Error");
});

test("changed flags and further failures during an outage do not delay the error", () => {
  const { onError, onChange, events } = watch(60_000);
  onError(unreachable);
  vi.advanceTimersByTime(59_999);
  onChange(["checkout"]);
  onError(unreachable);
  vi.advanceTimersByTime(1);
  expect(events()).toEqual(["Stale", "ConfigurationChanged", "Error"]);
});

test("without the option an outage stays stale", () => {
  const { onError, events } = watch();
  onError(unreachable);
  expect([vi.getTimerCount(), events()]).toEqual([0, ["Stale"]]);
});

test("a repeated report of an outage does not delay the error, and repeats the error afterwards", () => {
  const { onError, onRecover, report, emitted, events } = watch(60_000);
  onError(unreachable);
  vi.advanceTimersByTime(59_999);
  report(unreachable);
  vi.advanceTimersByTime(1);
  expect(events()).toEqual(["Stale", "Stale", "Error"]);
  report(unreachable);
  expect(emitted.slice(3)).toEqual([["Error", { message: "unreachable", errorCode: "sdk:GENERAL" }]]);
  onRecover();
  onError(unreachable);
  expect(events().slice(4)).toEqual(["Ready", "Stale"]);
  vi.advanceTimersByTime(60_000);
  expect(events().slice(6)).toEqual(["Error"]);
});

test("an outage after the provider was closed is a new one", async () => {
  const { onError, events, close } = watch(60_000);
  onError(unreachable);
  vi.advanceTimersByTime(60_000);
  await close();
  onError(unreachable);
  expect(events()).toEqual(["Stale", "Error", "Stale"]);
});

test.each([
  [401, "sdk:FATAL"],
  [503, "sdk:GENERAL"],
])("the report of a response %i is an error while there are no flags", (status, errorCode) => {
  const { report, state, emitted } = watch();
  state.isReady = false;
  report(new ConnectionError("No", { status }));
  expect(emitted).toEqual([["Error", { message: "No", errorCode }]]);
});

test("a rejected key is not a fatal error while there are flags, because the SDK would no longer ask", () => {
  const { onError, emitted } = watch(1);
  onError(new ConnectionError("No", { status: 401 }));
  vi.advanceTimersByTime(1);
  expect(emitted[1]).toEqual(["Error", { message: "No", errorCode: "sdk:GENERAL" }]);
});
