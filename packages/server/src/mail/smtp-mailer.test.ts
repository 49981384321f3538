import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterEach, expect, test, vi } from "vitest";
import { createTestServer, PASSWORD } from "../testing.fixture.ts";
import { smtpMailer } from "./smtp-mailer.ts";

interface Received {
  from: string;
  to: string[];
  text: string;
}

const servers: SMTPServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise<void>((resolve) => server.close(resolve));
});

/** Starts a real mail server on a free loopback port, which stores mail. */
async function startMailServer(options: SMTPServerOptions = {}) {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    // The name of 127.0.0.1 may take seconds to look up.
    disableReverseLookup: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, callback) {
      let text = "";
      stream.on("data", (chunk) => (text += chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({ from: mailFrom ? mailFrom.address : "", to: rcptTo.map(({ address }) => address), text });
        callback();
      });
    },
    ...options,
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { received, port: (server.server.address() as AddressInfo).port };
}

const from = "Assay <assay@example.org>";

test("sends the confirmation code, which confirms the account", async () => {
  const { received, port } = await startMailServer();
  const server = await createTestServer({ mailer: smtpMailer({ url: `smtp://127.0.0.1:${port}`, from }) });
  await server.anonymous.request("POST /auth/signup", {
    body: { username: "grace", password: PASSWORD, email: "grace@example.net", full_name: "Grace Hopper" },
  });
  await vi.waitFor(() => expect(received).toHaveLength(1));
  expect(received[0]).toMatchObject({ from: "assay@example.org", to: ["grace@example.net"] });
  expect(received[0]!.text).toContain("Subject: Confirm your account");
  // The id of the message, in its head, can look like a code.
  const body = received[0]!.text.replace(/^.*?\r\n\r\n/s, "");
  const confirmation_code = /[A-Z2-9]{4}-[A-Z2-9]{4}/.exec(body)![0];
  await server.anonymous.request("POST /auth/confirm", { body: { username: "grace", confirmation_code } });
  await server.anonymous.request("POST /auth/login", { body: { username: "grace", password: PASSWORD } });
  await server.assay.close();
});

test("signs in if the URL has a user and a password", async () => {
  const seen: unknown[] = [];
  const { received, port } = await startMailServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, callback) {
      seen.push([username, password]);
      callback(null, { user: username });
    },
  });
  const mailer = smtpMailer({ url: `smtp://mail%40example.org:p%3Ass@127.0.0.1:${port}`, from });
  await mailer.send({ to: "a@example.net", subject: "s", text: "t" });
  expect(seen).toEqual([["mail@example.org", "p:ss"]]);
  expect(received).toHaveLength(1);
  mailer.close!();
});

test("treats an address with a comma as one address", async () => {
  const { received, port } = await startMailServer();
  const mailer = smtpMailer({ url: `smtp://127.0.0.1:${port}`, from });
  await mailer.send({ to: '"a,b"@example.net', subject: "s", text: "t" }).catch(() => {});
  await mailer.send({ to: "c@example.net", subject: "one\r\nBcc: eve@example.net", text: "t" });
  expect(received.every(({ to }) => to.length === 1)).toBe(true);
  expect(received.flatMap(({ to }) => to)).not.toContain("eve@example.net");
  mailer.close!();
});

test("rejects if the recipient is rejected or the server is unreachable", async () => {
  const { port } = await startMailServer({
    onRcptTo: (_address, _session, callback) => callback(new Error("No such mailbox")),
  });
  const refusing = smtpMailer({ url: `smtp://127.0.0.1:${port}`, from });
  await expect(refusing.send({ to: "x@example.net", subject: "s", text: "t" })).rejects.toThrow();
  const away = smtpMailer({ url: "smtp://127.0.0.1:1", from, timeoutMs: 1000 });
  await expect(away.send({ to: "x@example.net", subject: "s", text: "t" })).rejects.toThrow();
  refusing.close!();
  away.close!();
});

test("rejects a server without TLS if TLS is required", async () => {
  const { received, port } = await startMailServer();
  const mailer = smtpMailer({ url: `smtp://127.0.0.1:${port}`, from, requireTls: true });
  await expect(mailer.send({ to: "x@example.net", subject: "s", text: "t" })).rejects.toThrow();
  expect(received).toEqual([]);
  mailer.close!();
});

test("accepts only SMTP URLs", () => {
  expect(() => smtpMailer({ url: "https://mail.example.org", from })).toThrow(TypeError);
});
