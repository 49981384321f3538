import { type EngineLog, type EngineProgress, EngineRefused, type EventEngine, type Gap } from "@assay/analysis";
import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import { type Connection, createConnection } from "./connection.ts";
import { openTables, type Place, type Tables, tablesOf } from "./layout.ts";
import { createReading } from "./reading.ts";
import { createRemoval } from "./removal.ts";
import { requireServer } from "./requirements.ts";
import { toMark, toRows } from "./rows.ts";
import { literal } from "./text.ts";

/** Options of {@link clickhouseEvents}. */
export interface ClickhouseEventsOptions {
  /** A client of `@clickhouse/client`. The server closes it. */
  client: ClickHouseClient;
  /** The database of the tables. @default that of the client */
  database?: string;
  /** A cluster over whose shards the events are distributed, by user. @default one server */
  cluster?: string;
  /** Whether the tables are replicated; needs ClickHouse Keeper and the macros `shard` and `replica`. @default false */
  replicated?: boolean;
}

/** Settings of every SELECT and INSERT. */
const SETTINGS: ClickHouseSettings = {
  // Rows that may be the same have the same month of receipt.
  do_not_merge_across_partitions_select_final: 1,
};

/** An insert is acknowledged once every shard has it, and a shard asks the others for subqueries. */
const CLUSTERED: ClickHouseSettings = { insert_distributed_sync: 1, distributed_product_mode: "global" };

/**
 * Answers the questions about experiments from ClickHouse, to which the server copies the events of its journal. The store
 * stays what acknowledges and keeps events.
 *
 * @example
 * const client = createClient({ url: "http://localhost:8123", username: "assay", password, database: "assay" });
 * const assay = createAssay({ storage, events: clickhouseEvents({ client }) });
 */
export function clickhouseEvents(options: ClickhouseEventsOptions): EventEngine {
  const { client, database, cluster, replicated = false } = options;
  const place: Place = { database, cluster, isReplicated: replicated };
  const connection = createConnection(client, cluster === undefined ? SETTINGS : { ...SETTINGS, ...CLUSTERED });
  const tables = tablesOf(place);
  return {
    name: "ClickHouse",
    async open() {
      await requireServer(connection);
      await openTables(connection, place);
    },
    log: (id) => createLog(connection, tables, id, cluster !== undefined),
    close: () => client.close(),
  };
}

function createLog(connection: Connection, tables: Tables, log: string, isClustered: boolean): EngineLog {
  const source = { log, events: tables.events, within: isClustered ? "GLOBAL IN" : "IN" } as const;
  const reading = createReading(connection, source);
  const removal = createRemoval(connection, tables, log);

  async function progress(): Promise<EngineProgress> {
    const where = `log = ${literal(log)} AND experiment_id = '' AND kind = 'progress'`;
    const [row] = await connection.select<{ through: number; received: number; gaps: string[] }>(
      `SELECT max(position) AS through, argMax(received_ms, position) AS received, groupUniqArrayIf(metadata, metadata <> '') AS gaps
FROM ${tables.events} WHERE ${where}`,
    );
    const position = Number(row?.through ?? 0);
    const gaps = (row?.gaps ?? []).flatMap((text) => parseGaps(text));
    gaps.sort((a, b) => (a.after ?? 0) - (b.after ?? 0));
    return { position, receivedAt: position > 0 ? Number(row!.received) : null, gaps };
  }

  return {
    progress,
    async append({ records, reached }) {
      const rows = records.flatMap((record) => toRows(log, record));
      if (rows.length > 0) await connection.insert(tables.events, rows);
      // Written after the rows, so that answers contain all of a batch or nothing.
      const gaps = reached.gaps.length > 0 ? JSON.stringify(reached.gaps) : "";
      const mark = toMark(log, "progress", reached.position, reached.receivedAt ?? 0, gaps);
      await connection.insert(tables.events, [mark]);
    },
    answer: reading.answer,
    erase: async (ids) => removal.erase(ids, (await progress()).position),
    purge: async (before, kept) => removal.purge(before, (await progress()).position, kept),
    drop: removal.drop,
    close: reading.close,
  };
}

function parseGaps(text: string): Gap[] {
  try {
    return JSON.parse(text) as Gap[];
  } catch {
    throw new EngineRefused(
      "A progress row in ClickHouse is damaged; drop the table, so that the events are copied again",
    );
  }
}
