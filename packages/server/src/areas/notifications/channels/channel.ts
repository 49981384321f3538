import type { NotificationChannel } from "@assay/contract";
import type { Notice } from "./notice.ts";

/** A notification channel. */
export interface Channel {
  name: NotificationChannel;
  /** The masked target for a user, for the log. Null if the channel is off or not configured. */
  recipient(person: Reachable): string | null;
  /**
   * Resolves once the other side has accepted the notice. @throws DeliveryError; messages of other errors are not shown
   */
  send(notice: Notice, person: Reachable, delivery: { id: string; signal: AbortSignal }): Promise<void>;
}

/** The preferences of a user, with decrypted secrets. */
export interface Reachable {
  email: string | null;
  slackWebhookUrl: string | null;
  webhook: { url: string; secret: string } | null;
}

/** A failed delivery. The message goes to the log, so it contains neither addresses nor secrets. */
export class DeliveryError extends Error {
  override readonly name = "DeliveryError";
}

/** @throws DeliveryError unless the status is a success */
export function requireTaken({ status }: { status: number }): void {
  if (status < 200 || status > 299) throw new DeliveryError(`The other side answered ${status}`);
}
