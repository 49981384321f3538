import type { Look, Question } from "@assay/analysis";
import { WarehouseFailure } from "../engines/engine.ts";
import { readGroups } from "./groups.ts";
import type { Reading } from "./reading.ts";
import { readMetric } from "./statistics.ts";

const DAY = 86_400_000;
/** Maximum number of days. */
const MAX_DAYS = 1000;

/**
 * Reads the experiment at the end of each day from the first participant on, and the users who entered that day.
 * @throws WarehouseFailure
 */
export async function readLooks(
  reading: Reading,
  { metric, cohorts }: Extract<Question, { about: "looks" }>["options"],
): Promise<Look[]> {
  const metrics = await readMetric(reading, metric);
  const days = await readGroups(reading, metrics, { by: "DAY" });
  if (days.numbers.length > MAX_DAYS) {
    throw new WarehouseFailure(`The events are of more than ${MAX_DAYS} days; set end_date in the sync`);
  }
  const entries = cohorts ? await readGroups(reading, metrics, { by: "ENTRY" }) : null;
  return days.numbers.map((day) => {
    const cohort = entries?.of(day) ?? null;
    return { date: new Date(day * DAY).toISOString().slice(0, 10), ...days.of(day), cohort };
  });
}
