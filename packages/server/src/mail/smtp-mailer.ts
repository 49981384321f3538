import type { Transporter } from "nodemailer";
import type { Mailer } from "./mailer.ts";

/** The mail server and the sender. */
export interface SmtpOptions {
  /** `smtps://user:password@host:465`, or `smtp://host:587`, which uses STARTTLS if the server supports it. */
  url: string;
  /** The sender, `Assay <assay@example.org>`. */
  from: string;
  /** Rejects servers without TLS. @default true, except on loopback */
  requireTls?: boolean;
  /** @default 10000 */
  timeoutMs?: number;
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Sends e-mail over SMTP through a connection pool.
 *
 * @throws {TypeError} if `url` is not an SMTP URL.
 *
 * @example
 * createAssay({ mailer: smtpMailer({ url: process.env.SMTP_URL, from: "Assay <assay@example.org>" }) });
 */
export function smtpMailer({ url, from, requireTls, timeoutMs = 10_000 }: SmtpOptions): Mailer {
  const { protocol, hostname, port, username, password } = new URL(url);
  if (protocol !== "smtp:" && protocol !== "smtps:") {
    throw new TypeError(`An SMTP address begins with smtp:// or smtps://, not ${protocol}//`);
  }
  const secure = protocol === "smtps:";
  let transport: Promise<Transporter> | undefined;
  // Loaded on the first mail, because most servers never send one.
  const open = async () =>
    (await import("nodemailer")).createTransport({
      host: hostname.replace(/^\[|\]$/g, ""),
      port: port === "" ? (secure ? 465 : 587) : Number(port),
      secure,
      pool: true,
      requireTLS: !secure && (requireTls ?? !LOOPBACK.has(hostname)),
      ...(username === "" ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  return {
    async send({ to, subject, text }) {
      transport ??= open();
      // As an object, the address cannot be parsed as a list.
      await (await transport).sendMail({ from, to: { name: "", address: to }, subject, text });
    },
    close() {
      transport?.then((opened) => opened.close());
    },
  };
}
