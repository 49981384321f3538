import type { WarehouseSource } from "@assay/contract";
import { invalid } from "../../ground/errors.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { armsOf } from "../../model/experiment-subject.ts";
import type { ConnectionRecord } from "../../model/warehouse.ts";
import type { Collection } from "../../storage/collection.ts";
import type { Reading } from "./answers/reading.ts";
import { type ConnectionDraft, toSettings } from "./connection.ts";
import type { WarehouseEngines } from "./engines.ts";
import { createQueries } from "./sql/queries.ts";

/** Reads answers about experiments from warehouses. */
export interface Reader {
  /**
   * Opens a session, reads from it and closes it.
   * @param options.sql collects the statements
   * @param options.signal aborts the statement in progress
   * @throws ApiError 422 if the connection does not exist, WarehouseFailure, SecretUnreadable
   */
  read<A>(
    record: ExperimentRecord,
    source: WarehouseSource,
    answer: (reading: Reading) => Promise<A>,
    options?: { sql?: string[]; signal?: AbortSignal | undefined },
  ): Promise<A>;
}

/** Creates the reader. */
export function createReader(deps: {
  connections: Collection<ConnectionRecord>;
  engines: WarehouseEngines;
  /** The connection with its decrypted password. @throws SecretUnreadable */
  opened(record: ConnectionRecord): ConnectionDraft;
}): Reader {
  return {
    async read(record, source, answer, { sql = [], signal } = {}) {
      const connection = deps.connections.get(source.connection_id);
      if (!connection) throw invalid(["body", "connection_id"], "The connection does not exist", "unknown_connection");
      const engine = deps.engines.get(connection.type)!;
      const settings = toSettings(deps.opened(connection));
      const subject = {
        experiment: record,
        arms: armsOf(record),
        keepsFirstArm: record.allocation !== "FIXED",
        source,
        schema: engine.schemaOf(settings),
      };
      const session = await engine.open(settings);
      const abandon = () => session.abandon();
      signal?.addEventListener("abort", abandon, { once: true });
      try {
        signal?.throwIfAborted();
        const noted = {
          query(text: string) {
            sql.push(text);
            return session.query(text);
          },
        };
        const metrics = record.metrics.length > 0 ? record.metrics : null;
        const queries = createQueries(session.dialect ?? engine.dialect, subject);
        return await answer({ session: noted, queries, subject, metrics });
      } finally {
        signal?.removeEventListener("abort", abandon);
        await session.close();
      }
    },
  };
}
