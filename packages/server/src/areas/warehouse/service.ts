import type {
  WarehouseConnection,
  WarehouseConnectionCreate,
  WarehouseConnectionTest,
  WarehouseConnectionUpdate,
  WarehouseSource,
  WarehouseSync,
  WarehouseTestResult,
} from "@assay/contract";
import { invalid } from "../../ground/errors.ts";
import type { Runtime } from "../../ground/runtime.ts";
import { type Rights, unchanged } from "../../identity/rights.ts";
import type { Trail } from "../../identity/trail.ts";
import { type Caller, personOf } from "../../model/caller.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { type ConnectionRecord, contextOf, type SyncRecord } from "../../model/warehouse.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import type { Actor, Change } from "../../storage/change.ts";
import type { Collection } from "../../storage/collection.ts";
import { createQuestions, type WarehouseQuestions } from "./asking.ts";
import { type ConnectionDraft, mergeConnection, toDraft, toSettings, toShown } from "./connection.ts";
import { WarehouseFailure } from "./engines/engine.ts";
import type { WarehouseEngines } from "./engines.ts";
import { createReader } from "./reader.ts";
import { createSyncing } from "./syncing.ts";

/** Warehouse connections, and results from warehouses. */
export interface WarehouseService {
  /** Newest first. */
  list(): WarehouseConnection[];
  /** @throws ApiError 404 */
  get(id: string): WarehouseConnection;
  /** @throws ApiError 422 */
  create(body: WarehouseConnectionCreate, caller: Caller, by: Change): Promise<WarehouseConnection>;
  /** @throws ApiError 403 if the results of another user come from it, 404, 412, 422 */
  update(id: string, body: WarehouseConnectionUpdate, by: Change, ifVersion?: number): Promise<WarehouseConnection>;
  /** @throws ApiError 403 if the results of another user come from it, 404, 412 */
  remove(id: string, by: Change, ifVersion?: number): Promise<void>;
  /** Connects, and records the attempt in the audit trail. Returns connection failures as a result. @throws ApiError 404, 422 */
  test(body: WarehouseConnectionTest, actor: Actor): Promise<WarehouseTestResult>;
  /**
   * Aggregates an experiment in a warehouse. Returns warehouse failures as a result, and then keeps the old results.
   * @throws ApiError 400 for a DRAFT, 403, 404, 422
   */
  sync(idOrKey: string, source: WarehouseSource, by: Change, signal?: AbortSignal): Promise<WarehouseSync>;
}

/** Creates the warehouse service, and the questions to warehouses. */
export function createWarehouseService(deps: {
  runtime: Runtime;
  secrets: Secrets;
  connections: Collection<ConnectionRecord>;
  syncs: Collection<SyncRecord>;
  /** With a unique index `key`. */
  experiments: Collection<ExperimentRecord>;
  engines: WarehouseEngines;
  rights: Rights;
  trail: Trail;
}): { warehouse: WarehouseService; warehouseQuestions: WarehouseQuestions } {
  const { runtime, secrets, connections, syncs, engines, rights, trail } = deps;
  const seal = (password: string | null, id: string) =>
    password === null ? null : secrets.seal(password, contextOf(id));
  const passwordOf = ({ id, password }: ConnectionRecord) =>
    password === null ? null : secrets.open(password, contextOf(id));
  const opened = (record: ConnectionRecord): ConnectionDraft => ({ ...record, password: passwordOf(record) });

  /** Returns a stored connection with these changes. @throws ApiError 404, 422 */
  function changed(id: string, body: WarehouseConnectionUpdate): ConnectionDraft {
    const record = connections.require(id);
    const { draft, password } = mergeConnection(record, body);
    return { ...draft, password: password === undefined ? passwordOf(record) : password };
  }

  /**
   * Requires the right to all results that come from a connection, because a job reads them again from the changed one.
   * Its creator may change it: the owners of the results chose it. @throws ApiError 403, 404
   */
  function requireResults(id: string, by: Change): void {
    const { caller } = by;
    const isMaker = caller && caller !== "SERVER" && personOf(caller) === connections.require(id).created_by;
    if (isMaker) return;
    for (const sync of syncs.all()) {
      if (sync.source.connection_id === id) rights.require(by, "syncs", unchanged(sync));
    }
  }

  const reader = createReader({ ...deps, opened });

  const warehouse: WarehouseService = {
    list: () => connections.all().reverse().map(toShown),
    get: (id) => toShown(connections.require(id)),
    async create(body, caller, by) {
      const draft = toDraft(body);
      const id = runtime.id();
      const password = seal(draft.password, id);
      return toShown(await connections.insert({ ...draft, id, password, created_by: personOf(caller) ?? "" }, by));
    },
    async update(id, body, by, ifVersion) {
      requireResults(id, by);
      const change = (current: ConnectionRecord): ConnectionRecord => {
        const { draft, password } = mergeConnection(current, body);
        return { ...current, ...draft, password: password === undefined ? current.password : seal(password, id) };
      };
      return toShown(await connections.update(id, change, by, { ifVersion }));
    },
    async remove(id, by, ifVersion) {
      requireResults(id, by);
      await connections.remove(id, by, { ifVersion });
    },
    async test({ connection_id, ...body }, actor) {
      const { type } = body;
      if (connection_id === undefined && type === undefined)
        throw invalid(["body", "type"], "Field required", "missing");
      const started = runtime.now();
      const draft =
        type !== undefined && connection_id === undefined
          ? toDraft({ ...body, name: body.name ?? "test", type })
          : changed(connection_id ?? "", body);
      const result = (error: string | null) => {
        const detail = { success: error === null, type: draft.type, host: draft.host, database: draft.database };
        const of = { resource_type: "warehouse_connection", resource_id: connection_id ?? null };
        trail.record({ action: "warehouse_connection.test", actor, ...of, resource_name: draft.name, detail });
        return { success: error === null, latency_ms: runtime.now() - started, error };
      };
      try {
        const session = await engines.get(draft.type)!.open(toSettings(draft));
        try {
          await session.query("SELECT 1 AS one");
        } finally {
          await session.close();
        }
        return result(null);
      } catch (error) {
        if (error instanceof WarehouseFailure) return result(error.message);
        throw error;
      }
    },
    sync: createSyncing({ ...deps, reader }),
  };
  return { warehouse, warehouseQuestions: createQuestions(reader) };
}
