import type { Measurement } from "../measure/measurement.ts";

/** What a run of a group measured, as it is kept in `measured/`. */
export interface StoredRun {
  /** The command that measured. */
  command: string;
  /** The day, as YYYY-MM-DD. */
  date: string;
  machine: string;
  /** Versions by package. */
  versions: Record<string, string>;
  measurements: Measurement[];
}
