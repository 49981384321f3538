import * as z from "zod";
import { IdOrKey, Name, page, paging, strict, Timestamp, TimestampInput, Uuid, upper } from "../fields.ts";
import { defineArea } from "../route.ts";

/** Kinds of warehouses that a connection can name. */
export const WAREHOUSE_TYPES = ["POSTGRES", "DUCKDB", "CLICKHOUSE"] as const;
export type WarehouseType = (typeof WAREHOUSE_TYPES)[number];

const Host = z
  .string()
  .max(253)
  .regex(
    /^(?:[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)$/,
    "Expected a host name or an IP address",
  );
/** Printable, so that nothing hides in an error message or a log. */
const Word = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^\p{Cc}]*$/u, "Control characters are not allowed");

const SSL_MODES = ["VERIFY", "REQUIRE", "DISABLE"] as const;

export const WarehouseOptions = strict({
  ssl: upper(SSL_MODES).optional().meta({
    description:
      "POSTGRES: VERIFY (default) checks the certificate, REQUIRE encrypts without checking, DISABLE neither",
  }),
  statement_timeout_seconds: z
    .int()
    .min(1)
    .max(3600)
    .optional()
    .meta({ description: "The longest a query may take; 60 where absent" }),
}).meta({ id: "WarehouseOptions" });
export type WarehouseOptions = z.output<typeof WarehouseOptions>;

const Settings = {
  host: Host.nullish().meta({ description: "POSTGRES: host name or IP address" }),
  port: z.int().min(1).max(65_535).nullish().meta({ description: "POSTGRES: 5432 where absent" }),
  database: z
    .string()
    .min(1)
    .max(4096)
    .regex(/^[^\p{Cc}]*$/u, "Control characters are not allowed")
    .nullish()
    .meta({
      description:
        "POSTGRES: name of the database. DUCKDB: absolute path of a database file, or of a folder whose Parquet files are the tables; it must lie in a directory that the server allows",
    }),
  schema: Word.nullish().meta({ description: "Schema of tables named without one: public (POSTGRES), main (DUCKDB)" }),
  username: Word.nullish(),
  password: z
    .string()
    .min(1)
    .max(1024)
    .nullish()
    .meta({ writeOnly: true, description: "Sealed at rest, never answered" }),
  options: WarehouseOptions.nullish(),
};

export const WarehouseConnectionCreate = z
  .object({ name: Name, type: upper(WAREHOUSE_TYPES), ...Settings })
  .meta({ id: "WarehouseConnectionCreate" });
export type WarehouseConnectionCreate = z.output<typeof WarehouseConnectionCreate>;

export const WarehouseConnectionUpdate = z
  .object({ name: Name.optional(), type: upper(WAREHOUSE_TYPES).optional(), ...Settings })
  .meta({ id: "WarehouseConnectionUpdate" });
export type WarehouseConnectionUpdate = z.output<typeof WarehouseConnectionUpdate>;

export const WarehouseConnectionTest = z
  .object({
    connection_id: Uuid.optional().meta({ description: "A stored connection; without it the other fields are tested" }),
    name: Name.optional(),
    type: upper(WAREHOUSE_TYPES).optional(),
    ...Settings,
  })
  .refine((body) => body.connection_id !== undefined || body.type !== undefined, {
    message: "Give a connection_id, or the settings of a connection",
    path: ["connection_id"],
  })
  .meta({ id: "WarehouseConnectionTest" });
export type WarehouseConnectionTest = z.output<typeof WarehouseConnectionTest>;

/** A warehouse that results can be computed in. */
export const WarehouseConnection = z
  .object({
    id: Uuid,
    name: z.string(),
    type: z.enum(WAREHOUSE_TYPES),
    host: z.string().nullable(),
    port: z.int().nullable(),
    database: z.string().nullable(),
    schema: z.string().nullable(),
    username: z.string().nullable(),
    has_password: z.boolean(),
    options: z.object({ ssl: z.enum(SSL_MODES).optional(), statement_timeout_seconds: z.int().optional() }),
    created_by: z.string(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "WarehouseConnection" });
export type WarehouseConnection = z.infer<typeof WarehouseConnection>;

export const WarehouseTestResult = z
  .object({
    success: z.boolean(),
    latency_ms: z.number().meta({ description: "From opening the connection to the answer of a first query" }),
    error: z.string().nullable(),
  })
  .meta({ id: "WarehouseTestResult" });
export type WarehouseTestResult = z.infer<typeof WarehouseTestResult>;

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

/** Where the columns are that a sync reads; names are compared exactly. */
export const WarehouseColumns = strict({
  assignments: strict({
    user_id: Column.default("user_id"),
    variant: Column.default("variant").meta({ description: "Key or id of a variant" }),
    timestamp: Column.default("timestamp").meta({ description: "Time of the exposure" }),
    experiment: Column.nullish().meta({ description: "Key or id of the experiment, where the table has several" }),
    forced: Column.nullish().meta({ description: "True where the arm was given, not drawn" }),
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

/** What came of a sync. */
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

const byId = z.object({ id: Uuid });
const developers = { auth: { user: "DEVELOPER" }, limit: "api" } as const;

export const warehouse = defineArea({
  "GET /warehouse/connections": {
    operationId: "warehouse.connections",
    summary: "Connections to warehouses, newest first",
    ...developers,
    query: z.object(paging(500, 100)),
    response: page(WarehouseConnection),
  },
  "POST /warehouse/connections": {
    operationId: "warehouse.createConnection",
    summary: "Keep a connection to a warehouse; it is not tried",
    ...developers,
    body: WarehouseConnectionCreate,
    status: 201,
    response: WarehouseConnection,
  },
  "GET /warehouse/connections/{id}": {
    operationId: "warehouse.connection",
    summary: "One connection, without its password",
    auth: { user: true },
    limit: "api",
    params: byId,
    response: WarehouseConnection,
  },
  "PUT /warehouse/connections/{id}": {
    operationId: "warehouse.updateConnection",
    summary: "Change a connection; a new host or port needs the password again",
    ...developers,
    params: byId,
    body: WarehouseConnectionUpdate,
    response: WarehouseConnection,
  },
  "DELETE /warehouse/connections/{id}": {
    operationId: "warehouse.deleteConnection",
    summary: "Forget a connection; results that came through it stay",
    ...developers,
    params: byId,
    status: 204,
  },
  "POST /warehouse/connections/test": {
    operationId: "warehouse.testConnection",
    summary: "Connect now, with stored settings or those of the body",
    ...developers,
    body: WarehouseConnectionTest,
    response: WarehouseTestResult,
  },
  "POST /warehouse/sync/{experiment_id}": {
    operationId: "warehouse.sync",
    summary: "Let the warehouse sum an experiment up; results come from there from then on",
    ...developers,
    params: z.object({ experiment_id: IdOrKey }),
    body: WarehouseSource,
    response: WarehouseSync,
  },
});
