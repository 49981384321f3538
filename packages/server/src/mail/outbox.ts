import type { Runtime } from "../runtime.ts";
import type { Mail, Mailer } from "./mailer.ts";

/** Sends e-mail off the path of the request that caused it, so its time tells nobody whether there was one to send. */
export interface Outbox {
  /** Makes a mail and sends it; null means there is none after all. A failure is logged, without the text. */
  deliver(make: () => Promise<Mail | null>): void;
  /** Waits for what is under way. */
  flush(): Promise<void>;
}

/** Deliveries under way at once; more are refused with a log line, since each may hold a password hash in work. */
const CAPACITY = 1000;

export function createOutbox(mailer: Mailer, runtime: Runtime): Outbox {
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
      if (pending.size >= CAPACITY) return runtime.logger.error("E-mail was dropped: too many are under way");
      const delivery: Promise<void> = send(make).finally(() => pending.delete(delivery));
      pending.add(delivery);
    },
    async flush() {
      await Promise.all(pending);
    },
  };
}
