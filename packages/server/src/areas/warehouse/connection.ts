import { isAbsolute } from "node:path";
import type { WarehouseConnection, WarehouseConnectionCreate, WarehouseConnectionUpdate } from "@assay/contract";
import { invalid } from "../../ground/errors.ts";
import type { ConnectionRecord } from "../../model/warehouse.ts";
import type { Document } from "../../storage/collection.ts";
import { clickHousePort } from "./engines/clickhouse.ts";
import type { EngineSettings } from "./engines/engine.ts";

/** A connection before it is stored. Its password is plain text or null. */
export type ConnectionDraft = Omit<ConnectionRecord, keyof Document | "created_by">;

const DEFAULT_TIMEOUT_SECONDS = 60;

/** Parses a body. @throws ApiError 422 if a field is missing or does not belong to the type */
export function toDraft(body: WarehouseConnectionCreate): ConnectionDraft {
  return requireComplete({
    name: body.name,
    type: body.type,
    host: body.host ?? null,
    port: body.port ?? null,
    database: body.database ?? null,
    schema: body.schema ?? null,
    username: body.username ?? null,
    password: body.password ?? null,
    options: body.options ?? {},
  });
}

/**
 * Merges a body into a connection: absent fields stay, `null` clears. The password is the new one, or undefined for the
 * stored one. @throws ApiError 422, also if the stored password would be sent to another host
 */
export function mergeConnection(
  current: ConnectionRecord,
  { password, options, ...body }: WarehouseConnectionUpdate,
): { draft: ConnectionDraft; password: string | null | undefined } {
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  const { id: _, created_at: __, updated_at: ___, version: ____, created_by: _____, ...settings } = current;
  const draft: ConnectionDraft = {
    ...settings,
    ...given,
    options: options === undefined ? current.options : (options ?? {}),
  };
  if (draft.type !== current.type)
    throw invalid(["body", "type"], `The type ${current.type} cannot change; create another connection`);
  const moved = draft.host !== current.host || portOf(draft) !== portOf(current);
  const weakened = current.options.ssl !== draft.options.ssl;
  if (current.password !== null && password === undefined && (moved || weakened)) {
    throw invalid(["body", "password"], "Send the password again to change host, port or ssl", "missing");
  }
  if (password !== undefined) draft.password = password;
  return { draft: requireComplete(draft), password };
}

function requireComplete(draft: ConnectionDraft): ConnectionDraft {
  const field = (name: keyof ConnectionDraft) => ["body", name];
  const needed = draft.type === "DUCKDB" ? (["database"] as const) : (["host", "database", "username"] as const);
  for (const name of needed) {
    if (draft[name] === null) throw invalid(field(name), `${draft.type} needs a ${name}`, "missing");
  }
  if (draft.type === "CLICKHOUSE" && draft.schema !== null) {
    throw invalid(field("schema"), "CLICKHOUSE has databases and no schema; give the database", "unexpected");
  }
  if (draft.type !== "DUCKDB") return draft;
  for (const name of ["host", "port", "username", "password"] as const) {
    if (draft[name] !== null) throw invalid(field(name), `DUCKDB is a file and has no ${name}`, "unexpected");
  }
  if (draft.options.ssl) throw invalid(["body", "options", "ssl"], "DUCKDB is a file and has no ssl", "unexpected");
  if (!isAbsolute(draft.database ?? "")) throw invalid(field("database"), "Expected an absolute path");
  return draft;
}

/** Returns the port that a connection goes to. */
function portOf({ type, port, options }: Pick<ConnectionDraft, "type" | "port" | "options">): number {
  if (port !== null) return port;
  return type === "CLICKHOUSE" ? clickHousePort(options.ssl ?? "VERIFY") : 5432;
}

/** Returns the settings that an engine needs. */
export function toSettings(draft: ConnectionDraft): EngineSettings {
  const { host, port, database, schema, username, password, options } = draft;
  const timeoutMs = (options.statement_timeout_seconds ?? DEFAULT_TIMEOUT_SECONDS) * 1000;
  return { host, port, database, schema, username, password, ssl: options.ssl ?? "VERIFY", timeoutMs };
}

/** Returns a connection as the API returns it. */
export function toShown(record: ConnectionRecord): WarehouseConnection {
  const { password, version: _, ...shown } = record;
  return { ...shown, has_password: password !== null };
}
