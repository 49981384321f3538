import { afterEach, expect, test } from "vitest";
import { run, stopAll } from "../cli.fixture.ts";
import { readDataSettings } from "./data-settings.ts";

afterEach(stopAll);

test("by default, exports are next to the data, events are kept forever, and no warehouse is reachable", () => {
  expect(readDataSettings({ ASSAY_EXPORTS: "", ASSAY_EVENTS_DAYS: "" }, "/var/lib/assay")).toEqual({
    exports: { directory: "/var/lib/assay/exports" },
    keepRawEvents: false,
    warehouse: { directories: [], hosts: [] },
  });
});

test("the environment overrides the defaults", () => {
  const environment = {
    ASSAY_EXPORTS: "/exports",
    ASSAY_EVENTS_DAYS: "90",
    ASSAY_KEEP_RAW_EVENTS: "on",
    ASSAY_ANALYSIS_THREADS: "4",
    ASSAY_WAREHOUSE_DIRECTORIES: "/exports, /lake",
    ASSAY_WAREHOUSE_HOSTS: "db.internal",
  };
  expect(readDataSettings(environment, "./data")).toEqual({
    exports: { directory: "/exports" },
    retention: { eventsDays: 90 },
    keepRawEvents: true,
    analysisThreads: 4,
    warehouse: { directories: ["/exports", "/lake"], hosts: ["db.internal"] },
  });
});

test.each([
  ["ASSAY_EVENTS_DAYS", "0", 'ASSAY_EVENTS_DAYS must be a whole number of days from 1, not "0"'],
  ["ASSAY_ANALYSIS_THREADS", "0", 'ASSAY_ANALYSIS_THREADS must be a whole number from 1 to 64, not "0"'],
  ["ASSAY_ANALYSIS_THREADS", "65", 'ASSAY_ANALYSIS_THREADS must be a whole number from 1 to 64, not "65"'],
  ["ASSAY_KEEP_RAW_EVENTS", "yes", 'ASSAY_KEEP_RAW_EVENTS must be on or off, not "yes"'],
])("rejects %s=%s", async (variable, value, message) => {
  const { code, output } = await run(["serve", "--storage", "memory", "--port", "0"], { [variable]: value });
  expect(code).toBe(2);
  expect(output).toContain(message);
});
