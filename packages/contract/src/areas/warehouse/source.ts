import * as z from "zod";
import { strict, Timestamp, TimestampInput, Uuid } from "../../shared/fields.ts";

const Column = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_$]{0,62}$/, "Letters, digits, _ and $, not starting with a digit, at most 63");
const Table = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_$-]{0,62}(\.[A-Za-z_][A-Za-z0-9_$-]{0,62}){0,2}$/,
    "A table, or schema.table: letters, digits, _, $ and -, not starting with a digit, at most 63 each",
  );
const Select = z
  .string()
  .min(1)
  .max(20_000)
  .meta({ description: "One SELECT (or WITH … SELECT) without comments, semicolons or dollar quotes" });

/** The names of the columns that a sync reads, compared exactly. */
export const WarehouseColumns = strict({
  assignments: strict({
    user_id: Column.default("user_id"),
    variant: Column.default("variant").meta({ description: "Column with the key or id of the variant" }),
    timestamp: Column.default("timestamp").meta({ description: "Column with the time of the exposure" }),
    experiment: Column.nullish().meta({
      description: "Column with the key or id of the experiment, if the table has several experiments",
    }),
    forced: Column.nullish().meta({
      description: "Column that is true if the arm was forced instead of drawn by hash",
    }),
    received: Column.nullish().meta({
      description:
        "Column with the time at which the row arrived, which decides its day in a time series; default: " +
        "the time of the exposure",
    }),
    attributes: z.array(Column).max(32).nullish().meta({
      description:
        "Columns that a breakdown may use as its dimension; everyone who can read results can see their values",
    }),
  }).prefault({}),
  events: strict({
    user_id: Column.default("user_id"),
    event_type: Column.default("event_type"),
    timestamp: Column.default("timestamp"),
    value: Column.nullish().meta({
      description: "Column with the value; default `value`. Null if events have no value",
    }),
    experiment: Column.nullish().meta({
      description:
        "Column with the key or id of the experiment that the event counts for; an event without one counts " +
        "for all",
    }),
    id: Column.nullish().meta({
      description: "Column that identifies an event: rows with the same id count once. Without it, every row counts",
    }),
    received: Column.nullish().meta({
      description:
        "Column with the time at which the row arrived, which decides its day in a time series; default: " +
        "the time of the event",
    }),
  }).prefault({}),
}).meta({ id: "WarehouseColumns" });
export type WarehouseColumns = z.output<typeof WarehouseColumns>;

/** The tables or queries that a sync reads, and their columns. */
export const WarehouseSource = z
  .object({
    connection_id: Uuid,
    assignments_table: Table.optional(),
    assignments_sql: Select.optional(),
    events_table: Table.optional(),
    events_sql: Select.optional(),
    columns: WarehouseColumns.prefault({}),
    start_date: TimestampInput.nullish().meta({
      description: "Start, inclusive: exposures from then on, by their timestamp",
    }),
    end_date: TimestampInput.nullish().meta({
      description: "End, exclusive: exposures and events before then, by their timestamp",
    }),
  })
  .refine((body) => (body.assignments_table === undefined) !== (body.assignments_sql === undefined), {
    message: "Give either assignments_table or assignments_sql",
    path: ["assignments_table"],
  })
  .refine((body) => (body.events_table === undefined) !== (body.events_sql === undefined), {
    message: "Give either events_table or events_sql",
    path: ["events_table"],
  })
  .refine((body) => !body.start_date || !body.end_date || body.start_date < body.end_date, {
    message: "end_date must be after start_date",
    path: ["end_date"],
  })
  .meta({ id: "WarehouseSource" });
export type WarehouseSource = z.output<typeof WarehouseSource>;

/** The outcome of a sync. */
export const WarehouseSync = z
  .object({
    experiment_id: z.string(),
    connection_id: z.string(),
    status: z.enum(["SUCCEEDED", "FAILED"]).meta({ description: "A failed sync does not change the results" }),
    error: z.string().nullable(),
    rows: z.int().meta({ description: "Number of users in the sync" }),
    crossover: z.int(),
    forced: z.int(),
    variants: z.array(z.object({ id: z.string(), key: z.string(), users: z.int() })),
    metrics: z.array(
      z.object({
        metric_id: z.string(),
        status: z.string().meta({ description: "OK" }),
      }),
    ),
    generated_sql: z.string().meta({ description: "All statements in the order in which they ran" }),
    started_at: Timestamp,
    finished_at: Timestamp,
  })
  .meta({ id: "WarehouseSync" });
export type WarehouseSync = z.infer<typeof WarehouseSync>;
