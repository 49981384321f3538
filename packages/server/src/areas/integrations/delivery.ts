import type { IntegrationDelivery } from "@assay/contract";
import { keyOf, type Operation, prefixOf, type Store } from "@assay/store";
import { type Runtime, timestampOf } from "../../ground/runtime.ts";
import { parseBytes, toBytes } from "../../storage/json.ts";

/** An incoming or outgoing message, as stored. */
export interface DeliveryRecord extends IntegrationDelivery {
  integration_id: string;
  /** SHA-256 of the incoming body. */
  body_hash: string | null;
}

/** The delivery log of each integration, which also detects repeated webhooks. */
export interface Deliveries {
  /** Creates a delivery without storing it. */
  create(
    fields: Pick<DeliveryRecord, "integration_id" | "direction" | "event"> & Partial<DeliveryRecord>,
  ): DeliveryRecord;
  /**
   * Stores an incoming webhook, unless the server received its id or body within a week. Then returns the first
   * delivery, or null if the store no longer contains it.
   */
  receive(delivery: DeliveryRecord): Promise<{ isRepeat: boolean; delivery: DeliveryRecord | null }>;
  /** The operation that stores a delivery. */
  addition(delivery: DeliveryRecord): Operation;
  /** @param operations written atomically with the delivery */
  save(delivery: DeliveryRecord, operations?: Operation[]): Promise<void>;
  find(integrationId: string, id: string): Promise<DeliveryRecord | null>;
  /** Newest first. */
  list(integrationId: string): Promise<DeliveryRecord[]>;
}

const DAY_MS = 24 * 3600 * 1000;
/** Today and the previous seven days. */
const KEPT_DAYS = 8;
/** Deliveries kept per integration. Once there are `SLACK` more, the log trims the oldest. */
const KEPT_DELIVERIES = 1000;
const SLACK = 100;

export function createDeliveries(store: Store, runtime: Runtime): Deliveries {
  /** Deliveries added by this node since its last trim. */
  const added = new Map<string, number>();
  const keyFor = (integrationId: string, id: string) => keyOf("integration-deliveries", integrationId, id);

  function put(delivery: DeliveryRecord): Operation {
    return { type: "put", key: keyFor(delivery.integration_id, delivery.id), value: toBytes(delivery) };
  }

  async function keys(integrationId: string): Promise<{ key: string; delivery: DeliveryRecord }[]> {
    const prefix = prefixOf("integration-deliveries", integrationId);
    const found = await store.list(prefix, { limit: KEPT_DELIVERIES + 100 * SLACK });
    return found.map(({ key, value }) => ({ key, delivery: parseBytes<DeliveryRecord>(value) }));
  }

  /** Ids increase with time, so the first ones are the oldest. */
  async function trim(integrationId: string): Promise<void> {
    const count = (added.get(integrationId) ?? 0) + 1;
    added.set(integrationId, count % SLACK);
    if (count < SLACK) return;
    const stored = await keys(integrationId);
    const old = stored.slice(0, Math.max(0, stored.length - KEPT_DELIVERIES));
    const done = old.filter(({ delivery }) => delivery.status !== "PENDING");
    if (done.length > 0) await store.batch(done.map(({ key }) => ({ type: "delete", key })));
  }

  const deliveries: Deliveries = {
    create(fields) {
      const now = timestampOf(runtime.now());
      return {
        id: runtime.id(),
        subject: null,
        experiment_id: null,
        experiment_key: null,
        action: null,
        status: "RECEIVED",
        reason: null,
        verified: null,
        delivery_id: null,
        repeats: 0,
        attempts: 0,
        next_attempt_at: null,
        body_hash: null,
        created_at: now,
        updated_at: now,
        ...fields,
      };
    },
    addition: put,
    async receive(delivery) {
      const { integration_id, delivery_id, body_hash } = delivery;
      const marks = { body: body_hash, id: delivery_id };
      const members = Object.entries(marks).flatMap(([kind, mark]) => (mark === null ? [] : [`${kind} ${mark}`]));
      const generation = Math.floor(runtime.now() / DAY_MS);
      const set = keyOf("integration-seen", integration_id);
      const result = await store.batch([{ type: "claim", set, generation, keep: KEPT_DAYS, members }, put(delivery)]);
      if (result.ok) {
        await trim(integration_id);
        return { isRepeat: false, delivery };
      }
      const first = (await deliveries.list(integration_id)).find(
        (one) =>
          (body_hash !== null && one.body_hash === body_hash) ||
          (delivery_id !== null && one.delivery_id === delivery_id),
      );
      if (!first) return { isRepeat: true, delivery: null };
      const repeated = { ...first, repeats: first.repeats + 1 };
      await deliveries.save(repeated);
      return { isRepeat: true, delivery: repeated };
    },
    async save(delivery, operations = []) {
      await store.batch([put({ ...delivery, updated_at: timestampOf(runtime.now()) }), ...operations]);
    },
    async find(integrationId, id) {
      const entry = await store.get(keyFor(integrationId, id));
      return entry && parseBytes<DeliveryRecord>(entry.value);
    },
    async list(integrationId) {
      return (await keys(integrationId)).map(({ delivery }) => delivery).reverse();
    },
  };
  return deliveries;
}
