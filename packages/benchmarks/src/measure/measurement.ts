import { medianOf, ratiosOf, type Spread, spreadOf } from "./statistics.ts";

/** Units of figures. Of rates, more is better; of the others, less. */
export type Unit = "ns" | "us" | "ms" | "bytes" | "rows" | "events/s" | "requests/s";

/** What one subject took in one case: a figure for each round. */
export interface Measurement {
  case: string;
  subject: string;
  unit: Unit;
  rounds: number[];
}

/** A figure that a target needs was not measured. */
export class NotMeasured extends Error {
  override name = "NotMeasured";
}

/** Looks up measurements by case and subject. */
export interface Lookup {
  /** Median and quartiles of a subject. @throws NotMeasured */
  spread(caseName: string, subject: string): Spread;
  /** The greatest figure of a subject. @throws NotMeasured */
  greatest(caseName: string, subject: string): number;
  /** Median of the ratios, round by round, of one subject to another in the same case. @throws NotMeasured */
  ratio(caseName: string, subject: string, to: string): number;
  /** Name of the subject with the lowest median in a case, leaving some out. @throws NotMeasured */
  least(caseName: string, except?: readonly string[]): string;
}

/** Creates the look-up of measurements. */
export function createLookup(measurements: readonly Measurement[]): Lookup {
  const roundsOf = (caseName: string, subject: string) => {
    const found = measurements.find((one) => one.case === caseName && one.subject === subject);
    if (!found || found.rounds.length === 0) throw new NotMeasured(`${subject} was not measured: ${caseName}`);
    return found.rounds;
  };
  return {
    spread: (caseName, subject) => spreadOf(roundsOf(caseName, subject)),
    greatest: (caseName, subject) => Math.max(...roundsOf(caseName, subject)),
    ratio: (caseName, subject, to) => medianOf(ratiosOf(roundsOf(caseName, subject), roundsOf(caseName, to))),
    least(caseName, except = []) {
      const others = measurements.filter((one) => one.case === caseName && !except.includes(one.subject));
      const [first] = others.toSorted((a, b) => medianOf(a.rounds) - medianOf(b.rounds));
      if (!first) throw new NotMeasured(`Nothing else was measured: ${caseName}`);
      return first.subject;
    },
  };
}

/** Returns the measurements of a case from the figures of its subjects. */
export function toMeasurements(caseName: string, unit: Unit, figures: ReadonlyMap<string, number[]>): Measurement[] {
  return [...figures].map(([subject, rounds]) => ({ case: caseName, subject, unit, rounds }));
}
