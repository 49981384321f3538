import type { Runtime } from "../ground/runtime.ts";
import type { Mail, Mailer } from "./mailer.ts";

/** Sends e-mail off the request path, so that response times do not reveal whether a mail was sent. */
export interface MailQueue {
  /** Creates and sends a mail. Null sends none. Logs failures without the text. */
  deliver(make: () => Promise<Mail | null>): void;
  /** Waits for deliveries in progress. */
  flush(): Promise<void>;
}

/**
 * Maximum number of concurrent deliveries. The queue rejects more with a log line, because each may compute a password
 * hash.
 */
const CAPACITY = 1000;

export function createMailQueue(mailer: Mailer, runtime: Runtime): MailQueue {
  const pending = new Set<Promise<void>>();

  async function send(make: () => Promise<Mail | null>): Promise<void> {
    try {
      const mail = await make();
      if (mail) await mailer.send(mail);
    } catch (error) {
      runtime.logger.error("E-mail could not be sent", {
        error: error instanceof Error ? error.message : String(error),
      });
    }
  }

  return {
    deliver(make) {
      if (pending.size >= CAPACITY) return runtime.logger.error("E-mail was dropped: too many are being sent");
      const delivery: Promise<void> = send(make).finally(() => pending.delete(delivery));
      pending.add(delivery);
    },
    async flush() {
      await Promise.all(pending);
    },
  };
}
