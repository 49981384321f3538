import { createAssay } from "@assay/server";
import { assayPlugin } from "@assay/server/fastify";
import fastify from "fastify";

const assay = createAssay({
  admin: { username: "admin", password: process.env.ADMIN_PASSWORD ?? "change me soon" },
});

const app = fastify();
await app.register(assayPlugin, { assay, prefix: "/assay" });
// Fastify's own parsers go on working for your routes.
app.post("/echo", (request) => request.body);
app.get("/hello", () => {
  const { value } = assay.engine.evaluate("greeting", { targetingKey: "ada" }, false);
  return value ? "Hello, Ada" : "Hello";
});
app.addHook("onClose", () => assay.close());

console.log(`ready at ${await app.listen({ port: Number(process.env.PORT ?? 4400), host: "127.0.0.1" })}`);

process.once("SIGTERM", () => app.close());
