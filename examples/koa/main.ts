import { createAssay } from "@assay/server";
import Koa from "koa";

const assay = createAssay({
  basePath: "/assay",
  admin: { username: "admin", password: process.env.ADMIN_PASSWORD ?? "change me soon" },
});

const app = new Koa();
app.use(async (context, next) => {
  if (!context.path.startsWith("/assay/")) return next();
  // Assay answers; Koa waits for it and adds nothing.
  context.respond = false;
  await assay.node(context.req, context.res);
});
app.use((context) => {
  const { value } = assay.engine.evaluate("new-checkout", { targetingKey: "grace" }, false);
  context.body = value ? "The new checkout" : "The old checkout";
});

const server = app.listen(Number(process.env.PORT ?? 4400), "127.0.0.1", () => {
  const address = server.address();
  console.log(`ready at http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`);
});

process.once("SIGTERM", () => {
  assay.endStreams();
  server.close(() => assay.close());
});
