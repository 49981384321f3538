import * as z from "zod";
import { Name, strict, Timestamp, Uuid, upper } from "../../shared/fields.ts";

/** The kinds of warehouses. */
export const WAREHOUSE_TYPES = ["POSTGRES", "DUCKDB", "CLICKHOUSE"] as const;
export type WarehouseType = (typeof WAREHOUSE_TYPES)[number];

const Host = z
  .string()
  .max(253)
  .regex(
    /^(?:[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)$/,
    "Expected a host name or an IP address",
  );
/** A text without control characters, so that error messages and logs show all of it. */
const Word = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^\p{Cc}]*$/u, "Control characters are not allowed");

const SSL_MODES = ["VERIFY", "REQUIRE", "DISABLE"] as const;

export const WarehouseOptions = strict({
  ssl: upper(SSL_MODES)
    .optional()
    .meta({
      description:
        "POSTGRES, CLICKHOUSE: VERIFY (default) encrypts and checks the certificate, REQUIRE encrypts without the check, " +
        "DISABLE does not encrypt",
    }),
  statement_timeout_seconds: z
    .int()
    .min(1)
    .max(3600)
    .optional()
    .meta({ description: "Timeout of a query in seconds; default 60" }),
}).meta({ id: "WarehouseOptions" });
export type WarehouseOptions = z.output<typeof WarehouseOptions>;

const Settings = {
  host: Host.nullish().meta({ description: "POSTGRES, CLICKHOUSE: host name or IP address" }),
  port: z.int().min(1).max(65_535).nullish().meta({
    description:
      "POSTGRES: port; default 5432. CLICKHOUSE: port of the HTTP interface; default 8443, or 8123 without TLS",
  }),
  database: z
    .string()
    .min(1)
    .max(4096)
    .regex(/^[^\p{Cc}]*$/u, "Control characters are not allowed")
    .nullish()
    .meta({
      description:
        "POSTGRES, CLICKHOUSE: name of the database. DUCKDB: absolute path of a database file, or of a folder whose " +
        "Parquet files are the tables; the path must be in a directory that the server allows",
    }),
  schema: Word.nullish().meta({
    description: "Schema of unqualified table names; default: public (POSTGRES), main (DUCKDB). Not for CLICKHOUSE",
  }),
  username: Word.nullish(),
  password: z
    .string()
    .min(1)
    .max(1024)
    .nullish()
    .meta({ writeOnly: true, description: "Encrypted at rest and never returned" }),
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
      description:
        "Id of a stored connection; the other fields override its settings. Without it, only the other " +
        "fields are used",
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

/** A connection to a warehouse that can compute results. Never contains the password. */
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
    latency_ms: z
      .number()
      .meta({ description: "Milliseconds from opening the connection to the result of a first query" }),
    error: z.string().nullable(),
  })
  .meta({ id: "WarehouseTestResult" });
export type WarehouseTestResult = z.infer<typeof WarehouseTestResult>;
