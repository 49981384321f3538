import type { Mailer } from "../../../mail/mailer.ts";
import { type Channel, DeliveryError } from "./channel.ts";

/** Creates the channel for plain e-mail through the server's mailer. */
export function createEmailChannel({ mailer }: { mailer: Mailer }): Channel {
  return {
    name: "EMAIL",
    recipient: ({ email }) => email,
    async send({ title, text }, { email }) {
      try {
        await mailer.send({ to: email!, subject: `Assay: ${title}`, text: `${text}\n` });
      } catch (error) {
        throw new DeliveryError(`The mail server rejected the e-mail${codeOf(error)}`);
      }
    },
  };
}

/** Returns the code or name of an SMTP error. Its message may contain addresses. */
function codeOf(error: unknown): string {
  const { responseCode, code } = error as { responseCode?: unknown; code?: unknown };
  if (typeof responseCode === "number") return ` (${responseCode})`;
  return typeof code === "string" && /^\w{1,40}$/.test(code) ? ` (${code})` : "";
}
