import type { SufficientStatistics } from "@assay/analysis";
import type { WarehouseSource, WarehouseSync } from "@assay/contract";
import { badRequest, notFound } from "../../ground/errors.ts";
import { type Runtime, timestampOf } from "../../ground/runtime.ts";
import type { Rights } from "../../identity/rights.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { armsOf } from "../../model/experiment-subject.ts";
import type { SyncedLook, SyncRecord } from "../../model/warehouse.ts";
import { SecretUnreadable } from "../../secrets/secrets.ts";
import type { Change } from "../../storage/change.ts";
import type { Collection } from "../../storage/collection.ts";
import { findByIdOrKey } from "../../storage/lookup.ts";
import { readStatistics } from "./answers/statistics.ts";
import { WarehouseFailure } from "./engines/engine.ts";
import type { Reader } from "./reader.ts";
import { requireSelect } from "./sql/select.ts";

/** Maximum number of days whose last sync is kept, for sequential tests. */
const MAX_LOOKS = 200;

/** Creates `sync` of the warehouse service. */
export function createSyncing(deps: {
  runtime: Runtime;
  syncs: Collection<SyncRecord>;
  /** With a unique index `key`. */
  experiments: Collection<ExperimentRecord>;
  rights: Rights;
  reader: Reader;
}): (idOrKey: string, source: WarehouseSource, by: Change, signal?: AbortSignal) => Promise<WarehouseSync> {
  const { runtime, syncs, experiments, rights, reader } = deps;

  async function keep(
    id: string,
    source: WarehouseSource,
    statistics: SufficientStatistics,
    by: Change,
  ): Promise<void> {
    const synced_at = timestampOf(runtime.now());
    const { users, metrics } = statistics;
    const look: SyncedLook = { date: synced_at.slice(0, 10), users, metrics };
    if (!syncs.get(id)) {
      await syncs.insert({ id, source, synced_at, statistics, looks: [look] }, by);
      return;
    }
    const change = (current: SyncRecord): SyncRecord => {
      // Earlier looks at other metrics or tables are not comparable.
      const isSame = isSameSubject(current, source, statistics);
      const earlier = isSame ? current.looks.filter(({ date }) => date < look.date) : [];
      return { ...current, source, synced_at, statistics, looks: [...earlier, look].slice(-MAX_LOOKS) };
    };
    await syncs.update(id, change, by);
  }

  return async (idOrKey, given, by, signal) => {
    const record = findByIdOrKey(experiments, idOrKey);
    if (!record) throw notFound();
    const current = syncs.get(record.id) ?? null;
    rights.require(by, "syncs", { id: record.id, before: current, after: current });
    const source = withSelects(given);
    if (record.status === "DRAFT") throw badRequest("A DRAFT experiment has no results; start it first");
    const sql: string[] = [];
    const started_at = timestampOf(runtime.now());
    const answer = (statistics: SufficientStatistics | null, error: string | null): WarehouseSync => ({
      experiment_id: record.id,
      connection_id: source.connection_id,
      status: error === null ? "SUCCEEDED" : "FAILED",
      error,
      rows: statistics?.users.reduce((sum, users) => sum + users, 0) ?? 0,
      crossover: statistics?.crossover ?? 0,
      forced: statistics?.forced ?? 0,
      variants: armsOf(record).map(({ id, key }, arm) => ({ id, key, users: statistics?.users[arm] ?? 0 })),
      metrics: (statistics?.metrics ?? []).map(({ metric }) => ({
        metric_id: metric.id,
        status: "OK",
      })),
      generated_sql: sql.map((text) => `${text};\n`).join("\n"),
      started_at,
      finished_at: timestampOf(runtime.now()),
    });
    try {
      const statistics = await reader.read(record, source, readStatistics, { sql, signal });
      signal?.throwIfAborted();
      await keep(record.id, source, statistics, by);
      return answer(statistics, null);
    } catch (error) {
      if (error instanceof WarehouseFailure || error instanceof SecretUnreadable) return answer(null, error.message);
      throw error;
    }
  };
}

/** @throws ApiError 422 if a `*_sql` is not a single SELECT */
function withSelects(source: WarehouseSource): WarehouseSource {
  const { assignments_sql, events_sql } = source;
  return {
    ...source,
    ...(assignments_sql !== undefined && {
      assignments_sql: requireSelect(assignments_sql, ["body", "assignments_sql"]),
    }),
    ...(events_sql !== undefined && { events_sql: requireSelect(events_sql, ["body", "events_sql"]) }),
  };
}

function isSameSubject(current: SyncRecord, source: WarehouseSource, { metrics }: SufficientStatistics): boolean {
  const before = [current.source, current.statistics.metrics.map(({ metric }) => metric)];
  const after = [source, metrics.map(({ metric }) => metric)];
  return JSON.stringify(before) === JSON.stringify(after);
}
