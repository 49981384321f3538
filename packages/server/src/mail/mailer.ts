import type { Logger } from "../runtime.ts";

/** One e-mail, in plain text. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** How e-mail leaves; rejects where it could not be handed over. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
  /** Releases what it holds, where it holds anything. */
  close?(): void;
}

/** Sends nothing and writes each mail to the log, codes and all: what a server without a mailer does. */
export function logMailer(logger: Logger): Mailer {
  return {
    async send(mail) {
      logger.info("E-mail (no mailer is set, so it is only written here)", { ...mail });
    },
  };
}
