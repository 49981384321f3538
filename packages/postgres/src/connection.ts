import { StoreRefused, StoreUnavailable } from "@assay/store";
import pg from "pg";
import { isRepeatable, sqlStateOf, unavailable } from "./failure.ts";
import { requirePrivileges, requireSuitable } from "./requirements.ts";
import { MIGRATIONS } from "./schema.ts";

/** A session of PostgreSQL, for one caller at a time. */
export type Session = pg.PoolClient;

/** Sessions of one schema, whose tables exist. */
export interface Connection {
  /** The quoted schema. */
  schema: string;
  /**
   * Runs a statement; `{schema}` in it stands for the schema. It repeats transactions that PostgreSQL ended in favour of
   * others.
   * @throws {StoreUnavailable} if PostgreSQL fails, or its error if that has one of the codes `AS…` of this package
   */
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Lends a session, which the caller must release. @throws {StoreUnavailable} */
  session(): Promise<Session>;
  close(): Promise<void>;
}

const CONNECT_MS = 5_000;
const ATTEMPTS = 5;

/** Creates the pool of a store that connects by itself. */
export function createPool(connectionString: string, maxConnections: number, timeoutMs: number): pg.Pool {
  return new pg.Pool({
    connectionString,
    max: maxConnections,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: timeoutMs,
    statement_timeout: timeoutMs,
    keepAlive: true,
    application_name: "assay",
    // A user or a database may have switched it off. An acknowledged write must be on disk.
    options: "-c synchronous_commit=on",
  });
}

/** Connects with the first query, and creates or migrates the tables then. */
export function createConnection(pool: pg.Pool, name: string, ownsPool: boolean): Connection {
  const schema = `"${name}"`;
  let opened: Promise<void> | null = null;
  let isClosed = false;
  // A session that breaks while it is idle leaves the pool.
  const ignore = () => {};
  pool.on("error", ignore);

  const guarded = new WeakSet<Session>();
  const connect = async (): Promise<Session> => {
    if (isClosed) throw new StoreUnavailable("This PostgreSQL store is closed");
    const session = await pool.connect();
    // The caller's query rejects as well. Without a listener, the event would end the process.
    if (!guarded.has(session)) session.on("error", ignore);
    guarded.add(session);
    return session;
  };

  const open = async () => {
    const session = await connect();
    try {
      await requireSuitable(session);
      await migrate(session, schema);
      await requirePrivileges(session, name);
      session.release();
    } catch (error) {
      session.release(true);
      throw error;
    }
  };

  const ready = async () => {
    opened ??= open().catch((error: unknown) => {
      opened = null;
      throw error instanceof StoreRefused ? error : unavailable(error);
    });
    await opened;
  };

  const session = async () => {
    if (isClosed) throw new StoreUnavailable("This PostgreSQL store is closed");
    await ready();
    return connect().catch((error: unknown) => {
      throw unavailable(error);
    });
  };

  return {
    schema,
    session,
    async query<Row extends object>(text: string, values: unknown[] = []) {
      for (let attempt = 1; ; attempt++) {
        const one = await session();
        try {
          const { rows } = await one.query<Row>(text.replaceAll("{schema}", schema), values);
          one.release();
          return rows;
        } catch (error) {
          // After an error of PostgreSQL the session goes on; after any other its state is unknown.
          one.release(sqlStateOf(error) === undefined);
          if (isRepeatable(error) && attempt < ATTEMPTS) continue;
          throw sqlStateOf(error)?.startsWith("AS") ? error : unavailable(error);
        }
      }
    },
    async close() {
      isClosed = true;
      await opened?.catch(() => {});
      if (ownsPool) await pool.end();
      else pool.off("error", ignore);
    },
  };
}

/** Creates or migrates the tables, one process at a time. @throws {StoreRefused} if a later version made them */
async function migrate(session: Session, schema: string): Promise<void> {
  const current = await versionOf(session, schema);
  if (current === MIGRATIONS.length) return;
  try {
    await session.query("BEGIN");
    await session.query("SELECT pg_advisory_xact_lock(hashtext($1))", [`assay migrations ${schema}`]);
    await session.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await session.query(`CREATE TABLE IF NOT EXISTS ${schema}.versions (version integer NOT NULL)`);
    const version = await versionOf(session, schema);
    for (const migration of MIGRATIONS.slice(version)) await session.query(migration.replaceAll("{schema}", schema));
    await session.query(`DELETE FROM ${schema}.versions`);
    await session.query(`INSERT INTO ${schema}.versions VALUES ($1)`, [Math.max(version, MIGRATIONS.length)]);
    await session.query("COMMIT");
  } catch (error) {
    await session.query("ROLLBACK").catch(() => {});
    if (sqlStateOf(error) === "42501") {
      const { message } = unavailable(error);
      throw new StoreRefused(`Cannot create the tables of Assay: ${message}`, { cause: error });
    }
    throw error;
  }
}

async function versionOf(session: Session, schema: string): Promise<number> {
  const found = await session.query(`SELECT to_regclass($1) IS NOT NULL AS exists`, [`${schema}.versions`]);
  if (!found.rows[0].exists) return 0;
  const { rows } = await session.query(`SELECT version FROM ${schema}.versions`);
  const version = rows[0]?.version ?? 0;
  if (version <= MIGRATIONS.length) return version;
  throw new StoreRefused(
    `A later version of Assay made the tables in ${schema}: they have version ${version}, and this version of ` +
      `@assay/postgres reads up to ${MIGRATIONS.length}; update it`,
  );
}
