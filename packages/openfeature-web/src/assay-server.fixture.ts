import { type Client, createClient } from "@assay/client";
import { createAssay, memoryStore } from "@assay/server";
import { type LoopbackServer, listen } from "../../sdk/src/fake-server.fixture.ts";

const admin = { username: "admin", password: "correct horse battery" };

export interface AssayServer extends LoopbackServer {
  admin: Client;
  /** A CLIENT key that may read and track. */
  apiKey: string;
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
  const loopback = await listen(async (request) => assay.fetch(request));
  // Not over the port, so that only the provider's requests are recorded.
  const client = createClient({
    baseUrl: loopback.url,
    retries: 0,
    fetch: async (request) => assay.fetch(request),
    ...admin,
  });
  const { key: apiKey } = await client.request("POST /api-keys", {
    body: { name: "browser", kind: "CLIENT", scopes: ["read", "write"] },
  });
  const stop = loopback[Symbol.asyncDispose];
  const server: AssayServer = Object.assign(loopback, {
    admin: client,
    apiKey: apiKey!,
    createFlag: (key: string, body?: object) =>
      client.request("POST /feature-flags/", {
        body: { key, name: key, status: "ACTIVE", client_side: true, ...body },
      }),
    async [Symbol.asyncDispose]() {
      await assay.close();
      await stop();
    },
  });
  for (const flag of flags) await server.createFlag(flag);
  return server;
}
