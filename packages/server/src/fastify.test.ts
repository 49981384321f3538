import fastify, { type FastifyInstance } from "fastify";
import { afterEach, expect, test } from "vitest";
import { assayPlugin } from "./fastify.ts";
import { createAssay, silentLogger } from "./index.ts";

const assay = createAssay({ logger: silentLogger });
let app: FastifyInstance;
afterEach(() => app.close());

async function listen(mount: (app: FastifyInstance) => void): Promise<string> {
  app = fastify();
  mount(app);
  return app.listen({ port: 0, host: "127.0.0.1" });
}

test.each<[string, string, (app: FastifyInstance) => void]>([
  ["at the root", "", (app) => void app.register(assayPlugin, { assay })],
  ["under a prefix", "/assay", (app) => void app.register(assayPlugin, { assay, prefix: "/assay" })],
  [
    "under a prefix inside another",
    "/internal/assay",
    (app) =>
      void app.register(async (internal) => void internal.register(assayPlugin, { assay, prefix: "/assay/" }), {
        prefix: "/internal",
      }),
  ],
  [
    "inside a prefix, with none of its own",
    "/internal",
    (app) =>
      void app.register(async (internal) => void internal.register(assayPlugin, { assay }), { prefix: "/internal" }),
  ],
])("answers %s", async (_where, prefix, mount) => {
  const url = await listen(mount);
  const health = await fetch(`${url}${prefix}/healthz?probe=1`);
  expect([health.status, await health.json()]).toEqual([200, { status: "ok" }]);
  expect((await fetch(`${url}${prefix}/api/v1/users/me`)).status).toBe(401);
});
