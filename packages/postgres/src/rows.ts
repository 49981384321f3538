import type { StoreRow } from "@assay/store";
import type { Connection, Session } from "./connection.ts";
import { unavailable } from "./failure.ts";

/** The number of rows to read at once. */
const STEP_LENGTH = 500;

/** How the rows of each table are read as bytes. */
const READS: Record<string, string> = {
  entries: `SELECT convert_to(key, 'UTF8') AS key, int8send(version) || value AS value FROM {schema}.entries ORDER BY key`,
  journals: `SELECT convert_to(name, 'UTF8') AS key, int8send(head) || int8send(coalesce(
    (SELECT min(position) - 1 FROM {schema}.records WHERE journal = name), head)) AS value
    FROM {schema}.journals ORDER BY name`,
  records: `SELECT int8send(position) || convert_to(journal, 'UTF8') AS key, record AS value FROM {schema}.records
    ORDER BY journal, position`,
  leases: `SELECT convert_to(name, 'UTF8') AS key,
    int8send(token) || int8send(expires_at) || coalesce('\\x01' || convert_to(holder, 'UTF8'), '') AS value
    FROM {schema}.leases ORDER BY name`,
  claim_sets: `SELECT convert_to(name, 'UTF8') AS key, int8send(latest) || int8send(floor) AS value
    FROM {schema}.claim_sets ORDER BY name`,
};

/** How the rows of each table are written, from arrays of keys and values. */
const WRITES: Record<string, string> = {
  entries: `INSERT INTO {schema}.entries SELECT convert_from(key, 'UTF8'), {first}, substr(value, 9)`,
  journals: `INSERT INTO {schema}.journals SELECT convert_from(key, 'UTF8'), {first}`,
  records: `INSERT INTO {schema}.records SELECT convert_from(substr(key, 9), 'UTF8'), {position}, value`,
  leases: `INSERT INTO {schema}.leases SELECT convert_from(key, 'UTF8'),
    CASE WHEN length(value) > 16 THEN convert_from(substr(value, 18), 'UTF8') END, {first}, {second}`,
  claim_sets: `INSERT INTO {schema}.claim_sets (name, latest, floor) SELECT convert_from(key, 'UTF8'), {first}, {second}`,
};

/** What replaces a row that is there already. */
const REPLACES: Record<string, string> = {
  entries: "(key) DO UPDATE SET version = excluded.version, value = excluded.value",
  journals: "(name) DO UPDATE SET head = excluded.head",
  records: "(journal, position) DO UPDATE SET record = excluded.record",
  leases: "(name) DO UPDATE SET holder = excluded.holder, token = excluded.token, expires_at = excluded.expires_at",
  claim_sets: "(name) DO UPDATE SET latest = excluded.latest, floor = excluded.floor",
};

/** Reads a 64-bit integer from bytes: PostgreSQL casts a text of bits. */
const integer = (bytes: string, from: number) =>
  `('x' || encode(substr(${bytes}, ${from}, 8), 'hex'))::bit(64)::bigint`;

/** Yields every row, as of one moment. */
export async function* readRows(connection: Connection): AsyncGenerator<StoreRow> {
  const session = await connection.session();
  let isDone = false;
  try {
    await session.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    for (const [table, text] of Object.entries(READS)) yield* readTable(session, connection, table, text);
    const sets = await session.query(
      `SELECT name, id, unnest(generations) AS generation FROM ${connection.schema}.claim_sets ORDER BY name, generation`,
    );
    for (const { name, id, generation } of sets.rows) {
      const [found] = (
        await session.query(`SELECT ${connection.schema}.claim_table($1, $2) AS claims`, [id, generation])
      ).rows;
      yield* readTable(
        session,
        connection,
        "claims",
        `SELECT convert_to('${name}#${generation}#', 'UTF8') || member AS key, ''::bytea AS value FROM ${found.claims} ORDER BY member`,
      );
    }
    await session.query("COMMIT");
    isDone = true;
  } catch (error) {
    throw unavailable(error);
  } finally {
    session.release(!isDone);
  }
}

async function* readTable(session: Session, { schema }: Connection, table: string, text: string) {
  await session.query(`DECLARE backup NO SCROLL CURSOR FOR ${text.replaceAll("{schema}", schema)}`);
  for (;;) {
    const { rows } = await session.query(`FETCH ${STEP_LENGTH} FROM backup`);
    for (const { key, value } of rows) yield { table, key, value } as StoreRow;
    if (rows.length < STEP_LENGTH) break;
  }
  await session.query("CLOSE backup");
}

/** Writes rows that {@link readRows} returned, over those of the same keys. */
export async function loadRows(connection: Connection, rows: StoreRow[]): Promise<void> {
  const byTable = new Map<string, StoreRow[]>();
  for (const row of rows) byTable.set(row.table, [...(byTable.get(row.table) ?? []), row]);
  for (const [table, found] of byTable) {
    if (table === "claims") await loadClaims(connection, found);
    else await insert(connection, table, found);
  }
}

async function insert(connection: Connection, table: string, rows: StoreRow[]): Promise<void> {
  const statement = WRITES[table]!.replace("{first}", integer("value", 1))
    .replace("{second}", integer("value", 9))
    .replace("{position}", integer("key", 1));
  await connection.query(
    `${statement} FROM unnest($1::bytea[], $2::bytea[]) AS rows (key, value) ON CONFLICT ${REPLACES[table]}`,
    [rows.map(({ key }) => Buffer.from(key)), rows.map(({ value }) => Buffer.from(value))],
  );
}

async function loadClaims(connection: Connection, rows: StoreRow[]): Promise<void> {
  const byGeneration = new Map<string, Buffer[]>();
  for (const { key } of rows) {
    const bytes = Buffer.from(key);
    const end = bytes.indexOf("#", bytes.indexOf("#") + 1);
    const name = bytes.toString("utf8", 0, end);
    const members = byGeneration.get(name) ?? [];
    byGeneration.set(name, members);
    members.push(bytes.subarray(end + 1));
  }
  for (const [name, members] of byGeneration) {
    const [set, generation] = name.split("#");
    await connection.query("SELECT {schema}.load_claims($1, $2, $3)", [set, generation, members]);
  }
}
