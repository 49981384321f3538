import type { NotificationDelivery } from "@assay/contract";
import { keyOf, listAll, type Operation, prefixOf, type Store } from "@assay/store";
import { parseBytes, toBytes } from "../../storage/json.ts";
import type { Notice } from "./channels/notice.ts";

/** A delivery as stored, with its notice. */
export interface DeliveryRecord extends NotificationDelivery {
  notice: Notice;
}

/** A delivery as read. Written back only if unchanged. */
export interface StoredDelivery {
  delivery: DeliveryRecord;
  version: number;
}

/** Recent deliveries, and which of them are pending. */
export interface DeliveryLog {
  /** The operations that store new deliveries. */
  additions(deliveries: DeliveryRecord[]): Operation[];
  /** Replaces a delivery. Null if it was changed concurrently. */
  replace(stored: StoredDelivery, delivery: DeliveryRecord): Promise<StoredDelivery | null>;
  get(id: string): Promise<StoredDelivery | null>;
  /** Ids of PENDING deliveries, oldest first. */
  pending(): Promise<string[]>;
  /** Matching deliveries, newest first. Counts only up to a limit after the page. */
  page(
    isWanted: (delivery: DeliveryRecord) => boolean,
    page: { skip: number; limit: number },
  ): Promise<{ items: DeliveryRecord[]; total: number; total_is_exact: boolean }>;
  /** Deletes deliveries before a time, and the oldest beyond the maximum. @param before ISO 8601 */
  trim(before: string): Promise<void>;
}

const AREA = "notification-deliveries";
const PAGE = 500;
const MAX_KEPT = 10_000;
/** Maximum number of deliveries counted after a page. */
const COUNTED = 1000;

export function createDeliveryLog(store: Store): DeliveryLog {
  // Keys are listed in ascending order; inverted ids list the newest first.
  const keyFor = (id: string) => keyOf(AREA, "newest", inverted(id));
  const pendingKey = (id: string) => keyOf(AREA, "pending", id);

  const entries = (kind: "newest" | "pending") => listAll(store, prefixOf(AREA, kind), PAGE);

  function put(delivery: DeliveryRecord, ifVersion: number): Operation[] {
    const key = pendingKey(delivery.id);
    return [
      { type: "put", key: keyFor(delivery.id), value: toBytes(delivery), ifVersion },
      delivery.status === "PENDING" ? { type: "put", key, value: toBytes(delivery.id) } : { type: "delete", key },
    ];
  }

  return {
    additions: (deliveries) => deliveries.flatMap((delivery) => put(delivery, 0)),
    async replace(stored, delivery) {
      const result = await store.batch(put(delivery, stored.version));
      return result.ok ? { delivery, version: result.results[0]! } : null;
    },
    async get(id) {
      const entry = await store.get(keyFor(id));
      return entry && { delivery: parseBytes<DeliveryRecord>(entry.value), version: entry.version };
    },
    async pending() {
      const ids: string[] = [];
      for await (const { value } of entries("pending")) ids.push(parseBytes<string>(value));
      return ids;
    },
    async page(isWanted, { skip, limit }) {
      const items: DeliveryRecord[] = [];
      let [total, seen] = [0, 0];
      for await (const { value } of entries("newest")) {
        if (total === skip + limit + COUNTED) return { items, total, total_is_exact: false };
        // Older ones are about to be deleted.
        if (++seen > MAX_KEPT) break;
        const delivery = parseBytes<DeliveryRecord>(value);
        if (isWanted(delivery) && ++total > skip && items.length < limit) items.push(delivery);
      }
      return { items, total, total_is_exact: true };
    },
    async trim(before) {
      let seen = 0;
      const gone: string[] = [];
      for await (const { value } of entries("newest")) {
        const { id, created_at } = parseBytes<DeliveryRecord>(value);
        if (++seen > MAX_KEPT || created_at < before) gone.push(id);
      }
      for (let start = 0; start < gone.length; start += PAGE) {
        const operations = gone.slice(start, start + PAGE).flatMap((id): Operation[] => [
          { type: "delete", key: keyFor(id) },
          { type: "delete", key: pendingKey(id) },
        ]);
        await store.batch(operations);
      }
    },
  };
}

/** Ids increase with time; these decrease. */
function inverted(id: string): string {
  return id.replace(/[0-9a-f]/g, (digit) => (15 - Number.parseInt(digit, 16)).toString(16));
}
