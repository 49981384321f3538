import { createAssay } from "@assay/server";
import { H3, serve } from "h3";

// `basePath` says where it is mounted, so that its own links and its OpenAPI document are right.
const assay = createAssay({
  basePath: "/assay",
  admin: { username: "admin", password: process.env.ADMIN_PASSWORD ?? "change me soon" },
});

const app = new H3()
  .get("/", () => (assay.engine.evaluate("greeting", { targetingKey: "ada" }, false).value ? "Hello, Ada" : "Hello"))
  .all("/assay/**", (event) => assay.fetch(event.req));

const server = serve(app, { port: Number(process.env.PORT ?? 4400), hostname: "127.0.0.1", silent: true });
await server.ready();
console.log(`ready at ${server.url}`);

process.once("SIGTERM", async () => {
  await server.close();
  await assay.close();
});
