import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Client, createClient } from "@assay/client";
import { type Assay, createAssay, memoryStore } from "@assay/server";

const administrator = { username: "admin", password: "correct horse battery" };

/** A real server on a separate port. It can stop, and restart there with its data. */
export interface AssayServer {
  readonly url: string;
  /** A CLIENT key with the permissions that providers need. It only sees `client_side` flags. */
  readonly apiKey: string;
  /** A SERVER key with the scopes `read` and `write`. */
  readonly serverKey: string;
  /** The administrator, in the same process. It works even while the port rejects all requests. */
  readonly admin: Client;
  readonly assay: Assay;
  /** Returns the number of open streams of changes over the port. */
  streams(): number;
  /** Closes the port and the server. Open connections break. */
  stop(): Promise<void>;
  /** Opens the port and the server again. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server in memory. */
export async function startServer(): Promise<AssayServer> {
  const storage = { ...memoryStore(), close: async () => {} };
  const logger = { info() {}, warn() {}, error() {} };
  let assay: Assay;
  let http: Server;
  let port = 0;
  let streams = 0;

  async function open(): Promise<void> {
    assay = createAssay({ storage, admin: administrator, passwordCost: 16, rateLimit: false, logger });
    await assay.ready;
    http = createServer(assay.node).listen(port, "127.0.0.1");
    http.on("request", ({ url }, response) => {
      if (!url?.endsWith("/openfeature/stream")) return;
      streams++;
      response.on("close", () => streams--);
    });
    await once(http, "listening");
    port = (http.address() as AddressInfo).port;
  }

  async function stop(): Promise<void> {
    if (!http.listening) return;
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
    await assay.close();
  }

  await open();
  const inProcess: typeof fetch = (input, init) => assay.fetch(new Request(input, init));
  const admin = createClient({ baseUrl: "http://assay.test", fetch: inProcess, retries: 0, ...administrator });
  const keyOf = async (kind: "SERVER" | "CLIENT") => {
    const { key } = await admin.request("POST /api-keys", { body: { name: kind, kind, scopes: ["read", "write"] } });
    return key!;
  };
  const [apiKey, serverKey] = [await keyOf("CLIENT"), await keyOf("SERVER")];
  return {
    url: `http://127.0.0.1:${port}`,
    apiKey,
    serverKey,
    admin,
    get assay() {
      return assay;
    },
    streams: () => streams,
    stop,
    restart: open,
    close: stop,
  };
}
