import type { Connection } from "./connection.ts";
import type { Tables } from "./layout.ts";
import { COLUMNS } from "./rows.ts";
import { fromText, literal, literals } from "./text.ts";

/** Removes rows of a log, and waits until every replica has done so. */
export interface Removal {
  /** @param through how far the copy reaches; later rows are of a batch that stopped, and the store may have changed them */
  erase(ids: readonly string[], through: number): Promise<void>;
  purge(before: number, through: number, kept: (ids: readonly string[]) => Promise<boolean[]>): Promise<void>;
  drop(): Promise<void>;
}

const IDS_A_STATEMENT = 1000;

/** Creates the removal from the tables of a log. */
export function createRemoval(connection: Connection, tables: Tables, log: string): Removal {
  const own = `log = ${literal(log)}`;
  const remove = (where: string) =>
    connection.command(`ALTER TABLE ${tables.local} DELETE WHERE ${own} AND (${where})`, { mutations_sync: "2" });

  /** Keeps a receipt of each record that loses rows: the server still received it. */
  function keepReceipts(where: string): Promise<void> {
    const values: Record<string, string> = { log: "log", position: "position", kind: "'receipt'", value: "NULL" };
    Object.assign(values, { idx: "0", received_ms: "received_ms", time_ms: "received_ms", forced: "false" });
    const columns = COLUMNS.map((name) => values[name] ?? "''").join(", ");
    return connection.command(`INSERT INTO ${tables.events} (${COLUMNS.join(", ")})
SELECT ${columns} FROM ${tables.events} FINAL WHERE ${own} AND (${where}) LIMIT 1 BY position`);
  }

  const removeAfter = (through: number) => remove(`kind <> 'progress' AND position > ${through}`);

  return {
    async erase(ids, through) {
      await removeAfter(through);
      for (const some of parts(ids)) {
        const list = literals(some);
        const where = `kind IN ('event', 'join') AND (user_id IN ${list} OR unit_id IN ${list})`;
        await keepReceipts(where);
        await remove(where);
      }
    },
    async purge(before, through, kept) {
      await removeAfter(through);
      const old = `kind = 'event' AND received_ms < ${Math.ceil(before)}`;
      await keepReceipts(old);
      await remove(old);
      const joins = await connection.select<{ user_id: string }>(
        `SELECT DISTINCT user_id FROM ${tables.events} FINAL WHERE ${own} AND kind = 'join'`,
      );
      const users = joins.map(({ user_id }) => fromText(user_id));
      for (const some of parts(users)) {
        const isKept = await kept(some);
        const gone = some.filter((_, index) => !isKept[index]);
        if (gone.length === 0) continue;
        const where = `kind = 'join' AND user_id IN ${literals(gone)}`;
        await keepReceipts(where);
        await remove(where);
      }
    },
    drop: () => remove("1 = 1"),
  };
}

function* parts<T>(all: readonly T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += IDS_A_STATEMENT) yield all.slice(from, from + IDS_A_STATEMENT);
}
