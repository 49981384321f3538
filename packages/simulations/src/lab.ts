import type { Chart } from "./chart.ts";
import type { Finding } from "./finding.ts";
import { createRandom, type Random } from "./random.ts";

/** Where proofs run: one seed, and how much of the full number of simulations to do. */
export interface Lab {
  random(stream: string): Random;
  /** The simulations to run where the full run has `full`; at least 50. */
  times(full: number): number;
}

/** What a proof answers: its findings, and perhaps a picture of them. */
export interface Evidence {
  title: string;
  /** What is simulated, in a sentence or two. */
  setting: string;
  findings: Finding[];
  pictures?: Picture[];
}

/** A chart with its file name and the sentence that says what it shows. */
export interface Picture {
  file: string;
  caption: string;
  chart: Chart;
}

/** Part of the proof of the engine: simulates, and holds what came out to its bounds. */
export type Proof = (lab: Lab) => Evidence;

/** Creates the lab of a run; `share` is 1 for the full run. */
export function createLab({ seed = 20_240_229, share = 1 }: { seed?: number; share?: number } = {}): Lab {
  return {
    random: (stream) => createRandom(seed, stream),
    times: (full) => Math.max(50, Math.round(full * share)),
  };
}

/** In how many of `simulations` something happened; a simulation without an answer does not happen. */
export function count(simulations: number, happens: (simulation: number) => boolean | null): number {
  let hits = 0;
  for (let simulation = 0; simulation < simulations; simulation++) if (happens(simulation)) hits++;
  return hits;
}
