import { createServer } from "node:http";
import { createClient } from "@assay/client";
import { createAssay } from "@assay/server";
import worker from "./worker.ts";

// A server on its own port, with what the worker asks for; yours runs elsewhere already.
const administrator = { username: "admin", password: "change me soon" };
const assay = createAssay({ admin: administrator });
const server = createServer(assay.node);
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = server.address();
const baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
const admin = createClient({ baseUrl, ...administrator });
const { key: apiKey = "" } = await admin.request("POST /api-keys", { body: { name: "worker", scopes: ["read"] } });
await admin.request("POST /experiments/", {
  body: {
    key: "pricing",
    name: "Prices by the year",
    experiment_type: "SPLIT_URL",
    status: "ACTIVE",
    split_url_config: {
      variants: [
        { key: "month", url: "https://shop.example/prices/month", weight: 50 },
        { key: "year", url: "https://shop.example/prices/year?from=split", weight: 50 },
      ],
    },
    targeting_rules: { countries: ["DE", "FR"] },
  },
});
await admin.request("POST /feature-flags/", {
  body: { key: "free-shipping", name: "Free shipping", status: "ACTIVE", targeting_rules: { countries: ["FR"] } },
});

// What a runtime does: bindings, and a context that lets work go on after the response.
const env = { ASSAY_URL: baseUrl, ASSAY_API_KEY: apiKey };
const ctx = { waitUntil: (work: Promise<unknown>) => void work.catch(console.error) };
const visit = (path: string, headers: Record<string, string>, init: RequestInit = {}) =>
  worker.fetch(new Request(`https://shop.example${path}`, { headers, ...init }), env, ctx);

for (const [user, country] of [
  ["ada", "DE"],
  ["grace", "FR"],
  ["edsger", "NL"],
] as const) {
  const response = await visit("/pricing?utm_source=mail", { cookie: `user=${user}`, "cf-ipcountry": country });
  const cookie = response.headers.get("set-cookie")?.split(";")[0] ?? "no cookie";
  console.log(user, country, response.status, response.headers.get("location"), cookie);
}

// The server goes; the worker has what it needs.
await new Promise((resolve) => server.close(resolve));
await assay.close();
const body = JSON.stringify({ context: { targetingKey: "grace" } });
const answer = await visit(
  "/ofrep/v1/evaluate/flags/free-shipping",
  { "cf-ipcountry": "FR" },
  { method: "POST", body },
);
const { key, value, reason } = (await answer.json()) as Record<string, unknown>;
console.log(key, value, reason);
const kept = await visit("/pricing", { cookie: "exp_pricing=year" });
console.log("with the cookie:", kept.status, kept.headers.get("location"));
