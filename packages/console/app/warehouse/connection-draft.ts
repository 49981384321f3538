import type { WarehouseConnection } from "@assay/client";

type Type = WarehouseConnection["type"];
type Ssl = NonNullable<WarehouseConnection["options"]["ssl"]>;

/** What the form keeps over a reload; the password is not in it. */
export interface ConnectionDraft {
  name: string;
  type: Type;
  host: string;
  port: string;
  database: string;
  schema: string;
  username: string;
  ssl: Ssl;
  timeout: string;
}

type TextField = "host" | "port" | "database" | "schema" | "username";

/** The fields of each type, and whether they must be filled. */
export const FIELDS: Record<Type, Partial<Record<TextField, boolean>>> = {
  POSTGRES: { host: true, port: false, database: true, schema: false, username: true },
  CLICKHOUSE: { host: true, port: false, database: true, username: true },
  DUCKDB: { database: true, schema: false },
};

export const EMPTY: ConnectionDraft = {
  name: "",
  type: "POSTGRES",
  host: "",
  port: "",
  database: "",
  schema: "",
  username: "",
  ssl: "VERIFY",
  timeout: "",
};

export function toDraft({ options, ...connection }: WarehouseConnection): ConnectionDraft {
  const { name, type, host, port, database, schema, username } = connection;
  return {
    name,
    type,
    host: host ?? "",
    port: port === null ? "" : String(port),
    database: database ?? "",
    schema: schema ?? "",
    username: username ?? "",
    ssl: options.ssl ?? "VERIFY",
    timeout: String(options.statement_timeout_seconds ?? ""),
  };
}

/** The settings that a draft describes, without those that its type does not have. An empty password is left out. */
export function toBody({ name, type, port, ssl, timeout, ...draft }: ConnectionDraft, password: string) {
  const fields = FIELDS[type];
  const texts = (["host", "database", "schema", "username"] as const).flatMap((field) =>
    field in fields ? [[field, draft[field].trim() || null] as const] : [],
  );
  const isRemote = type !== "DUCKDB";
  return {
    name,
    type,
    ...(Object.fromEntries(texts) as Partial<Record<(typeof texts)[number][0], string | null>>),
    ...(isRemote ? { port: port.trim() === "" ? null : Number(port) } : {}),
    ...(isRemote && password !== "" ? { password } : {}),
    options: {
      ...(isRemote && ssl !== "VERIFY" ? { ssl } : {}),
      ...(timeout.trim() === "" ? {} : { statement_timeout_seconds: Number(timeout) }),
    },
  };
}
