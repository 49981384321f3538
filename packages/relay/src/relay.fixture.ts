import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@assay/client";
import { type Assay, createAssay, memoryStore } from "@assay/server";
import { createRelay, type Relay, type RelayOptions } from "./index.ts";

const ADMIN = { username: "admin", password: "correct horse battery" };
export const quiet = { info() {}, warn() {}, error() {} };

/** A port whose handler changes. Without one, it refuses connections. */
async function startPort() {
  let handler: RequestListener | undefined;
  const http = createServer((request, response) => {
    if (handler) handler(request, response);
    else request.socket.destroy();
  }).listen(0, "127.0.0.1");
  await once(http, "listening");
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    answerWith(next: RequestListener | undefined) {
      handler = next;
      if (!next) http.closeAllConnections();
    },
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

/** A server on a port that can go down and come back with its data, and relays of it. */
export async function startUpstream() {
  const storage = { ...memoryStore(), close: async () => {} };
  const open = () =>
    createAssay({ storage, admin: ADMIN, passwordCost: 16, rateLimit: false, logger: quiet, jobs: false });
  let assay: Assay = open();
  await assay.ready;
  const port = await startPort();
  port.answerWith(assay.node);
  const inProcess: typeof globalThis.fetch = (input, init) => assay.fetch(new Request(input, init));
  const admin = createClient({ baseUrl: "http://assay.test", fetch: inProcess, retries: 0, ...ADMIN });
  const closing: (() => Promise<unknown>)[] = [];

  async function keyOf(kind: "SERVER" | "CLIENT", body: object = {}) {
    const given = { name: kind, kind, scopes: ["read", "write"] as ("read" | "write")[], ...body };
    const { key, id } = await admin.request("POST /api-keys", { body: given });
    return { key: key!, id };
  }
  const [server, client] = [await keyOf("SERVER"), await keyOf("CLIENT")];

  const upstream = {
    url: port.url,
    admin,
    keyOf,
    /** Keys of clients: a SERVER key and a CLIENT key. */
    serverKey: server.key,
    clientKey: client.key,
    get assay() {
      return assay;
    },
    answerWith: port.answerWith,
    /** Breaks all connections and refuses new ones. */
    goDown: () => port.answerWith(undefined),
    async comeBack() {
      await assay.close();
      assay = open();
      await assay.ready;
      port.answerWith(assay.node);
    },
    revoke: (id: string) => admin.request("DELETE /api-keys/{id}", { params: { id } }),
    create: (key: string, body: object = {}) =>
      admin.request("POST /feature-flags/", { body: { key, name: key, status: "ACTIVE", ...body } }),
    update: (id: string, body: object) => admin.request("PUT /feature-flags/{id}", { params: { id }, body }),
    /** The events of a person that the upstream has. */
    async eventsOf(user_id: string): Promise<{ event_type: string; event_id?: string; timestamp?: string }[]> {
      const { events } = await admin.request("GET /tracking/users/{user_id}", { params: { user_id } });
      return events as { event_type: string }[];
    },
    newDirectory: async () => {
      const directory = await mkdtemp(join(tmpdir(), "assay-relay-"));
      closing.push(() => rm(directory, { recursive: true, force: true }));
      return directory;
    },
    /** Starts a relay on its own port. */
    async relay(options: Partial<RelayOptions> = {}) {
      const directory = options.directory ?? (await upstream.newDirectory());
      const given = { upstream: port.url, apiKey: server.key, clientKey: client.key, directory, logger: quiet };
      const relay: Relay = createRelay({ ...given, timeout: 1_000, ...options });
      await relay.ready;
      const http = await startPort();
      http.answerWith(relay.node as RequestListener);
      const close = async () => {
        relay.endStreams();
        await http.close();
        await relay.close();
      };
      closing.unshift(close);
      return {
        ...relay,
        url: http.url,
        directory,
        close,
        ready: async () => (await fetch(`${http.url}/readyz`)).json(),
        send: (path: string, key: string | null, body?: unknown, headers: Record<string, string> = {}) =>
          send(http.url, path, key, body, headers),
      };
    },
    send: (path: string, key: string | null, body?: unknown, headers: Record<string, string> = {}) =>
      send(port.url, path, key, body, headers),
    async close() {
      for (const close of closing) await close();
      await port.close();
      await assay.close();
    },
  };
  return upstream;
}

export type Upstream = Awaited<ReturnType<typeof startUpstream>>;
export type RunningRelay = Awaited<ReturnType<Upstream["relay"]>>;

async function send(
  url: string,
  path: string,
  key: string | null,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { ...(key === null ? {} : { "x-api-key": key }), "content-type": "application/json", ...headers },
    body: text,
  });
  const answer = await response.text();
  const isJson = /json/.test(response.headers.get("content-type") ?? "");
  return {
    status: response.status,
    headers: response.headers,
    json: isJson && answer ? JSON.parse(answer) : undefined,
  };
}
