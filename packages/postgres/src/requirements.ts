import { StoreRefused } from "@assay/store";
import type { Session } from "./connection.ts";

interface Found {
  encoding: string;
  isReadOnly: boolean;
}

const TABLES = ["entries", "journals", "records", "leases", "claim_sets"];

/** Checks that a database can keep the store. @throws {StoreRefused} if it is read-only, or not in UTF8 */
export async function requireSuitable(session: Session): Promise<void> {
  const { rows } = await session.query<Found>(
    `SELECT current_setting('server_encoding') AS encoding,
            current_setting('transaction_read_only')::boolean AS "isReadOnly"`,
  );
  const [{ encoding, isReadOnly }] = rows as [Found];
  if (isReadOnly) throw new StoreRefused("PostgreSQL is read-only; connect to the primary server");
  if (encoding === "UTF8") return;
  throw new StoreRefused(`The database has the encoding ${encoding}; create one with ENCODING 'UTF8'`);
}

/** Checks that the user may write to the tables, which exist. @throws {StoreRefused} if they may not */
export async function requirePrivileges(session: Session, name: string): Promise<void> {
  const { rows } = await session.query<{ mayWrite: boolean }>(
    `SELECT has_schema_privilege(s.oid, 'CREATE') AND bool_and(has_table_privilege(t.oid, wanted)) AS "mayWrite"
     FROM pg_namespace s
     JOIN pg_class t ON t.relnamespace = s.oid AND t.relname = ANY ($2)
     CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS wanted
     WHERE s.nspname = $1 GROUP BY s.oid`,
    [name, TABLES],
  );
  if (rows[0]?.mayWrite) return;
  throw new StoreRefused(
    `The PostgreSQL user may not write to the tables in "${name}"; grant them CREATE on the schema, and SELECT, INSERT, ` +
      "UPDATE and DELETE on its tables",
  );
}
