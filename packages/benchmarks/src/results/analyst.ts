import {
  type Analyst,
  encodeRecord,
  type Subject,
  type SufficientStatistics,
  startWorkerAnalyst,
} from "@assay/analysis";
import { type ParquetFolder, readParquet, START } from "./parquet.ts";

/** Metrics that a warehouse can compute as well: a window, winsorising, a ratio. */
export const METRICS = [
  { name: "bought", event_type: "purchase", kind: "CONVERSION", conversion_window_hours: 168 },
  { name: "revenue", event_type: "purchase", kind: "MEAN", winsorize_pct: 0.01 },
  { name: "carts", event_type: "add_to_cart", kind: "COUNT" },
  { name: "per visit", event_type: "add_to_cart", denominator_event_type: "visit", kind: "RATIO" },
  { name: "visits", event_type: "visit", kind: "COUNT" },
] as const;

const SUBJECT: Subject = {
  experimentId: "checkout",
  variants: ["control", "treatment"],
  history: [{ status: "ACTIVE", at: 0 }],
  metrics: METRICS.map((metric) => ({ ...metric, id: metric.name, direction: "INCREASE", role: "SECONDARY" })) as never,
};
/** Events are received a year later, in records of 100, as an import would send them. */
const RECEIVED = START + 365 * 86_400_000;
const RECORD = 100;
const ROWS_OF_CHUNK = 131_072;

/** An analyst of the server's with the events of a folder. */
export interface LoadedAnalyst {
  /** Recomputes everything about the experiment. */
  recompute(): Promise<SufficientStatistics>;
  /** Bytes of the compacted columns, for one event. */
  bytesPerEvent: number;
  close(): Promise<void>;
}

/** Loads the events of Parquet files, for a computation by so many threads. */
export async function loadAnalyst(folder: ParquetFolder, threads: number): Promise<LoadedAnalyst> {
  const analyst = await startWorkerAnalyst({ threads });
  let position = 0;
  for await (const batch of readParquet(folder)) {
    const records = [];
    for (let from = 0; from < batch.length; from += RECORD) {
      const events = batch.slice(from, from + RECORD).map(({ user, type, time, variant, value }) => ({
        id: "",
        type,
        userId: user,
        time,
        experimentId: variant === null ? null : SUBJECT.experimentId,
        variantKey: variant,
        flagKey: null,
        value,
        forced: false,
        metadata: null,
      }));
      records.push({ position: ++position, record: encodeRecord({ at: RECEIVED, events, joins: [] }) });
    }
    await analyst.ask("load", [], records);
  }
  return {
    recompute: () =>
      analyst.ask("answer", SUBJECT, { about: "statistics", options: null }) as Promise<SufficientStatistics>,
    bytesPerEvent: threads === 1 ? await compactedBytes(analyst) : Number.NaN,
    close: analyst.close,
  };
}

async function compactedBytes(analyst: Analyst): Promise<number> {
  let [bytes, rows, after] = [0, 0, 0];
  for (;;) {
    const cut = await analyst.ask("cut", after, ROWS_OF_CHUNK);
    if (!cut) return rows === 0 ? Number.NaN : bytes / rows;
    bytes += cut.chunk.length + (cut.details?.length ?? 0);
    rows += cut.rows;
    after = cut.through;
  }
}
