import { defaultMetrics, type SufficientStatistics } from "@assay/analysis";
import type { Metric } from "@assay/contract";
import { WarehouseFailure } from "../engines/engine.ts";
import { MAX_TYPES } from "../sql/counts.ts";
import { EVERYONE } from "../sql/subject.ts";
import { readGroups } from "./groups.ts";
import { numberOf, type Reading } from "./reading.ts";

/** Reads the statistics of the results. @throws WarehouseFailure */
export async function readStatistics(reading: Reading): Promise<SufficientStatistics> {
  const { session, queries } = reading;
  const [counts = {}] = await session.query(queries.counts());
  const groups = await readGroups(reading, await readMetrics(reading), EVERYONE);
  return {
    ...groups.of(0),
    crossover: numberOf(counts, "crossover"),
    forced: numberOf(counts, "forced"),
    inferred: 0,
    clusters: null,
  };
}

/** Returns the metrics of an experiment; of one that names none, those of the types of its events. */
export async function readMetrics({ session, queries, metrics }: Reading): Promise<readonly Metric[]> {
  if (metrics) return metrics;
  const rows = await session.query(queries.seen());
  if (rows.length > MAX_TYPES) {
    throw new WarehouseFailure(`The events have more than ${MAX_TYPES} types; give the experiment metrics`);
  }
  const types = rows.map((row) => ({ type: String(row.event_type), hasValues: numberOf(row, "amounts") > 0 }));
  return defaultMetrics(types.sort((a, b) => (a.type < b.type ? -1 : 1)));
}

/** Returns the metric with an id, otherwise with a name; all if there is none to look for. */
export async function readMetric(reading: Reading, idOrName: string | null): Promise<readonly Metric[]> {
  const metrics = await readMetrics(reading);
  if (idOrName === null) return metrics;
  const found = metrics.find(({ id }) => id === idOrName) ?? metrics.find(({ name }) => name === idOrName);
  return found ? [found] : [];
}
