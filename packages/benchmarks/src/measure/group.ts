import type { Chart } from "@assay/simulations/chart";
import type { Measurement } from "./measurement.ts";
import type { Target } from "./target.ts";

/** How long a run measures. */
export interface RunOptions {
  /** Fewer and shorter rounds. */
  isQuick: boolean;
  /** Folders of other checkouts of this repository, built, to measure over HTTP in the same run. */
  beside: readonly string[];
  /** Prints a line of progress. */
  say(line: string): void;
}

/** Measurements of a group, with the versions of what was measured. */
export interface GroupRun {
  measurements: Measurement[];
  versions: Record<string, string>;
}

/** A set of benchmarks that are measured together: one section of the page. */
export interface Group {
  name: string;
  title: string;
  /** What is measured and how, in Markdown. */
  setting: string;
  /** Which cases the chart of the section shows, in one unit. At most five. */
  chart: { axis: string; cases: readonly string[] };
  targets: readonly Target[];
  run(options: RunOptions): Promise<GroupRun>;
}

/** A chart of a section, with its file name and caption. */
export interface Picture {
  file: string;
  caption: string;
  chart: Chart;
}
