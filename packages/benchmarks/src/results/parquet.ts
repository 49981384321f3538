import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";

/** A folder with the events of an experiment as Parquet files: `exposures.parquet` and `outcomes.parquet`. */
export interface ParquetFolder {
  path: string;
  remove(): Promise<void>;
}

/** When the experiment starts: 1 January 2026, in milliseconds since 1970. */
export const START = Date.UTC(2026, 0, 1);
/** Seconds over which users appear, and over which they act afterwards. */
const APPEAR = 20 * 86_400;
const ACT = 10 * 86_400;

/** Writes so many events, the same ones every time: one exposure of each user, and outcomes. */
export async function writeParquet(events: number, users = Math.floor(events / 10)): Promise<ParquetFolder> {
  const path = await mkdtemp(join(tmpdir(), "assay-bench-"));
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const draw = (salt: string, below: number) => `CAST(hash(n, '${salt}') % ${below} AS BIGINT)`;
  const start = `TIMESTAMP '2026-01-01'`;
  const seen = `${start} + to_seconds(CAST(hash(user, 'seen') % ${APPEAR} AS BIGINT))`;
  await connection.run(`COPY (
    SELECT 'user-' || user AS user_id, CASE WHEN user % 2 = 0 THEN 'control' ELSE 'treatment' END AS variant,
      ${seen} AS seen_at, 'checkout' AS experiment
    FROM (SELECT range AS user FROM range(${users}))
  ) TO '${join(path, "exposures.parquet")}'`);
  await connection.run(`COPY (
    SELECT 'user-' || user AS user_id,
      CASE WHEN kind < 60 THEN 'visit' WHEN kind < 90 THEN 'add_to_cart' ELSE 'purchase' END AS event_type,
      ${seen} + to_seconds(delay) AS happened_at,
      CASE WHEN kind >= 90 THEN amount / 100.0 END AS amount
    FROM (
      SELECT ${draw("user", users)} AS user, ${draw("kind", 100)} AS kind, ${draw("delay", ACT)} AS delay,
        ${draw("amount", 10_000)} AS amount
      FROM (SELECT range AS n FROM range(${events - users}))
    )
  ) TO '${join(path, "outcomes.parquet")}'`);
  connection.closeSync();
  instance.closeSync();
  return { path, remove: () => rm(path, { recursive: true }) };
}

/** An event as the Parquet files hold it; `time` is in milliseconds since 1970. */
export interface ParquetEvent {
  user: string;
  type: string;
  time: number;
  variant: string | null;
  value: number | null;
}

/** Yields the events of a folder, exposures first, in batches. */
export async function* readParquet({ path }: ParquetFolder): AsyncGenerator<ParquetEvent[]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const result = await connection.stream(`
    SELECT user_id, 'exposure' AS event_type, epoch_ms(seen_at)::DOUBLE, variant, NULL::DOUBLE
    FROM '${join(path, "exposures.parquet")}'
    UNION ALL
    SELECT user_id, event_type, epoch_ms(happened_at)::DOUBLE, NULL, amount::DOUBLE
    FROM '${join(path, "outcomes.parquet")}'`);
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    yield chunk.getRows().map(([user, type, time, variant, value]) => ({
      user: user as string,
      type: type as string,
      time: time as number,
      variant: variant as string | null,
      value: value as number | null,
    }));
  }
  connection.closeSync();
  instance.closeSync();
}
