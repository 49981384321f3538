import { keyOf, listAll, type Operation, prefixOf, type Store, type StoreEntry } from "@assay/store";
import { OutboundError } from "../../outbound/outbound.ts";
import { type Runtime, timestampOf } from "../../runtime.ts";
import type { Collection } from "../../storage/collection.ts";
import { parseBytes, toBytes } from "../../storage/json.ts";
import { type Connections, CredentialsRefused, reasonOf, type ThirdPartyRequest } from "./connection.ts";
import type { Deliveries, DeliveryRecord } from "./delivery.ts";
import type { IntegrationRecord } from "./record.ts";

/** What third parties are to be told, kept in the store until they were or it was tried often enough. */
export interface Outbox {
  /** What stores a message together with its delivery. */
  additions(delivery: DeliveryRecord, request: ThirdPartyRequest): Operation[];
  /** Tries a message that was stored, where it is due and nobody else is at it; resolves once that is over. */
  send(delivery: DeliveryRecord): Promise<void>;
  /** Tries everything that is due, on whichever node asks first. */
  sweep(): Promise<void>;
}

interface Item {
  integration_id: string;
  delivery_id: string;
  request: ThirdPartyRequest;
  attempts: number;
  /** Milliseconds since 1970; while an attempt is under way, when another node may take over. */
  next_at: number;
}

/** How often something is tried, and how long after the first and each later failure, doubling. */
export const ATTEMPTS = { most: 8, firstDelayMs: 60_000, longestDelayMs: 6 * 3600 * 1000 };
/** Longer than any attempt takes. */
const TAKEN_MS = 120_000;
/** Failures that another attempt will not mend. */
const FINAL_REASONS = ["BAD_URL", "BLOCKED_ADDRESS", "REFUSED_REDIRECT", "TOO_LARGE"];

export function createOutbox(deps: {
  store: Store;
  runtime: Runtime;
  integrations: Collection<IntegrationRecord>;
  deliveries: Deliveries;
  connections: Connections;
}): Outbox {
  const { store, runtime, integrations, deliveries, connections } = deps;
  const keyFor = (id: string) => keyOf("integration-outbox", id);

  /** What came of one attempt: null where it was delivered. */
  async function attempt(item: Item): Promise<{ reason: string; isFinal: boolean; afterMs?: number } | null> {
    const integration = integrations.get(item.integration_id);
    if (!integration?.is_active) return { reason: "The integration is not active any more", isFinal: true };
    try {
      const { status, headers } = await connections.send(integration, item.request);
      if (status >= 200 && status < 300) return null;
      const isFinal = status < 500 && status !== 429 && status !== 408;
      const asked = headers["retry-after"] ?? "";
      const afterMs = /^\d{1,6}$/.test(asked) ? { afterMs: Number(asked) * 1000 } : {};
      return { reason: `The other system answered ${status}`, isFinal, ...afterMs };
    } catch (error) {
      const reason = reasonOf(error);
      if (error instanceof OutboundError) return { reason, isFinal: FINAL_REASONS.includes(error.reason) };
      if (error instanceof CredentialsRefused) return { reason, isFinal: error.status < 500 && error.status !== 429 };
      return { reason, isFinal: true };
    }
  }

  /** Takes an item, unless another node did or it is not due, and tries it. */
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
    const known = { ...delivery, attempts, reason: failure?.reason ?? null };
    if (!failure || failure.isFinal || attempts >= ATTEMPTS.most) {
      const status = failure ? "FAILED" : "DELIVERED";
      await deliveries.save({ ...known, status, next_attempt_at: null }, [{ type: "delete", key }]);
      return;
    }
    const delay = Math.min(ATTEMPTS.firstDelayMs * 2 ** (attempts - 1), ATTEMPTS.longestDelayMs);
    const next_at = runtime.now() + Math.max(delay, Math.min(failure.afterMs ?? 0, ATTEMPTS.longestDelayMs));
    await deliveries.save({ ...known, status: "PENDING", next_attempt_at: timestampOf(next_at) }, [
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
