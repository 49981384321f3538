import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Client, createClient } from "@assay/client";
import { createAssay, memoryStore } from "@assay/server";

const admin = { username: "admin", password: "correct horse battery" };

/** A request as received by the server, and its status. */
export interface Met {
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
  status: number;
}

export interface AssayServer extends AsyncDisposable {
  url: string;
  admin: Client;
  /** A CLIENT key that may read and track. */
  apiKey: string;
  met: Met[];
  /** Statuses of the answers to a path. */
  statuses(path: string): number[];
  /** If set, handles a request before the server does: returns a status to answer, or a promise to wait for. */
  gate: ((request: Met) => number | Promise<unknown> | undefined) | undefined;
  /** Rejects new connections, and closes the open ones. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  createFlag(key: string, body?: object): Promise<unknown>;
}

/** Starts an Assay server on loopback, with flags that browsers may read. */
export async function startAssay(...flags: string[]): Promise<AssayServer> {
  const assay = createAssay({
    storage: memoryStore(),
    admin,
    passwordCost: 16,
    rateLimit: false,
    jobs: false,
    logger: { info() {}, warn() {}, error() {} },
  });
  await assay.ready;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const path = request.url!.replace("/api/v1", "");
    const met: Met = { path, headers: request.headers, body: body.toString(), status: 0 };
    server.met.push(met);
    const verdict = await server.gate?.(met);
    const init = { method: request.method!, headers: request.headers as Record<string, string> };
    const reply =
      typeof verdict === "number"
        ? Response.json({ detail: "As the test has it" }, { status: verdict })
        : await assay.fetch(new Request(server.url + request.url, body.length > 0 ? { ...init, body } : init));
    met.status = reply.status;
    response.writeHead(reply.status, Object.fromEntries(reply.headers));
    for await (const chunk of reply.body ?? []) if (!response.destroyed) response.write(chunk);
    response.end();
  }

  const http = createServer((request, response) => {
    // The client has disconnected.
    answer(request, response).catch(() => response.destroy());
  });
  const listen = async (port: number) => {
    http.listen(port, "127.0.0.1");
    await once(http, "listening");
    return (http.address() as AddressInfo).port;
  };
  const port = await listen(0);
  const url = `http://127.0.0.1:${port}`;
  // Not over the port, so that only the provider's requests are recorded.
  const client = createClient({
    baseUrl: url,
    retries: 0,
    fetch: async (request) => assay.fetch(request),
    ...admin,
  });

  const server: AssayServer = {
    url,
    admin: client,
    apiKey: "",
    met: [],
    statuses: (path) => server.met.filter((met) => met.path === path).map(({ status }) => status),
    gate: undefined,
    async goAway() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
    async comeBack() {
      await listen(port);
    },
    createFlag: (key, body) =>
      client.request("POST /feature-flags/", {
        body: { key, name: key, status: "ACTIVE", client_side: true, ...body },
      }),
    async [Symbol.asyncDispose]() {
      await assay.close();
      if (http.listening) await server.goAway();
    },
  };
  for (const flag of flags) await server.createFlag(flag);
  const created = await client.request("POST /api-keys", {
    body: { name: "browser", kind: "CLIENT", scopes: ["read", "write"] },
  });
  server.apiKey = created.key!;
  return server;
}
