import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@assay/client";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { freePort, run, type Serving, serve, stopAll } from "../cli.fixture.ts";

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "assay-operation-"));
});
afterEach(stopAll);
afterAll(() => rm(directory, { recursive: true, force: true }));

const MEMORY = ["--storage", "memory"];

async function metricsUrl({ match }: Serving): Promise<string> {
  return (await match(/Metrics are at (\S+)/))[1]!;
}

test("serve --metrics answers on its own port on loopback, and not on the public one", async () => {
  const server = await serve([...MEMORY, "--metrics", "0"]);
  const url = await metricsUrl(server);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
  await fetch(`${server.url}/healthz`);
  const response = await fetch(url);
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const text = await response.text();
  expect(text).toContain('assay_http_request_duration_seconds_count{method="GET",route="/healthz",status="200"} 1');
  expect(text).toContain("process_resident_memory_bytes");
  expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
  expect((await fetch(url.replace("/metrics", "/healthz"))).status).toBe(404);
  expect((await fetch(url, { method: "POST" })).status).toBe(405);
  server.child.kill("SIGTERM");
  expect(await server.exit).toBe(0);
});

test("with ASSAY_METRICS_TOKEN, metrics need the token", async () => {
  const token = "a-token-of-sixteen";
  const server = await serve(MEMORY, { ASSAY_METRICS: "0.0.0.0:0", ASSAY_METRICS_TOKEN: token });
  const url = await metricsUrl(server);
  const status = async (authorization?: string) =>
    (await fetch(url, { headers: authorization === undefined ? {} : { authorization } })).status;
  expect(await status()).toBe(401);
  expect(await status(`Bearer ${token}s`)).toBe(401);
  expect(await status(token)).toBe(401);
  expect(await status(`Bearer ${token}`)).toBe(200);
});

const mistakes: [words: string[], environment: Record<string, string>, line: string][] = [
  [["--metrics", "here"], {}, '--metrics must be PORT or HOST:PORT, not "here"'],
  [["--metrics", "65536"], {}, '--metrics must be PORT or HOST:PORT, not "65536"'],
  [
    ["--metrics", "0.0.0.0:9464"],
    {},
    "--metrics 0.0.0.0:9464 can be reached from other machines; set ASSAY_METRICS_TOKEN",
  ],
  [["--metrics", "[::]:9464"], {}, "--metrics [::]:9464 can be reached from other machines; set ASSAY_METRICS_TOKEN"],
  [["--metrics", "1"], { ASSAY_METRICS_TOKEN: "short" }, "ASSAY_METRICS_TOKEN must have 16 to 1024 characters"],
  [[], { ASSAY_ACCESS_LOG: "yes" }, 'ASSAY_ACCESS_LOG must be on or off, not "yes"'],
  [["--namespace", " "], {}, "--namespace is empty"],
];

test.each(mistakes)("serve %j with %j fails with one line and exit code 2", async (words, environment, line) => {
  expect(await run(["serve", ...words], environment)).toEqual({ code: 2, output: `assay: ${line}\n` });
});

test("a port of metrics that is in use gives one line and exit code 1", async () => {
  const server = createServer();
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const result = await run(["serve", "--port", "0", ...MEMORY, "--metrics", String(port)]);
  server.close();
  const output = `assay: Port ${port} on 127.0.0.1 is in use; choose another one with --metrics\n`;
  expect(result).toEqual({ code: 1, output });
});

test("serve --access-log writes one JSON line per request, without secrets", async () => {
  const server = await serve([...MEMORY, "--access-log"]);
  await fetch(`${server.url}/api/v1/users/me?token=secret-in-query`, {
    headers: { "x-request-id": "logged", authorization: "Bearer secret-in-header" },
  });
  const [line] = await server.match(/^\{.*"request_id":"logged".*\}$/m);
  expect(JSON.parse(line)).toMatchObject({
    method: "GET",
    route: "/api/v1/users/me",
    status: 401,
    address: "127.0.0.1",
  });
  expect(server.output()).not.toContain("secret-in");
});

test("servers with different namespaces share a directory, and do not see each other", async () => {
  const data = join(directory, "shared");
  const production = await serve(["--data", data, "--namespace", "production"]);
  const staging = await serve(["--data", data], {
    ASSAY_NAMESPACE: "staging",
    ASSAY_ADMIN_PASSWORD: "another-password",
  });
  const other = createClient({ baseUrl: staging.url, username: "admin", password: "another-password" });
  await production.admin.request("POST /feature-flags/", { body: { key: "shared", name: "Production" } });
  await other.request("POST /feature-flags/", { body: { key: "shared", name: "Staging" } });
  const flags = async (client: typeof other) => (await client.request("GET /feature-flags/")).map(({ name }) => name);
  expect([await flags(production.admin), await flags(other)]).toEqual([["Production"], ["Staging"]]);
  for (const server of [production, staging]) {
    server.child.kill("SIGTERM");
    await server.exit;
  }
  const again = await serve(["--data", data, "--namespace", "staging"]);
  const kept = createClient({ baseUrl: again.url, username: "admin", password: "another-password" });
  expect(await flags(kept)).toEqual(["Staging"]);
  again.child.kill("SIGTERM");
  await again.exit;
  const verify = (namespace: string) => run(["audit", "verify", "--data", data, "--namespace", namespace]);
  expect((await verify("staging")).output).toContain("The trail is valid");
  expect((await verify("elsewhere")).output).toContain("0 entries checked");
});
