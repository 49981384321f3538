import type { GroupStatistics, SufficientStatistics } from "@assay/analysis";
import type { WarehouseConnection, WarehouseSource } from "@assay/contract";
import { defineSealed } from "../secrets/rotation.ts";
import type { CollectionOptions, Document } from "../storage/collection.ts";

/** A connection as stored, with its password encrypted. Null without a password. */
export interface ConnectionRecord extends Omit<WarehouseConnection, "has_password" | keyof Document>, Document {
  password: string | null;
}

export const connectionCollection: CollectionOptions<ConnectionRecord> = {
  name: "warehouse-connections",
  resource: "warehouse_connection",
  title: (connection) => connection.name,
  secret: ["password"],
};

/** Returns the encryption context of a connection password. */
export const contextOf = (id: string) => `warehouse ${id}`;

export const sealedConnections = defineSealed(connectionCollection, (connection, reseal) => ({
  ...connection,
  password: connection.password === null ? null : reseal(connection.password, contextOf(connection.id)),
}));

/** The statistics of one day, UTC, from the last sync of that day. */
export interface SyncedLook extends GroupStatistics {
  /** `2026-01-31` */
  date: string;
}

/** The last successful sync of an experiment. Its id is the id of the experiment. */
export interface SyncRecord extends Document {
  /** The request, repeated by the job `warehouse-sync`. */
  source: WarehouseSource;
  /** ISO 8601. */
  synced_at: string;
  statistics: SufficientStatistics;
  /** One per day with a sync, oldest first. */
  looks: SyncedLook[];
}

export const syncCollection: CollectionOptions<SyncRecord> = {
  name: "warehouse-syncs",
  resource: "warehouse_sync",
  title: (sync) => sync.id,
  secret: ["statistics", "looks"],
};
