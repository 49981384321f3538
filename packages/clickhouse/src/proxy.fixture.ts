import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What happens to a request: it passes, it does not arrive, or its answer is lost. */
export type Fate = "PASS" | "DOWN" | "LOST";

/** Starts a server in front of another one, whose requests can be let down. */
export async function startProxy(port: number) {
  let fateOf: (sql: string) => Fate | Promise<Fate> = () => "PASS";
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const sql = new URL(incoming.url ?? "", "http://localhost").searchParams.get("query") ?? body.toString();
    const fate = await fateOf(sql);
    if (fate === "DOWN") return void incoming.socket.destroy();
    await pass(incoming, body, fate === "LOST" ? null : response, port);
    if (fate === "LOST") incoming.socket.destroy();
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Decides the fate of each statement from now on. */
    decide(rule: typeof fateOf) {
      fateOf = rule;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pass(incoming: IncomingMessage, body: Buffer, response: ServerResponse | null, port: number): Promise<void> {
  const { method, url, headers } = incoming;
  return new Promise((resolve) => {
    const { "transfer-encoding": _, ...rest } = headers;
    const sent = { ...rest, "content-length": String(body.length) };
    const outgoing = request({ host: "127.0.0.1", port, method, path: url, headers: sent }, (answer) => {
      response?.writeHead(answer.statusCode ?? 500, answer.headers);
      if (response) answer.pipe(response);
      else answer.resume();
      answer.once("end", () => resolve());
    });
    outgoing.once("error", () => {
      incoming.socket.destroy();
      resolve();
    });
    outgoing.end(body);
  });
}
