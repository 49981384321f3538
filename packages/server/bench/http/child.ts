/**
 * A server in a process of its own, whose CPU time is its own: `assay CHECKOUT` serves what is built in a checkout, `floor` is a
 * bare `node:http` that parses, checks and answers the same with nothing around it.
 */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { pathToFileURL } from "node:url";
import type { z } from "zod";
import { cases, EXPERIMENT, FLAGS } from "./cases.ts";

const ADMIN = { username: "admin", password: "a-password-of-benchmarks" };

/** Answers of the real server by name of the case; the floor gives the same. */
export type Samples = Record<string, string>;

async function serveAssay(checkout: string): Promise<{ listener: RequestListener; key: string }> {
  const { createAssay } = await import(pathToFileURL(`${checkout}/packages/server/dist/index.js`).href);
  const { createClient } = await import(pathToFileURL(`${checkout}/packages/client/dist/index.js`).href);
  const assay = createAssay({ admin: ADMIN, rateLimit: false, jobs: false });
  await assay.ready;
  const fetch = (input: RequestInfo, init?: RequestInit) => assay.fetch(new Request(input, init));
  const admin = createClient({ baseUrl: "http://assay.test", fetch, ...ADMIN });
  for (let number = 1; number <= FLAGS; number++) {
    const body = {
      key: `flag-${number}`,
      name: `Flag ${number}`,
      status: "ACTIVE",
      rollout_percentage: 50,
      targeting_rules: { countries: ["DE", "FR", "US"] },
    };
    await admin.request("POST /feature-flags/", { body });
  }
  await admin.request("POST /experiments/", {
    body: {
      key: EXPERIMENT,
      name: "Checkout",
      status: "ACTIVE",
      variants: [{ key: "control" }, { key: "treatment" }],
      metrics: [{ name: "purchase", event_type: "purchase", role: "PRIMARY" }],
    },
  });
  const { key } = await admin.request("POST /api-keys", { body: { name: "bench", scopes: ["read", "write"] } });
  return { listener: assay.node, key };
}

async function serveFloor(): Promise<RequestListener> {
  const { contract } = await import("@assay/contract");
  const routes = contract as unknown as Record<string, { body?: z.ZodType }>;
  const caseOf = new Map(cases.map((one) => [`${one.method} ${one.path}`, one]));
  const samples = await new Promise<Samples>((resolve) => process.once("message", resolve as never));
  const parsed = new Map(Object.entries(samples).map(([name, text]) => [name, JSON.parse(text)]));
  return (request, response) => {
    const { name, route } = caseOf.get(`${request.method} ${request.url}`)!;
    const answer = (text: string) => {
      response.writeHead(200, {
        "Content-Type": "application/json; charset=utf-8",
        "Content-Length": Buffer.byteLength(text),
      });
      response.end(text);
    };
    if (request.method === "GET") return answer(samples[name]!);
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
      const schema = route === undefined ? undefined : routes[route]?.body;
      schema?.parse(body);
      answer(JSON.stringify(parsed.get(name)));
    });
  };
}

const [kind, checkout = ""] = process.argv.slice(2);
const { listener, key } =
  kind === "assay" ? await serveAssay(checkout) : { listener: await serveFloor(), key: "the-floor-takes-any" };
const server = createServer(listener).listen(0, "127.0.0.1", () => {
  process.send!({ port: (server.address() as AddressInfo).port, key });
  process.on("message", (asked) => {
    if (asked === "cpu") process.send!(process.cpuUsage());
  });
});
process.once("disconnect", () => process.exit(0));
