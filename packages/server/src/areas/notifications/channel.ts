import type { NotificationChannel } from "@assay/contract";
import type { Notice } from "./notice.ts";

/** One way to reach people. */
export interface Channel {
  name: NotificationChannel;
  /** Where it leads for somebody, as the log may show it; null where it is switched off or not set up. */
  recipient(person: Reachable): string | null;
  /** Resolves once the other side has taken it. @throws DeliveryError; the words of any other error are not shown */
  send(notice: Notice, person: Reachable, delivery: { id: string; signal: AbortSignal }): Promise<void>;
}

/** Somebody's preferences with their secrets open. */
export interface Reachable {
  email: string | null;
  slackWebhookUrl: string | null;
  webhook: { url: string; secret: string } | null;
}

/** A notice that did not arrive; the message is for the log, so it holds neither addresses nor secrets. */
export class DeliveryError extends Error {
  override readonly name = "DeliveryError";
}

/** @throws DeliveryError unless the other side took it */
export function requireTaken({ status }: { status: number }): void {
  if (status < 200 || status > 299) throw new DeliveryError(`The other side answered ${status}`);
}
