import type { SequentialResults } from "@assay/contract";
import { type SpendingFunction, spendingLooks } from "@assay/core/stats/planning";
import type { Steps } from "../../ground/slices.ts";

type Schedule = SequentialResults["alpha_spending"]["schedule"];

const MAX_REMEMBERED = 100;
const remembered = new Map<string, Schedule>();

/**
 * Computes the boundaries at this many equally spaced looks. A hundred looks take some tenths of a second of
 * integration. The result depends only on the three parameters, so it is cached.
 */
export function* scheduleOf(spending: SpendingFunction, looks: number, alpha: number): Steps<Schedule> {
  const name = JSON.stringify([spending, looks, alpha]);
  const known = remembered.get(name);
  if (known) return known;
  const fractions = Array.from({ length: looks }, (_, index) => (index + 1) / looks);
  const schedule: Schedule = [];
  for (const look of spendingLooks(spending, fractions, { alpha })) {
    schedule.push({
      look: look.look,
      information_fraction: look.informationFraction,
      cumulative_alpha: look.cumulativeAlpha,
      incremental_alpha: look.incrementalAlpha,
      z_boundary: look.zBoundary,
      nominal_p_value: look.nominalPValue,
    });
    yield;
  }
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(name, schedule);
  return schedule;
}
