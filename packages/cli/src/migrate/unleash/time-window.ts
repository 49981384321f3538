import type { TargetingRules } from "@assay/core";
import { noCounterpart } from "../mapping/no-counterpart.ts";
import type { Constraint } from "./payload.ts";

/** Whether a constraint compares the current time, whichever context field it names. */
export function isOnTime({ operator }: Constraint): boolean {
  return operator === "DATE_AFTER" || operator === "DATE_BEFORE";
}

/** Converts constraints on the current time to the period from `start_date` (in) to `end_date` (out), to the millisecond. */
export function toTimeWindow(constraints: readonly Constraint[]): TargetingRules | null {
  if (constraints.length === 0) return null;
  let [from, until] = [-Infinity, Infinity];
  for (const { operator, inverted, value } of constraints) {
    const at = Date.parse(String(value ?? ""));
    if (Number.isNaN(at)) noCounterpart(`"${value}" is not a time`);
    // After excludes its own instant, and "not before" includes it.
    if ((operator === "DATE_AFTER") !== (inverted === true)) from = Math.max(from, inverted ? at : at + 1);
    else until = Math.min(until, inverted ? at + 1 : at);
  }
  const iso = (time: number) => new Date(time).toISOString();
  return {
    time_rules: {
      ...(from > -Infinity && { start_date: iso(from) }),
      ...(until < Infinity && { end_date: iso(until) }),
    },
  };
}
