import type { Logger } from "../ground/runtime.ts";

/** One e-mail, in plain text. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Sends e-mail. Rejects if it cannot hand the mail over. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
  /** Releases resources, if any. */
  close?(): void;
}

/** Writes each mail to the log instead of sending it, including codes. The default without a mailer. */
export function logMailer(logger: Logger): Mailer {
  return {
    async send(mail) {
      logger.info("E-mail (no mailer is set, so it is only written here)", { ...mail });
    },
  };
}
