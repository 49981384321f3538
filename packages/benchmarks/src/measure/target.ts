import { type Lookup, NotMeasured } from "./measurement.ts";

/** A promise about speed, and how the measurements of its group say what was reached. */
export interface Target {
  /** A sentence without its number, such as "100 flags: times as fast as the fastest peer". */
  claim: string;
  bound: { kind: "atLeast" | "atMost"; value: number };
  /** @throws NotMeasured */
  reached(lookup: Lookup): number;
  /**
   * Why the target is missed, if it is; a run that misses it without an explanation fails. A function explains it with
   * figures of the same run, which a reader can check in the tables.
   */
  miss?: string | ((lookup: Lookup) => string);
}

/** What became of a target. Only `reached` and `explained` are fine. */
export interface Verdict {
  target: Target;
  outcome: "reached" | "explained" | "unexplained" | "not measured";
  /** Null if something was not measured. */
  value: number | null;
  /** Why the target is missed; only if it is, and has an explanation. */
  why?: string;
}

/** Compares what was reached with the target. */
export function judge(target: Target, lookup: Lookup): Verdict {
  const value = measuredBy(target, lookup);
  if (value === null) return { target, outcome: "not measured", value };
  const { kind, value: bound } = target.bound;
  if (kind === "atLeast" ? value >= bound : value <= bound) return { target, outcome: "reached", value };
  if (target.miss === undefined) return { target, outcome: "unexplained", value };
  const why = typeof target.miss === "string" ? target.miss : target.miss(lookup);
  return { target, outcome: "explained", value, why };
}

/** Returns whether a run may end well with this verdict. */
export function isFine({ outcome }: Verdict): boolean {
  return outcome === "reached" || outcome === "explained";
}

/** A figure that is not a number counts as none: 0 / 0 must not pass for a promise kept. */
function measuredBy(target: Target, lookup: Lookup): number | null {
  try {
    const value = target.reached(lookup);
    return Number.isFinite(value) ? value : null;
  } catch (error) {
    if (error instanceof NotMeasured) return null;
    throw error;
  }
}
