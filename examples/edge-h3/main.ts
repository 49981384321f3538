import { createClient } from "@assay/client";
import { createSplitUrlHandler } from "@assay/edge";
import { createAssay } from "@assay/server";
import { H3, serve, toResponse } from "h3";

// A server to talk to, and an experiment on it; yours run elsewhere already.
const administrator = { username: "admin", password: process.env.ADMIN_PASSWORD ?? "change me soon" };
const assay = createAssay({ admin: administrator });
const admin = createClient({ fetch: assay.fetch, ...administrator });
const { key: apiKey = "" } = await admin.request("POST /api-keys", { body: { name: "edge", scopes: ["read"] } });
await admin.request("POST /experiments/", {
  body: {
    key: "landing",
    name: "A new landing page",
    experiment_type: "SPLIT_URL",
    status: "ACTIVE",
    split_url_config: {
      variants: [
        { url: "/", weight: 50 },
        { url: "/new", weight: 50 },
      ],
    },
  },
});

const split = createSplitUrlHandler({ apiKey, fetch: assay.fetch, routes: { "/": "landing" } });

const app = new H3()
  .use((event, next) => split(event.req, async () => toResponse(await next(), event), event))
  .get("/", () => "The page as it was")
  .get("/new", () => "The new page");

const server = serve(app, { port: Number(process.env.PORT ?? 4400), hostname: "127.0.0.1", silent: true });
await server.ready();
console.log(`ready at ${server.url}`);

process.once("SIGTERM", async () => {
  await server.close();
  await assay.close();
});
