import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createClient } from "@assay/client";
import { createAssay } from "@assay/server";
import { H3, serve } from "h3";
import { build } from "vite";
import { render } from "./src/server.tsx";

const root = fileURLToPath(new URL(".", import.meta.url));
const administrator = { username: "admin", password: process.env.ADMIN_PASSWORD ?? "change me soon" };

// What the browser loads, built as for production.
// The condition takes Assay's packages from their sources; outside of this repository leave it out.
await build({
  root,
  logLevel: "warn",
  resolve: { conditions: ["@assay/source", "module", "browser", "production"] },
  build: {
    target: "es2022",
    rollupOptions: { input: `${root}/src/browser.tsx`, output: { entryFileNames: "browser.js" } },
  },
});
// The script, and the files that it loads later, by their paths.
const files = await readdir(`${root}/dist`, { recursive: true });
const scripts = new Map<string, Uint8Array>(
  await Promise.all(
    files
      .filter((file) => file.endsWith(".js"))
      .map(async (file) => [`/${file}`, await readFile(`${root}/dist/${file}`)] as const),
  ),
);

// Pages, their script and Assay on one origin, as behind one domain.
const assay = createAssay({ admin: administrator });
const settings = { apiKey: "", baseUrl: "", script: "/browser.js" };
const app = new H3()
  .get("/users/:user", async (event) => {
    event.res.headers.set("content-type", "text/html; charset=utf-8");
    return render(decodeURIComponent(event.context.params?.user ?? ""), settings);
  })
  .all("/**", (event) => {
    const script = scripts.get(event.url.pathname);
    if (script === undefined) return assay.fetch(event.req);
    event.res.headers.set("content-type", "text/javascript");
    return script;
  });
const server = serve(app, { port: Number(process.env.PORT ?? 4174), hostname: "127.0.0.1", silent: true });
await server.ready();
settings.baseUrl = server.url!.replace(/\/$/, "");

// What an administrator does once.
const admin = createClient({ baseUrl: settings.baseUrl, ...administrator });
const key = await admin.request("POST /api-keys", {
  body: { name: "pages", kind: "CLIENT", scopes: ["read", "write"] },
});
settings.apiKey = key.key!;
await admin.request("POST /feature-flags/", {
  body: {
    key: "headline",
    name: "Headline",
    status: "ACTIVE",
    client_side: true,
    value_type: "STRING",
    default_value: "Welcome",
    variants: [
      { key: "control", value: "Welcome" },
      { key: "treatment", value: "Experiments you can trust <3" },
    ],
  },
});
const experiment = await admin.request("POST /experiments/", {
  body: {
    name: "Headline",
    feature_flag_key: "headline",
    metrics: [{ name: "Signed up", event_type: "signup", role: "PRIMARY" }],
  },
});
await admin.request("POST /experiments/{experiment_id}/start", { params: { experiment_id: experiment.id } });
console.log(`ready at ${settings.baseUrl}`);

process.once("SIGTERM", async () => {
  assay.endStreams();
  await server.close();
  await assay.close();
});
