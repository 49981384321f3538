import type { NotificationDelivery } from "@assay/contract";
import { parseBytes, toBytes } from "../../storage/json.ts";
import { keyOf, prefixOf } from "../../storage/key.ts";
import type { Operation, Store } from "../../storage/store.ts";
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
  /** All, newest first. */
  all(): Promise<DeliveryRecord[]>;
  /** Forgets those before a time, and the oldest beyond the limit. @param before ISO 8601 */
  trim(before: string, limit: number): Promise<void>;
}

const AREA = "notification-deliveries";
const PAGE = 1000;

export function createDeliveryLog(store: Store): DeliveryLog {
  const keyFor = (id: string) => keyOf(AREA, "log", id);
  const pendingKey = (id: string) => keyOf(AREA, "pending", id);

  async function* entries(kind: "log" | "pending") {
    for (let after: string | undefined; ; ) {
      const page = await store.list(prefixOf(AREA, kind), { after, limit: PAGE });
      yield* page;
      if (page.length < PAGE) return;
      after = page.at(-1)!.key;
    }
  }

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
    async all() {
      const all: DeliveryRecord[] = [];
      for await (const { value } of entries("log")) all.push(parseBytes<DeliveryRecord>(value));
      return all.reverse();
    },
    async trim(before, limit) {
      const ages: [id: string, at: string][] = [];
      for await (const { value } of entries("log")) {
        const { id, created_at } = parseBytes<DeliveryRecord>(value);
        ages.push([id, created_at]);
      }
      const surplus = ages.length - limit;
      const gone = ages.filter(([, at], index) => index < surplus || at < before);
      for (let start = 0; start < gone.length; start += PAGE) {
        const operations = gone.slice(start, start + PAGE).flatMap(([id]): Operation[] => [
          { type: "delete", key: keyFor(id) },
          { type: "delete", key: pendingKey(id) },
        ]);
        await store.batch(operations);
      }
    },
  };
}
