import * as z from "zod";
import { Name, strict, Timestamp, Uuid, upper } from "../../shared/fields.ts";

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
/** Printable, so that an error message or a log shows all of it. */
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
    connection_id: Uuid.optional().meta({
      description: "A stored connection, tested with the other fields over it; without it they are tested alone",
    }),
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
