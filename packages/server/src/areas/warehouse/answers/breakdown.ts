import type { BreakdownStatistics, Question } from "@assay/analysis";
import type { Grouping } from "../sql/subject.ts";
import { readGroups } from "./groups.ts";
import type { Reading } from "./reading.ts";
import { readMetric } from "./statistics.ts";

/** Maximum number of segments; the smallest are merged into OTHER. */
const MAX_SEGMENTS = 100;
const OTHER = "(other)";

/** Reads an experiment by segments of a column, the largest first. @throws WarehouseFailure */
export async function readBreakdown(
  reading: Reading,
  { dimension, metric }: Extract<Question, { about: "breakdown" }>["options"],
): Promise<BreakdownStatistics> {
  const { session, queries } = reading;
  const metrics = await readMetric(reading, metric);
  const rows = await session.query(queries.segments(dimension, MAX_SEGMENTS + 1));
  const found = rows.map(({ segment }) => String(segment));
  const isCut = found.length > MAX_SEGMENTS;
  // A statement cannot contain U+0000.
  const shown = found.slice(0, isCut ? MAX_SEGMENTS - 1 : MAX_SEGMENTS).filter((name) => !name.includes("\0"));
  const names = shown.filter((name) => name !== OTHER);
  const hasOther = isCut || names.length < found.length;
  const grouping: Grouping = { by: "SEGMENT", column: dimension, names };
  const groups = await readGroups(reading, metrics, grouping);
  // Users of OTHER have the number after the last name.
  const order = shown.includes(OTHER) ? shown : [...shown, ...(hasOther ? [OTHER] : [])];
  return {
    metrics: metrics.map(({ id }) => id),
    segments: order.map((segment) => ({
      segment,
      ...groups.of(segment === OTHER ? names.length : names.indexOf(segment)),
    })),
  };
}
