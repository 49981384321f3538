import { lmdbStore } from "@assay/lmdb";
import { createAssay } from "@assay/server";

const { PORT = "4400", DATA = "./data", ADMIN_PASSWORD = "change me soon" } = process.env;

const assay = createAssay({
  storage: lmdbStore({ path: DATA }),
  basePath: "/assay",
  admin: { username: "admin", password: ADMIN_PASSWORD },
});
await assay.ready;

const server = Bun.serve({
  port: Number(PORT),
  hostname: "127.0.0.1",
  // Event streams send something every 15 seconds; Bun's default is 10.
  idleTimeout: 60,
  routes: { "/assay/*": assay.fetch },
  fetch() {
    const { value } = assay.engine.evaluate("new-checkout", { targetingKey: "grace" }, false);
    return new Response(value ? "The new checkout" : "The old checkout");
  },
});
console.log(`ready at ${server.url}`);

process.once("SIGTERM", async () => {
  assay.endStreams();
  await server.stop();
  await assay.close();
});
