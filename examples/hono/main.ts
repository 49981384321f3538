import { createAssay } from "@assay/server";
import { serve } from "@hono/node-server";
import { Hono } from "hono";

const assay = createAssay({
  basePath: "/assay",
  admin: { username: "admin", password: process.env.ADMIN_PASSWORD ?? "change me soon" },
});

const app = new Hono();
app.all("/assay/*", ({ req }) => assay.fetch(req.raw));
app.get("/", ({ text }) => {
  const { value } = assay.engine.evaluate("new-checkout", { targetingKey: "grace" }, false);
  return text(value ? "The new checkout" : "The old checkout");
});

const server = serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 4400), hostname: "127.0.0.1" }, ({ port }) =>
  console.log(`ready at http://127.0.0.1:${port}`),
);

process.once("SIGTERM", () => {
  assay.endStreams();
  server.close(() => assay.close());
});
