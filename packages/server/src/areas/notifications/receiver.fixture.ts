import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Starts a web server on loopback that stores requests and responds with `status`. */
export async function startReceiver() {
  const received: Received[] = [];
  const answer = { status: 200 };
  const server = createServer(async (request, response) => {
    received.push({ path: request.url!, headers: request.headers, body: await text(request) });
    response.writeHead(answer.status).end("ok");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    received,
    answer,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Starts a mail server on loopback that stores mail. */
export async function startMailServer() {
  const received: { to: string[]; text: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    // The name of 127.0.0.1 may take seconds to look up.
    disableReverseLookup: true,
    disabledCommands: ["STARTTLS"],
    async onData(stream, { envelope }, callback) {
      received.push({ to: envelope.rcptTo.map(({ address }) => address), text: await text(stream) });
      callback();
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return { received, url: `smtp://127.0.0.1:${port}`, close: () => new Promise<void>((done) => server.close(done)) };
}
