import type { Chart } from "./chart.ts";
import type { Finding } from "./finding.ts";
import { createRandom, type Random } from "./random.ts";

/** The environment of proofs: one seed, and the fraction of simulations to run. */
export interface Lab {
  random(stream: string): Random;
  /** Returns the number of simulations of this run, if a full run has `full`; at least `least`, 50 by default. */
  times(full: number, least?: number): number;
}

/** The result of a proof: its findings, and possibly a chart. */
export interface Evidence {
  title: string;
  /** A description of the simulation, in a sentence or two. */
  setting: string;
  findings: Finding[];
  pictures?: Picture[];
}

/** A chart with its file name and a caption. */
export interface Picture {
  file: string;
  caption: string;
  chart: Chart;
}

/** A part of the proof of the engine: it simulates, and checks the results against bounds. */
export type Proof = (lab: Lab) => Evidence | Promise<Evidence>;

/** Creates the lab of a run; `share` is 1 for the full run. `most` limits the simulations of each finding. */
export function createLab({ seed = 20_240_229, share = 1, most = Number.POSITIVE_INFINITY } = {}): Lab {
  return {
    random: (stream) => createRandom(seed, stream),
    times: (full, least = 50) => Math.min(most, Math.max(least, Math.round(full * share))),
  };
}

/** Returns in how many of `simulations` an event happened. A simulation without an answer counts as no event. */
export function count(simulations: number, happens: (simulation: number) => boolean | null): number {
  let hits = 0;
  for (let simulation = 0; simulation < simulations; simulation++) if (happens(simulation)) hits++;
  return hits;
}
