import { type Runtime, timestampOf } from "../../ground/runtime.ts";
import { OutboundError } from "../../outbound/outbound.ts";
import { type Channel, DeliveryError } from "./channels/channel.ts";
import type { Notice } from "./channels/notice.ts";
import type { DeliveryLog, DeliveryRecord, StoredDelivery } from "./delivery-log.ts";
import type { Preferences } from "./preferences.ts";

/** Sends deliveries through their channels, a few at a time, and records the results. */
export interface Courier {
  /** Creates a delivery of a notice to one user through one channel. */
  write(notice: Notice, userId: string, channel: Channel, recipient: string): DeliveryRecord;
  /** Creates a delivery for each configured channel of a user. */
  address(notice: Notice, userId: string): DeliveryRecord[];
  /** Makes one attempt. Returns the updated delivery without storing it. */
  send(delivery: DeliveryRecord): Promise<DeliveryRecord>;
  /** Attempts each delivery once, unless another node has it. */
  attempt(deliveries: StoredDelivery[]): Promise<void>;
  /** Attempts in the background. Logs failures. */
  dispatch(deliveries: StoredDelivery[]): void;
  /** Aborts deliveries in progress. */
  stop(): void;
  /** Resolves once no background delivery is in progress. */
  settled(): Promise<void>;
}

const MINUTE_MS = 60_000;
/** Delays before the second and later attempts. Then the delivery has failed. */
const BACK_OFF_MS = [1, 5, 30, 120, 360].map((minutes) => minutes * MINUTE_MS);
/** Maximum number of concurrent deliveries. */
const AT_ONCE = 10;

export function createCourier({
  runtime,
  preferences,
  log,
  channels,
}: {
  runtime: Runtime;
  preferences: Preferences;
  log: DeliveryLog;
  channels: readonly Channel[];
}): Courier {
  const closing = new AbortController();
  const pending = new Set<Promise<void>>();
  const after = (milliseconds: number) => timestampOf(runtime.now() + milliseconds);

  /** Returns the public message of a failure. */
  function reasonOf(error: unknown): string {
    if (error instanceof DeliveryError || error instanceof OutboundError) return error.message;
    runtime.logger.error("A notification channel failed", { error: String(error) });
    return "The channel failed";
  }

  /** Claims a delivery for this node. Returns null if another node has it. */
  async function held(stored: StoredDelivery): Promise<StoredDelivery | null> {
    const { next_attempt_at } = stored.delivery;
    if (next_attempt_at !== null && next_attempt_at > after(MINUTE_MS / 2)) return stored;
    return log.replace(stored, { ...stored.delivery, next_attempt_at: after(MINUTE_MS) });
  }

  async function attemptOne(waiting: StoredDelivery): Promise<void> {
    if (closing.signal.aborted) return;
    const stored = await held(waiting);
    if (!stored) return;
    const outcome = await courier.send(stored.delivery);
    // An attempt aborted by closing does not count.
    if (closing.signal.aborted && outcome.status === "PENDING") return;
    await log.replace(stored, outcome);
  }

  const courier: Courier = {
    write(notice, userId, channel, recipient) {
      return {
        id: runtime.id(),
        user_id: userId,
        channel: channel.name,
        event: notice.event,
        title: notice.title,
        recipient,
        status: "PENDING",
        attempts: 0,
        error: null,
        // No other node retries during the first attempt.
        next_attempt_at: after(MINUTE_MS),
        created_at: notice.occurred_at,
        sent_at: null,
        notice,
      };
    },
    address(notice, userId) {
      const person = preferences.reach(userId);
      return channels.flatMap((channel) => {
        const recipient = channel.recipient(person);
        return recipient === null ? [] : [courier.write(notice, userId, channel, recipient)];
      });
    },
    async send(delivery) {
      const channel = channels.find(({ name }) => name === delivery.channel);
      const person = preferences.reach(delivery.user_id);
      const recipient = channel?.recipient(person) ?? null;
      const attempts = delivery.attempts + 1;
      if (!channel || recipient === null) return { ...delivery, status: "CANCELLED", next_attempt_at: null };
      const tried = { ...delivery, recipient, attempts };
      try {
        await channel.send(delivery.notice, person, { id: delivery.id, signal: closing.signal });
        return { ...tried, status: "SENT", error: null, next_attempt_at: null, sent_at: after(0) };
      } catch (error) {
        const wait = BACK_OFF_MS[delivery.attempts];
        const failed = { ...tried, error: reasonOf(error) };
        if (wait === undefined) return { ...failed, status: "FAILED", next_attempt_at: null };
        return { ...failed, next_attempt_at: after(wait) };
      }
    },
    async attempt(deliveries) {
      const queue = [...deliveries];
      const work = async () => {
        for (let next = queue.shift(); next; next = queue.shift()) await attemptOne(next);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    },
    dispatch(deliveries) {
      const sending: Promise<void> = courier
        .attempt(deliveries)
        .catch((error: unknown) => runtime.logger.error("A notification was not delivered", { error: String(error) }))
        .finally(() => pending.delete(sending));
      pending.add(sending);
    },
    stop() {
      closing.abort(new Error("The server is closing"));
    },
    async settled() {
      await Promise.all(pending);
    },
  };
  return courier;
}
