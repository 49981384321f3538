import { lmdbStore } from "@assay/lmdb";
import { createAssay } from "@assay/server";

const env = (name: string, otherwise: string) => Deno.env.get(name) ?? otherwise;

const assay = createAssay({
  storage: lmdbStore({ path: env("DATA", "./data") }),
  basePath: "/assay",
  admin: { username: "admin", password: env("ADMIN_PASSWORD", "change me soon") },
});
await assay.ready;

const server = Deno.serve({ port: Number(env("PORT", "4400")), hostname: "127.0.0.1" }, (request) => {
  if (new URL(request.url).pathname.startsWith("/assay/")) return assay.fetch(request);
  const { value } = assay.engine.evaluate("new-checkout", { targetingKey: "grace" }, false);
  return new Response(value ? "The new checkout" : "The old checkout");
});

Deno.addSignalListener("SIGTERM", async () => {
  assay.endStreams();
  await server.shutdown();
  await assay.close();
  Deno.exit();
});
