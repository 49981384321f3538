import { join } from "node:path";
import type { AssayOptions } from "@assay/server";
import { usageFailure } from "../failure.ts";

type Environment = Record<string, string | undefined>;
/** Where data goes and how long it stays, how results are computed, and the allowed warehouses. */
export type DataSettings = Pick<
  AssayOptions,
  "analysisThreads" | "exports" | "keepRawEvents" | "retention" | "warehouse"
>;

/**
 * Reads from the environment where exports go, how long events are kept, how many threads compute results and which
 * warehouses are allowed.
 * @param data the directory of the data
 * @throws {CommandFailure} naming the variable with an invalid value
 */
export function readDataSettings(environment: Environment, data: string): DataSettings {
  const { ASSAY_ANALYSIS_THREADS, ASSAY_EXPORTS, ASSAY_EVENTS_DAYS, ASSAY_KEEP_RAW_EVENTS } = environment;
  const list = (name: string) => (environment[name] ? environment[name].split(",").map((word) => word.trim()) : []);
  return {
    exports: { directory: ASSAY_EXPORTS || join(data, "exports") },
    ...(ASSAY_EVENTS_DAYS && { retention: { eventsDays: days(ASSAY_EVENTS_DAYS) } }),
    ...(ASSAY_ANALYSIS_THREADS && { analysisThreads: threads(ASSAY_ANALYSIS_THREADS) }),
    keepRawEvents: onOff(ASSAY_KEEP_RAW_EVENTS || "off"),
    warehouse: { directories: list("ASSAY_WAREHOUSE_DIRECTORIES"), hosts: list("ASSAY_WAREHOUSE_HOSTS") },
  };
}

function days(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) > 0) return Number(value);
  throw usageFailure(`ASSAY_EVENTS_DAYS must be a whole number of days from 1, not "${value}"`);
}

function threads(value: string): number {
  if (/^\d{1,2}$/.test(value) && Number(value) >= 1 && Number(value) <= 64) return Number(value);
  throw usageFailure(`ASSAY_ANALYSIS_THREADS must be a whole number from 1 to 64, not "${value}"`);
}

function onOff(value: string): boolean {
  if (value === "on" || value === "off") return value === "on";
  throw usageFailure(`ASSAY_KEEP_RAW_EVENTS must be on or off, not "${value}"`);
}
