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
  .meta({ description: "One SELECT (or WITH … SELECT), without comments, semicolons or dollar quotes" });

/** The names of the columns that a sync reads, compared exactly. */
export const WarehouseColumns = strict({
  assignments: strict({
    user_id: Column.default("user_id"),
    variant: Column.default("variant").meta({ description: "Key or id of a variant" }),
    timestamp: Column.default("timestamp").meta({ description: "Time of the exposure" }),
    experiment: Column.nullish().meta({ description: "Key or id of the experiment, where the table has several" }),
    forced: Column.nullish().meta({ description: "True if the arm was chosen by name, not by hash" }),
  }).prefault({}),
  events: strict({
    user_id: Column.default("user_id"),
    event_type: Column.default("event_type"),
    timestamp: Column.default("timestamp"),
    value: Column.nullish().meta({ description: "`value` where absent; null where events carry none" }),
    experiment: Column.nullish().meta({ description: "The only experiment an event counts for, where it names one" }),
  }).prefault({}),
}).meta({ id: "WarehouseColumns" });
export type WarehouseColumns = z.output<typeof WarehouseColumns>;

/** What a sync reads. */
export const WarehouseSource = z
  .object({
    connection_id: Uuid,
    assignments_table: Table.optional(),
    assignments_sql: Select.optional(),
    events_table: Table.optional(),
    events_sql: Select.optional(),
    columns: WarehouseColumns.prefault({}),
    start_date: TimestampInput.nullish().meta({ description: "Exposures from then on; compared with their timestamp" }),
    end_date: TimestampInput.nullish().meta({ description: "Exposures and events before then" }),
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
    status: z.enum(["SUCCEEDED", "FAILED"]).meta({ description: "A failed sync leaves the results as they were" }),
    error: z.string().nullable(),
    rows: z.int().meta({ description: "Users whose outcomes are compared" }),
    crossover: z.int(),
    forced: z.int(),
    variants: z.array(z.object({ id: z.string(), key: z.string(), users: z.int() })),
    metrics: z.array(
      z.object({
        metric_id: z.string(),
        status: z.string().meta({ description: "OK, or NOT_AVAILABLE_FROM_WAREHOUSE for quantiles" }),
      }),
    ),
    generated_sql: z.string().meta({ description: "Every statement that was run, in order" }),
    started_at: Timestamp,
    finished_at: Timestamp,
  })
  .meta({ id: "WarehouseSync" });
export type WarehouseSync = z.infer<typeof WarehouseSync>;
