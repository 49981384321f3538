import { EngineRefused } from "@assay/analysis";
import type { Connection } from "./connection.ts";
import { identifier, literal } from "./text.ts";

/** Where the tables are, and of which kind. */
export interface Place {
  /** The database; that of the client if undefined. */
  database?: string | undefined;
  /** A cluster over whose shards the events are distributed. */
  cluster?: string | undefined;
  /** Whether the tables are replicated. */
  isReplicated: boolean;
}

/** The names of the tables, ready to use in SQL. */
export interface Tables {
  /** The table to read and insert. */
  events: string;
  /** The table to change, with the cluster on which. */
  local: string;
  schema: string;
}

/** The version of the tables that this code writes. */
const VERSION = 1;

/** The columns of the events with their types. */
const EVENTS: Record<string, string> = {
  log: "LowCardinality(String)",
  position: "UInt64",
  idx: "UInt32",
  kind: "LowCardinality(String)",
  received_ms: "Int64",
  event_type: "LowCardinality(String)",
  user_id: "String",
  unit_id: "String",
  time_ms: "Int64",
  experiment_id: "LowCardinality(String)",
  variant_key: "LowCardinality(String)",
  flag_key: "LowCardinality(String)",
  value: "Nullable(Float64)",
  forced: "Bool",
  event_id: "String",
  metadata: "String",
};

/** Rows with the same key are one: position and place identify a row, so a row that is inserted twice counts once. */
const KEY = "(log, experiment_id, kind, event_type, user_id, time_ms, position, idx)";

const inside = ({ database }: Place, name: string) =>
  database === undefined ? identifier(name) : `${identifier(database)}.${identifier(name)}`;
const onCluster = ({ cluster }: Place) => (cluster === undefined ? "" : ` ON CLUSTER ${identifier(cluster)}`);
const localName = ({ cluster }: Place) => (cluster === undefined ? "assay_events" : "assay_events_local");

/** Returns the names of the tables. */
export function tablesOf(place: Place): Tables {
  return {
    events: inside(place, "assay_events"),
    local: `${inside(place, localName(place))}${onCluster(place)}`,
    schema: inside(place, "assay_schema"),
  };
}

/** Returns the statements that create the tables of version 1. */
export function createStatements(place: Place): string[] {
  const { cluster, isReplicated } = place;
  const on = onCluster(place);
  const engine = (kind: string, name: string, version = "") => {
    const path = `'/clickhouse/tables/{shard}/{database}/${name}', '{replica}'`;
    return isReplicated ? `Replicated${kind}(${[path, version].filter(Boolean).join(", ")})` : `${kind}(${version})`;
  };
  const columns = Object.entries(EVENTS).map(([name, type]) => `  ${name} ${type}`);
  const times = [
    "  received_at DateTime64(3, 'UTC') ALIAS fromUnixTimestamp64Milli(received_ms, 'UTC')",
    "  happened_at DateTime64(3, 'UTC') ALIAS fromUnixTimestamp64Milli(time_ms, 'UTC')",
  ];
  const local = localName(place);
  const statements = [
    `CREATE TABLE IF NOT EXISTS ${inside(place, "assay_schema")}${on} (version UInt32)
ENGINE = ${engine("ReplacingMergeTree", "assay_schema")} ORDER BY version`,
    `CREATE TABLE IF NOT EXISTS ${inside(place, local)}${on} (
${[...columns, ...times].join(",\n")}
)
ENGINE = ${engine("ReplacingMergeTree", local)}
PARTITION BY toYYYYMM(fromUnixTimestamp64Milli(received_ms, 'UTC'))
ORDER BY ${KEY}`,
  ];
  if (cluster === undefined) return statements;
  const database = place.database === undefined ? "currentDatabase()" : literal(place.database);
  return [
    ...statements,
    // A user's rows are on one shard, so that a row that is inserted twice is on the same one.
    `CREATE TABLE IF NOT EXISTS ${inside(place, "assay_events")}${on} AS ${inside(place, local)}
ENGINE = Distributed(${identifier(cluster)}, ${database}, ${literal(local)}, cityHash64(user_id))`,
  ];
}

/**
 * Creates or migrates the tables.
 * @throws EngineRefused for tables of a later version or of another layout
 */
export async function openTables(connection: Connection, place: Place): Promise<void> {
  const { schema } = tablesOf(place);
  const [first] = createStatements(place);
  await connection.command(first!);
  const [row] = await connection.select<{ version: number }>(`SELECT max(version) AS version FROM ${schema}`);
  const version = Number(row?.version ?? 0);
  if (version > VERSION) {
    throw new EngineRefused(
      `The tables in ClickHouse are of version ${version}, and this version of Assay knows version ${VERSION}; update Assay`,
    );
  }
  // Also creates a table again that was dropped, so that the events are copied anew.
  for (const statement of createStatements(place).slice(1)) await connection.command(statement);
  await requireLayout(connection, place);
  if (version < VERSION) await connection.command(`INSERT INTO ${schema} (version) VALUES (${VERSION})`);
}

async function requireLayout(connection: Connection, place: Place): Promise<void> {
  const table = localName(place);
  const database = place.database === undefined ? "currentDatabase()" : literal(place.database);
  const where = `database = ${database} AND table = ${literal(table)}`;
  const advice = "use another database, or drop the table; the server then copies the events again";
  const found = await connection.select<{ name: string; type: string }>(
    `SELECT name, type FROM system.columns WHERE ${where}`,
  );
  const types = new Map(found.map(({ name, type }) => [name, type]));
  for (const [name, type] of Object.entries(EVENTS)) {
    if (types.get(name) === type) continue;
    const problem = types.has(name) ? `has the type ${types.get(name)}, not ${type}` : "is missing";
    throw new EngineRefused(
      `The ClickHouse table ${table} has another layout: its column ${name} ${problem}; ${advice}`,
    );
  }
  const [row] = await connection.select<{ engine: string; sorting_key: string }>(
    `SELECT engine, sorting_key FROM system.tables WHERE database = ${database} AND name = ${literal(table)}`,
  );
  if (row?.engine.endsWith("ReplacingMergeTree") && `(${row.sorting_key})` === KEY) return;
  throw new EngineRefused(`The ClickHouse table ${table} has another layout: its engine or sorting key; ${advice}`);
}
