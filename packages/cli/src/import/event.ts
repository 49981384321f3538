import { hash } from "node:crypto";
import type { Experiment, TrackingEvent } from "@assay/client";
import { usageFailure } from "../failure.ts";
import type { Row } from "./row.ts";
import { EXPOSURE, type ImportSettings } from "./settings.ts";

/** An error in one row of the file. */
export class RowError extends Error {
  override readonly name = "RowError";
}

/** Converts a row to its events: the exposure, then one for each metric with a value in the row. */
export type RowReader = (row: Row) => TrackingEvent[];

/** The type of a column's cells; undefined until its first non-empty cell. */
type Kind = "boolean" | "number" | undefined;

const MAX_USER_LENGTH = 1024;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Creates the reader of a file's rows from its header.
 * @param withIds whether events get their ids, which take most of the time of a row; checking a file needs none
 * @throws {CommandFailure} if a requested column is missing, or exists twice
 */
export function createRowReader(
  header: string[],
  settings: ImportSettings,
  experiment: Experiment,
  withIds = true,
): RowReader {
  const columnOf = (name: string) => findColumn(header, name, settings.file);
  const user = columnOf(settings.user);
  const arm = columnOf(settings.arm);
  const metrics = settings.metrics.map(({ name, column }) => ({
    name,
    column: columnOf(column),
    read: createCellReader(column, isConversion(experiment, name)),
  }));
  const variantOf = createVariantReader(settings, experiment);

  return ({ cells }) => {
    const user_id = cells[user] ?? "";
    if (user_id.trim() === "") throw new RowError(`column "${settings.user}" is empty; it must contain a user id`);
    if (user_id.length > MAX_USER_LENGTH) throw new RowError(`the user id has more than ${MAX_USER_LENGTH} characters`);
    const common = { user_id, experiment_id: experiment.id };
    const idOf = withIds ? createEventIds(experiment.id, user_id) : null;
    const idFor = (type: string) => idOf && { event_id: idOf(type) };
    const variant_id = variantOf(cells[arm] ?? "");
    const events: TrackingEvent[] = [{ ...common, event_type: EXPOSURE, variant_id, ...idFor(EXPOSURE) }];
    for (const { name, column, read } of metrics) {
      const value = read(cells[column] ?? "");
      if (value === false) continue;
      const event = { ...common, event_type: name, ...idFor(name) };
      events.push(value === true ? event : { ...event, value });
    }
    return events;
  };
}

/**
 * Makes the ids of a user's events: the same for the same experiment, user and metric, so that resent events are
 * recognised and not counted again. The ids have the form of UUIDs of version 8 ("custom"), which take the least space
 * in the server's index. Those of one user share a prefix, so that they are adjacent in it.
 */
function createEventIds(experimentId: string, userId: string): (metric: string) => string {
  const user = digest([experimentId, userId]);
  const prefix = `${user.slice(0, 8)}-${user.slice(8, 12)}-8${user.slice(12, 15)}`;
  return (metric) => {
    const own = digest([experimentId, userId, metric]);
    const variant = ((Number.parseInt(own.slice(0, 1), 16) & 3) | 8).toString(16);
    return `${prefix}-${variant}${own.slice(1, 4)}-${own.slice(4, 16)}`;
  };
}

function digest(parts: string[]): string {
  return hash("sha256", JSON.stringify(parts));
}

function findColumn(header: string[], name: string, file: string): number {
  const index = header.indexOf(name);
  if (index === -1)
    throw usageFailure(`${file} has no column "${name}"; it has ${header.map((one) => `"${one}"`).join(", ")}`);
  if (header.lastIndexOf(name) !== index) throw usageFailure(`${file} has two columns "${name}"`);
  return index;
}

function createVariantReader({ arms, arm }: ImportSettings, { variants, key }: Experiment): (cell: string) => string {
  const byName = new Map(variants.flatMap((variant) => [variant.id, variant.key].map((name) => [name, variant.key])));
  for (const [value, variant] of arms) {
    if (!byName.has(variant)) throw usageFailure(`--map-arm ${value}=${variant}: ${key} has no variant "${variant}"`);
  }
  const list = variants.map((variant) => variant.key).join(", ");
  return (cell) => {
    const variant = byName.get(arms.get(cell) ?? cell);
    if (variant !== undefined) return variant;
    throw new RowError(`"${cell}" in column "${arm}" is not a variant of ${key} (${list}); use --map-arm to map it`);
  };
}

/** Returns whether the metric is a CONVERSION, for which 1 and 0 mean yes and no. */
function isConversion({ metrics }: Experiment, name: string): boolean {
  const own = metrics.filter(({ event_type }) => event_type === name);
  return own.length > 0 && own.every(({ kind }) => kind === "CONVERSION");
}

/** Creates the reader of a column: whether the event happened, or its value; false without an event. */
function createCellReader(column: string, conversion: boolean): (cell: string) => boolean | number {
  let kind: Kind = conversion ? "boolean" : undefined;
  return (cell) => {
    const text = cell.trim().toLowerCase();
    if (text === "") return false;
    kind ??= NUMBER.test(text) ? "number" : "boolean";
    if (kind === "number") {
      const value = NUMBER.test(text) ? Number(text) : Number.NaN;
      if (Number.isFinite(value)) return value;
      throw new RowError(`"${cell}" in column "${column}" is not a number`);
    }
    if (text === "true" || (conversion && text === "1")) return true;
    if (text === "false" || (conversion && text === "0")) return false;
    throw new RowError(`"${cell}" in column "${column}" is neither true nor false${conversion ? " (nor 1 or 0)" : ""}`);
  };
}
