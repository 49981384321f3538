import type { NotificationDelivery } from "@assay/contract";
import { keyOf, listAll, type Operation, prefixOf, type Store } from "@assay/store";
import { parseBytes, toBytes } from "../../storage/json.ts";
import type { Notice } from "./notice.ts";

/** A delivery as stored, with what is to be sent. */
export interface DeliveryRecord extends NotificationDelivery {
  notice: Notice;
}

/** A delivery as it was read; it is only written over as long as nobody else did. */
export interface StoredDelivery {
  delivery: DeliveryRecord;
  version: number;
}

/** The deliveries of the last time, and which of them are still to be made. */
export interface DeliveryLog {
  /** What writes new deliveries down. */
  additions(deliveries: DeliveryRecord[]): Operation[];
  /** Replaces a delivery; null where somebody else changed it. */
  replace(stored: StoredDelivery, delivery: DeliveryRecord): Promise<StoredDelivery | null>;
  get(id: string): Promise<StoredDelivery | null>;
  /** Ids of those that are PENDING, oldest first. */
  pending(): Promise<string[]>;
  /** Those that are wanted, newest first; what comes after the page is counted only so far. */
  page(
    isWanted: (delivery: DeliveryRecord) => boolean,
    page: { skip: number; limit: number },
  ): Promise<{ items: DeliveryRecord[]; total: number; total_is_exact: boolean }>;
  /** Forgets those before a time, and the oldest of too many. @param before ISO 8601 */
  trim(before: string): Promise<void>;
}

const AREA = "notification-deliveries";
const PAGE = 500;
const MOST_KEPT = 10_000;
/** Deliveries that are counted after a page. */
const COUNTED = 1000;

export function createDeliveryLog(store: Store): DeliveryLog {
  // Lists go by ascending keys, and the newest come first.
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
        // Older ones are about to be forgotten.
        if (++seen > MOST_KEPT) break;
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
        if (++seen > MOST_KEPT || created_at < before) gone.push(id);
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

/** Ids grow with time; these fall. */
function inverted(id: string): string {
  return id.replace(/[0-9a-f]/g, (digit) => (15 - Number.parseInt(digit, 16)).toString(16));
}
