import type { NotificationChannel, NotificationDelivery, NotificationTest } from "@assay/contract";
import { keyOf, type Operation, type Store } from "@assay/store";
import { type Runtime, timestampOf } from "../../ground/runtime.ts";
import type { pageOf } from "../../http/page.ts";
import type { UserRecord } from "../../model/user.ts";
import type { Fence } from "../../storage/change.ts";
import type { Collection, Companion } from "../../storage/collection.ts";
import { toBytes } from "../../storage/json.ts";
import { createOutbox, type Settle } from "../../storage/outbox.ts";
import type { Channel } from "./channels/channel.ts";
import type { Notice } from "./channels/notice.ts";
import { createCourier } from "./courier.ts";
import type { DeliveryLog, DeliveryRecord, StoredDelivery } from "./delivery-log.ts";
import type { Preferences } from "./preferences.ts";

/** Filters of the log. */
export interface DeliveryFilter {
  status?: NotificationDelivery["status"] | undefined;
  channel?: NotificationChannel | undefined;
  event?: NotificationDelivery["event"] | undefined;
  user_id?: string | undefined;
  skip: number;
  limit: number;
}

/** A notice and its recipients. */
export interface NotificationRequest {
  notice: Omit<Notice, "occurred_at">;
  /** @default all users */
  concerns?: (user: UserRecord) => boolean;
  /** Deduplication key: sends the notice once per key. */
  once?: string;
  /** The lease of the job that sends it. */
  fence?: Fence | undefined;
}

/** A notice in the process of delivery. */
interface Announcement {
  notice: Notice;
  /** Ids of users without a delivery yet. */
  audience: string[];
}

/** Notifies users, without delaying or failing the change it reports. */
export interface NotificationService {
  preferences: Preferences;
  /**
   * Prepares a notice, which a change writes in its batch. Creates a delivery for each channel of interested users and
   * starts to send. Returns null if no user is interested.
   */
  prepare(request: Pick<NotificationRequest, "notice" | "concerns">): Companion | null;
  /** Sends a notice that is not part of a write. Resolves once its deliveries are stored. */
  notify(request: NotificationRequest): Promise<void>;
  /** Sends to the channels of one user now, without retries. */
  test(userId: string): Promise<NotificationTest>;
  deliveries(
    filter: DeliveryFilter,
  ): Promise<ReturnType<typeof pageOf<NotificationDelivery>> & { total_is_exact: boolean }>;
  /** Continues the work of dead nodes, retries due deliveries, and deletes old ones. */
  retry(signal: AbortSignal): Promise<void>;
  /** Stops sending. The next start retries deliveries in progress. */
  close(): Promise<void>;
}

const HOUR_MS = 3600_000;
const KEPT_MS = 30 * 24 * HOUR_MS;
/** Users per batch of deliveries. */
const BATCH = 100;

export function createNotificationService(deps: {
  store: Store;
  runtime: Runtime;
  users: Collection<UserRecord>;
  preferences: Preferences;
  log: DeliveryLog;
  channels: readonly Channel[];
}): NotificationService {
  const { store, runtime, users, preferences, log, channels } = deps;
  const courier = createCourier(deps);
  const outbox = createOutbox<Announcement>(deps, "notices", announce);
  let trimmedAt = Number.NEGATIVE_INFINITY;

  const now = () => timestampOf(runtime.now());
  const after = (milliseconds: number) => timestampOf(runtime.now() + milliseconds);

  function audienceOf({
    notice: { event },
    concerns = () => true,
  }: Pick<NotificationRequest, "notice" | "concerns">): string[] {
    const isWanted = (events: Record<string, boolean>) => event === "TEST" || events[event] === true;
    return preferences
      .all()
      .filter(({ user_id, events }) => isWanted(events) && concerns(users.require(user_id)))
      .map(({ user_id }) => user_id);
  }

  /** Stores the deliveries of a notice in batches, and starts to send them. */
  async function announce({ notice, audience }: Announcement, settle: Settle<Announcement>): Promise<void> {
    for (let left = audience; left.length > 0; ) {
      const deliveries = left.slice(0, BATCH).flatMap((id) => courier.address(notice, id));
      left = left.slice(BATCH);
      const isOurs = await settle(log.additions(deliveries), left.length > 0 ? { notice, audience: left } : undefined);
      if (!isOurs) return;
      courier.dispatch(deliveries.map((delivery) => ({ delivery, version: 1 })));
    }
  }

  const service: NotificationService = {
    preferences,
    prepare(request) {
      const audience = audienceOf(request);
      return audience.length === 0
        ? null
        : outbox.enqueue({ notice: { ...request.notice, occurred_at: now() }, audience });
    },
    async notify({ once, fence, ...request }) {
      const companion = service.prepare(request);
      const operations: Operation[] = [...(companion?.operations ?? [])];
      if (once !== undefined) {
        const key = keyOf("notification-deliveries", "mark", once);
        operations.push({ type: "put", key, value: toBytes(true), ifAbsent: "fail" });
      }
      if (operations.length === 0) return;
      if (fence) operations.push({ type: "fence", ...fence });
      const { ok } = await store.batch(operations);
      if (ok) await companion?.begin();
    },
    async test(userId) {
      const occurred_at = now();
      const notice: Notice = {
        event: "TEST",
        title: "This is a test",
        text: "Notifications from Assay arrive here.",
        data: {},
        occurred_at,
      };
      const person = preferences.reach(userId);
      const results = channels.map(async (channel): Promise<NotificationTest["results"][number]> => {
        const recipient = channel.recipient(person);
        if (recipient === null) return { channel: channel.name, status: "SKIPPED", recipient, error: null };
        const { error, ...outcome } = await courier.send(courier.write(notice, userId, channel, recipient));
        const status = outcome.status === "SENT" ? "SENT" : "FAILED";
        await store.batch(log.additions([{ ...outcome, status, error, next_attempt_at: null }]));
        return { channel: channel.name, status, recipient, error };
      });
      return { results: await Promise.all(results) };
    },
    async deliveries({ skip, limit, ...filter }) {
      const wanted = Object.entries(filter).filter(([, value]) => value !== undefined);
      const isWanted = (delivery: DeliveryRecord) =>
        wanted.every(([field, value]) => delivery[field as keyof DeliveryRecord] === value);
      return { ...(await log.page(isWanted, { skip, limit })), skip, limit };
    },
    async retry(signal) {
      await outbox.sweep();
      const due: StoredDelivery[] = [];
      for (const id of await log.pending()) {
        if (signal.aborted) return;
        const stored = await log.get(id);
        if (!stored || stored.delivery.next_attempt_at === null || stored.delivery.next_attempt_at > now()) continue;
        due.push(stored);
      }
      await courier.attempt(due);
      if (runtime.now() - trimmedAt < HOUR_MS) return;
      trimmedAt = runtime.now();
      await log.trim(after(-KEPT_MS));
    },
    async close() {
      courier.stop();
      await outbox.settled();
      await courier.settled();
    },
  };
  return service;
}
