import type { GroupStatistics, SufficientStatistics } from "@assay/analysis";
import type { WarehouseConnection, WarehouseSource } from "@assay/contract";
import { defineSealed } from "../secrets/rotation.ts";
import type { CollectionOptions, Document } from "../storage/collection.ts";

/** A connection as it is stored: its password sealed, null where it has none. */
export interface ConnectionRecord extends Omit<WarehouseConnection, "has_password" | keyof Document>, Document {
  password: string | null;
}

export const connectionCollection: CollectionOptions<ConnectionRecord> = {
  name: "warehouse-connections",
  resource: "warehouse_connection",
  title: (connection) => connection.name,
  secret: ["password"],
};

/** What the password of a connection is sealed for. */
export const contextOf = (id: string) => `warehouse ${id}`;

export const sealedConnections = defineSealed(connectionCollection, (connection, reseal) => ({
  ...connection,
  password: connection.password === null ? null : reseal(connection.password, contextOf(connection.id)),
}));

/** What a metric that only the events themselves can answer says instead of numbers. */
export const NOT_AVAILABLE = "NOT_AVAILABLE_FROM_WAREHOUSE";

/** What a warehouse knew at the end of one day, UTC: the last sync of that day. */
export interface SyncedLook extends GroupStatistics {
  /** `2026-01-31` */
  date: string;
}

/** The last good sync of an experiment, whose id it has. */
export interface SyncRecord extends Document {
  /** What was asked for; asked again by the job `warehouse-sync`. */
  source: WarehouseSource;
  /** ISO 8601. */
  synced_at: string;
  statistics: SufficientStatistics;
  /** One a day of syncing, oldest first. */
  looks: SyncedLook[];
}

export const syncCollection: CollectionOptions<SyncRecord> = {
  name: "warehouse-syncs",
  resource: "warehouse_sync",
  title: (sync) => sync.id,
  secret: ["statistics", "looks"],
};
