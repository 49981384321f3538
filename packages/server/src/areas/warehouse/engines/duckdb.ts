import { readdir, realpath, stat } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import type { DuckDBConnection, DuckDBInstance, StatementType } from "@duckdb/node-api";
import { type Dialect, standardDialect } from "../sql/dialect.ts";
import {
  type EngineSettings,
  loadDriver,
  type WarehouseEngine,
  WarehouseFailure,
  type WarehouseSession,
} from "./engine.ts";

type DuckDb = typeof import("@duckdb/node-api");

const PARQUET = /^([A-Za-z_][A-Za-z0-9_$-]{0,62})\.parquet$/;
const FOLDER = /^[A-Za-z_][A-Za-z0-9_$-]{0,62}$/;
const MEMORY = "2GB";
const { literal, identifier } = standardDialect;

const dialect: Dialect = {
  ...standardDialect,
  sum: (expression) => `FSUM(${expression})`,
  // Texts are in the order of their bytes by default.
  ordered: (text) => text,
};

/**
 * Creates an in-process DuckDB engine. Opens database files read-only, and Parquet files in memory, only inside
 * `directories`. A session has access to its own file or folder, and no other files, network or extensions.
 */
export function createDuckDbEngine(directories: readonly string[]): WarehouseEngine {
  return {
    type: "DUCKDB",
    dialect,
    schemaOf: ({ schema }) => schema ?? "main",
    async open(settings) {
      // Loading the driver keeps other requests waiting for a tenth of a second: only for a place that may be opened.
      const place = await placeOf(settings.database ?? "", directories);
      const { DuckDBInstance, StatementType } = await loadDriver<DuckDb>("@duckdb/node-api");
      const options = { autoinstall_known_extensions: "false", autoload_known_extensions: "false" };
      let instance: DuckDBInstance | undefined;
      try {
        instance = await (place.isFolder
          ? DuckDBInstance.create(":memory:", options)
          : DuckDBInstance.create(place.path, { ...options, access_mode: "READ_ONLY" }));
        const connection = await instance.connect();
        if (place.isFolder) await showParquet(connection, place.path);
        await lock(connection, place.isFolder ? place.path : null, settings);
        return toSession(instance, connection, settings, StatementType.SELECT);
      } catch (error) {
        instance?.closeSync();
        throw toFailure(error);
      }
    },
  };
}

interface Place {
  path: string;
  isFolder: boolean;
}

/** Resolves a path. @throws WarehouseFailure, the same for missing paths and paths outside `directories` */
async function placeOf(database: string, directories: readonly string[]): Promise<Place> {
  if (directories.length === 0) throw new WarehouseFailure("The server allows no directory; set warehouse.directories");
  const refused = () => new WarehouseFailure("The file or folder does not exist in a directory that the server allows");
  const path = await realpath(database).catch(() => {
    throw refused();
  });
  const roots = await Promise.all(directories.map((directory) => realpath(directory).catch(() => null)));
  if (
    !roots.some((root) => root !== null && (path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)))
  ) {
    throw refused();
  }
  return { path, isFolder: (await stat(path)).isDirectory() };
}

/** Registers `x.parquet`, and the Parquet files in a folder `x`, as the table `x`. */
async function showParquet(connection: DuckDBConnection, folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const [, name] = entry.isFile() ? (PARQUET.exec(entry.name) ?? []) : [];
    const isFolder = entry.isDirectory() && FOLDER.test(entry.name) && (await holdsParquet(join(folder, entry.name)));
    if (name === undefined && !isFolder) continue;
    const files = join(folder, isFolder ? join(entry.name, "*.parquet") : entry.name);
    const table = identifier(name ?? basename(entry.name));
    await connection.run(`CREATE VIEW ${table} AS SELECT * FROM read_parquet(${literal(files)})`);
  }
}

async function holdsParquet(folder: string): Promise<boolean> {
  return (await readdir(folder)).some((name) => name.endsWith(".parquet"));
}

async function lock(connection: DuckDBConnection, folder: string | null, { schema }: EngineSettings): Promise<void> {
  await connection.run("SET TimeZone = 'UTC'");
  await connection.run(`SET memory_limit = '${MEMORY}'`);
  await connection.run("SET temp_directory = ''");
  if (schema !== null) await connection.run(`SET schema = ${literal(schema)}`);
  if (folder !== null) await connection.run(`SET allowed_directories = [${literal(folder + sep)}]`);
  await connection.run("SET enable_external_access = false");
  await connection.run("SET lock_configuration = true");
  await connection.run("BEGIN TRANSACTION");
}

function toSession(
  instance: DuckDBInstance,
  connection: DuckDBConnection,
  { timeoutMs }: EngineSettings,
  select: StatementType,
): WarehouseSession {
  return {
    async query(sql) {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        connection.interrupt();
      }, timeoutMs);
      try {
        const statements = await connection.extractStatements(sql);
        if (statements.count !== 1) throw new WarehouseFailure("Only one statement can be run");
        const statement = await statements.prepare(0);
        if (statement.statementType !== select) throw new WarehouseFailure("Only a SELECT can be run");
        return (await statement.runAndReadAll()).getRowObjectsJS();
      } catch (error) {
        throw isLate ? new WarehouseFailure(`The query took too long (${timeoutMs / 1000} s)`) : toFailure(error);
      } finally {
        clearTimeout(timer);
      }
    },
    async close() {
      connection.closeSync();
      instance.closeSync();
    },
    abandon: () => connection.interrupt(),
  };
}

/** Messages about names and syntax are public. Others may contain data or paths. */
function toFailure(error: unknown): WarehouseFailure {
  if (error instanceof WarehouseFailure) return error;
  const [first = ""] = (error instanceof Error ? error.message : "").split("\n");
  if (/^(Binder|Catalog|Parser) Error/.test(first)) return new WarehouseFailure(`The query cannot be run: ${first}`);
  if (/^(Conversion|Out of Range|Invalid Input) Error/.test(first)) {
    return new WarehouseFailure("A value does not have the type of its column");
  }
  if (first.startsWith("Permission Error")) return new WarehouseFailure("The query may not read that");
  if (first.startsWith("Out of Memory")) return new WarehouseFailure(`The query needs more than ${MEMORY} of memory`);
  return new WarehouseFailure(
    "The file cannot be read: it is not a DuckDB or Parquet file, or another process is writing to it",
  );
}
