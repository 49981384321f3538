import { createServer } from "node:http";
import { createClient } from "@assay/client";
import { consoleAssets } from "@assay/console";
import { toProgram } from "@assay/core";
import { AssayServerProvider } from "@assay/openfeature-server";
import { fileStorage } from "@assay/openfeature-server/file";
import { AssayTestProvider } from "@assay/openfeature-server/testing";
import { AssayWebProvider } from "@assay/openfeature-web";
import { type Assay, type AssayOptions, createAssay, signOverrides, smtpMailer } from "@assay/server";
import { OFREPWebProvider } from "@openfeature/ofrep-web-provider";
import { OpenFeature } from "@openfeature/server-sdk";
import { Redis } from "ioredis";

// Options that the guides show and that no example can run, since they name servers of other people: type-checked here.

export function people() {
  const assay = createAssay({
    admin: { username: "root", password: process.env.ASSAY_ADMIN_PASSWORD! },
    signup: "INVITE",
    invited: ["ada@example.com", "@example.org"],
    mailer: smtpMailer({ url: "smtps://user:password@mail.example.org", from: "Assay <assay@example.org>" }),
  });
  return assay;
}

export function operations() {
  const assay = createAssay({ metrics: true, accessLog: (entry) => console.log(JSON.stringify(entry)) });
  const scrapes = createServer(async (_request, response) => {
    const metrics = await assay.metrics();
    response.end(await metrics.text());
  });
  scrapes.listen(9464, "127.0.0.1");
}

export function provider() {
  createAssay({
    identity: {
      issuer: "https://id.example.org/realms/main",
      clientId: "assay",
      clientSecret: process.env.OIDC_SECRET!,
      redirectUri: "https://flags.example.org/oidc/callback",
      audience: "https://flags.example.org",
      roleClaim: "realm_access.roles",
      roles: { "flags-admins": "SUPERUSER", developers: "DEVELOPER", everyone: "VIEWER" },
    },
  });
}

export async function streaming(apiKey: string, baseUrl: string) {
  await OpenFeature.setProviderAndWait(new AssayServerProvider({ apiKey, baseUrl, streaming: true }));
}

export async function unitTests() {
  const flags = new AssayTestProvider({ "new-checkout": true, theme: "dark", limits: { value: { uploads: 3 } } });
  await OpenFeature.setProviderAndWait(flags);
  flags.set("new-checkout", { rollout_percentage: 0, targeting_rules: { included_users: ["ada"] } });
}

export async function overridden(apiKey: string, secret: string) {
  const token = await signOverrides({ flags: { "new-checkout": true }, experiments: { pricing: "blue" } }, { secret });
  await fetch("https://flags.example.org/api/v1/openfeature/evaluate", {
    method: "POST",
    headers: { "X-API-Key": apiKey, "X-Assay-Override": token, "content-type": "application/json" },
    body: JSON.stringify({ flagKey: "new-checkout", userId: "ada" }),
  });
}

export async function kept(apiKey: string, baseUrl: string) {
  const storage = fileStorage("/var/cache/shop/flags.json");
  await OpenFeature.setProviderAndWait(new AssayServerProvider({ apiKey, baseUrl, storage }));
}

export async function inProcess(assay: Assay) {
  await OpenFeature.setProviderAndWait(new AssayServerProvider({ engine: assay.engine, track: assay.track }));
}

export function lowered(assay: Assay) {
  const program = toProgram(assay.engine.definitions);
  return program;
}

export function remote(clientKey: string) {
  new OFREPWebProvider({ baseUrl: "https://flags.example.org", headers: [["X-API-Key", clientKey]] });
}

export function browser(clientKey: string, baseUrl: string) {
  const local = new AssayWebProvider({ apiKey: clientKey, baseUrl });
  const remote = new AssayWebProvider({ apiKey: clientKey, baseUrl, evaluation: "remote" });
  return [local, remote];
}

export function withConsole({ storage, admin }: Required<Pick<AssayOptions, "storage" | "admin">>) {
  const assay = createAssay({ storage, admin, console: consoleAssets });
  return assay;
}

export function approvals({ storage }: Required<Pick<AssayOptions, "storage">>) {
  const assay = createAssay({ storage, environments: ["production", "staging"], protected: ["production"] });
  return assay;
}

export function environments({ storage }: Required<Pick<AssayOptions, "storage">>) {
  const assay = createAssay({ storage, environments: ["production", "staging"] });
  return assay;
}

export function inStaging({ baseUrl, username, password }: Record<"baseUrl" | "username" | "password", string>) {
  const staging = createClient({ baseUrl, username, password, environment: "staging" });
  return staging;
}

export function sharedLimits() {
  const limits = new Redis("redis://redis.example.org:6379", { enableOfflineQueue: false });
  const assay = createAssay({ rateLimitStore: { kind: "redis", client: limits } });
  return assay;
}
