import { keyOf, listAll, type Operation, prefixOf, type Store, type StoreEntry } from "@assay/store";
import { type Runtime, timestampOf } from "../../ground/runtime.ts";
import { OutboundError } from "../../outbound/outbound.ts";
import type { Collection } from "../../storage/collection.ts";
import { parseBytes, toBytes } from "../../storage/json.ts";
import { type Connections, CredentialsRefused, reasonOf, type ThirdPartyRequest } from "./connection.ts";
import type { Deliveries, DeliveryRecord } from "./delivery.ts";
import type { IntegrationRecord } from "./record.ts";

/** Outgoing messages, stored until they are delivered or have failed too often. */
export interface MessageQueue {
  /** The operations that store a message with its delivery. */
  additions(delivery: DeliveryRecord, request: ThirdPartyRequest): Operation[];
  /** Sends a stored message if it is due and no other node is sending it. Resolves after the attempt. */
  send(delivery: DeliveryRecord): Promise<void>;
  /** Sends all due messages, on the first node that asks. */
  sweep(): Promise<void>;
}

interface Item {
  integration_id: string;
  delivery_id: string;
  request: ThirdPartyRequest;
  attempts: number;
  /** Milliseconds since 1970. During an attempt, the time when another node may take over. */
  next_at: number;
}

/** Number of attempts and delays between them. Delays double. */
export const ATTEMPTS = { max: 8, firstDelayMs: 60_000, maxDelayMs: 6 * 3600 * 1000 };
/** Longer than any attempt. */
const TAKEN_MS = 120_000;
/** Failures that a retry cannot fix. */
const FINAL_REASONS = ["BAD_URL", "BLOCKED_ADDRESS", "REFUSED_REDIRECT", "TOO_LARGE"];

export function createMessageQueue(deps: {
  store: Store;
  runtime: Runtime;
  integrations: Collection<IntegrationRecord>;
  deliveries: Deliveries;
  connections: Connections;
}): MessageQueue {
  const { store, runtime, integrations, deliveries, connections } = deps;
  const keyFor = (id: string) => keyOf("integration-outbox", id);

  /** Makes one attempt. Returns its failure, or null if it delivered the message. */
  async function attempt(item: Item): Promise<{ reason: string; isFinal: boolean; afterMs?: number } | null> {
    const integration = integrations.get(item.integration_id);
    if (!integration?.is_active) return { reason: "The integration is no longer active", isFinal: true };
    try {
      const { status, headers } = await connections.send(integration, item.request);
      if (status >= 200 && status < 300) return null;
      const isFinal = status < 500 && status !== 429 && status !== 408;
      const retryAfter = headers["retry-after"] ?? "";
      const afterMs = /^\d{1,6}$/.test(retryAfter) ? { afterMs: Number(retryAfter) * 1000 } : {};
      return { reason: `The other system answered ${status}`, isFinal, ...afterMs };
    } catch (error) {
      const reason = reasonOf(error);
      if (error instanceof OutboundError) return { reason, isFinal: FINAL_REASONS.includes(error.reason) };
      if (error instanceof CredentialsRefused) return { reason, isFinal: error.status < 500 && error.status !== 429 };
      return { reason, isFinal: true };
    }
  }

  /** Claims and sends a message, unless another node has it or it is not due. */
  async function tryOne({ key, value, version }: StoreEntry): Promise<void> {
    const found = parseBytes<Item>(value);
    const now = runtime.now();
    if (found.next_at > now) return;
    const item = { ...found, attempts: found.attempts + 1, next_at: now + TAKEN_MS };
    const taken = await store.batch([{ type: "put", key, value: toBytes(item), ifVersion: version }]);
    if (!taken.ok) return;
    const failure = await attempt(item);
    const delivery = await deliveries.find(item.integration_id, item.delivery_id);
    if (!delivery) return void (await store.batch([{ type: "delete", key }]));
    const { attempts } = item;
    const tried = { ...delivery, attempts, reason: failure?.reason ?? null };
    if (!failure || failure.isFinal || attempts >= ATTEMPTS.max) {
      const status = failure ? "FAILED" : "DELIVERED";
      await deliveries.save({ ...tried, status, next_attempt_at: null }, [{ type: "delete", key }]);
      return;
    }
    const delay = Math.min(ATTEMPTS.firstDelayMs * 2 ** (attempts - 1), ATTEMPTS.maxDelayMs);
    const next_at = runtime.now() + Math.max(delay, Math.min(failure.afterMs ?? 0, ATTEMPTS.maxDelayMs));
    await deliveries.save({ ...tried, status: "PENDING", next_attempt_at: timestampOf(next_at) }, [
      { type: "put", key, value: toBytes({ ...item, next_at }) },
    ]);
  }

  return {
    additions(delivery, request) {
      const { integration_id, id } = delivery;
      const item: Item = { integration_id, delivery_id: id, request, attempts: 0, next_at: runtime.now() };
      const message: Operation = { type: "put", key: keyFor(id), value: toBytes(item) };
      return [deliveries.addition({ ...delivery, status: "PENDING" }), message];
    },
    async send({ id }) {
      const entry = await store.get(keyFor(id));
      if (entry) await tryOne(entry);
    },
    async sweep() {
      for await (const entry of listAll(store, prefixOf("integration-outbox"), 100)) await tryOne(entry);
    },
  };
}
