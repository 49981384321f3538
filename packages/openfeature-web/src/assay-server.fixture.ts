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
export function startAssay(...flags: string[]): Promise<AssayServer> {
  return startAssayFor([], ...flags);
}

/** The same for pages of these origins. */
async function startAssayFor(origins: string[], ...flags: string[]): Promise<AssayServer> {
  const assay = createAssay({
    storage: memoryStore(),
    admin,
    passwordCost: 16,
    rateLimit: false,
    jobs: false,
    cors: { origins },
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

/** A server on which an experiment runs over the flag `checkout`, and none over `banner`. */
export async function startExperiment(...origins: string[]) {
  const server = await startAssayFor(origins, "banner");
  const variants = ["old", "new"].map((key) => ({ key, weight: 0.5, value: key }));
  await server.createFlag("checkout", { value_type: "STRING", variants });
  const { id } = await server.admin.request("POST /experiments/", {
    body: { name: "Checkout", experiment_type: "FEATURE_FLAG", feature_flag_key: "checkout" },
  });
  await server.admin.request("POST /experiments/{experiment_id}/start", { params: { experiment_id: id } });
  return Object.assign(server, { experiment: id });
}

/** The events that a server has received. */
export const eventsOf = (server: AssayServer) =>
  server.received
    .filter(({ path, body }) => path === "/tracking/events" && body)
    .flatMap(({ body }) => (JSON.parse(body) as { events: Record<string, unknown>[] }).events);
