import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { freePort, PASSWORD, run, serve, stopAll } from "../cli.fixture.ts";
import type { Finding } from "./command.ts";
import { checkNode } from "./machine.ts";

let folder: string;
let other: Server | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-doctor-"));
});
afterEach(async () => {
  await stopAll();
  other?.close();
  await rm(folder, { recursive: true, force: true });
});

async function examine(environment: Record<string, string>) {
  const { code, output } = await run(["doctor", "--json"], environment);
  const findings = JSON.parse(output.replace(/^assay: .*\n/gm, "")) as Finding[];
  return { code, of: (check: string) => findings.find((one) => one.check === check), findings };
}

/** Starts a server that is not Assay. */
async function answering(status: number, headers: Record<string, string> = {}, body = "{}") {
  other = createServer((_, response) => response.writeHead(status, headers).end(body));
  await new Promise<void>((resolve) => other!.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
}

test("finds no problem with a server that is ready and valid credentials", async () => {
  const server = await serve(["--storage", "memory"]);
  const { key } = await server.admin.request("POST /api-keys", { body: { name: "doctor" } });
  const user = { ASSAY_USERNAME: "admin", ASSAY_PASSWORD: PASSWORD };
  const { code, findings } = await examine({ ASSAY_URL: server.url, ASSAY_API_KEY: key!, ...user });
  expect(code).toBe(0);
  expect(findings.map(({ check, ok, advice }) => [check, ok, advice])).toEqual(
    ["Node", "Configuration", "Server", "Transport", "Clock", "API key", "User"].map((check) => [check, true, null]),
  );
  const text = await run(["doctor"], { ASSAY_URL: server.url, ASSAY_API_KEY: key! });
  expect(text.output).toContain(`ok       Server: ${server.url} is ready\n`);
});

test("names wrong and missing credentials, and what to do", async () => {
  const server = await serve(["--storage", "memory"]);
  const wrong = await examine({
    ASSAY_URL: server.url,
    ASSAY_API_KEY: "asy_wrong",
    ASSAY_USERNAME: "admin",
    ASSAY_PASSWORD: "wrong",
  });
  expect(wrong.code).toBe(1);
  expect(wrong.of("API key")).toMatchObject({
    ok: false,
    detail: "Invalid API key",
    advice: expect.stringContaining("assay keys create"),
  });
  expect(wrong.of("User")).toMatchObject({ ok: false, detail: "Incorrect username or password" });
  const none = await examine({ ASSAY_URL: server.url });
  expect(none.of("Credentials")).toMatchObject({ ok: false, advice: expect.stringContaining("assay init") });
});

test("says that no server answers, and checks nothing else of it", async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const { code, of, findings } = await examine({ ASSAY_URL: url });
  expect(code).toBe(1);
  expect(of("Server")).toMatchObject({ ok: false, detail: expect.stringContaining(`${url} does not answer: `) });
  expect(findings.map(({ check }) => check)).toEqual(["Node", "Configuration", "Server"]);
});

test("recognises another service, and a server that is not ready", async () => {
  expect((await examine({ ASSAY_URL: await answering(404) })).of("Server")).toMatchObject({
    ok: false,
    detail: expect.stringContaining("answers 404 to /readyz"),
  });
  other?.close();
  const url = await answering(503, {}, JSON.stringify({ reason: "the disk is full" }));
  expect((await examine({ ASSAY_URL: url })).of("Server")).toMatchObject({
    ok: false,
    detail: `${url} is not ready: the disk is full`,
  });
});

test.each([
  [-60, false],
  [-3, true],
  [4, true],
  [60, false],
])("a server's clock that differs by %d s is fine: %s", async (seconds, ok) => {
  const date = new Date(Date.now() + seconds * 1000).toUTCString();
  expect((await examine({ ASSAY_URL: await answering(200, { date }) })).of("Clock")).toMatchObject({ ok });
});

test("http to another machine is a problem, https and loopback are not", async () => {
  const { checkTransport } = await import("./server.ts");
  const problems = ["http://flags.example.com", "http://10.0.0.7:4400", "http://localhost.example.com"];
  for (const url of problems) expect(checkTransport(url), url).toMatchObject({ ok: false });
  const fine = ["https://flags.example.com", "http://localhost:4400", "http://127.0.0.1", "http://[::1]:4400"];
  for (const url of fine) expect(checkTransport(url), url).toMatchObject({ ok: true });
});

test("a configuration that others can read, or that is damaged, is a problem", async () => {
  const server = await serve(["--storage", "memory"]);
  const ASSAY_CONFIG = join(folder, "config.json");
  await writeFile(ASSAY_CONFIG, JSON.stringify({ current: null, profiles: {} }), { mode: 0o644 });
  expect((await examine({ ASSAY_URL: server.url, ASSAY_CONFIG })).of("Configuration")).toMatchObject({
    ok: false,
    advice: `Run: chmod 600 ${ASSAY_CONFIG}`,
  });
  for (const text of ["{", "[]", '{"profiles":{"a":{}}}']) {
    await writeFile(ASSAY_CONFIG, text);
    expect((await examine({ ASSAY_URL: server.url, ASSAY_CONFIG })).of("Configuration")).toMatchObject({
      ok: false,
      detail: expect.stringContaining(`Cannot read the configuration ${ASSAY_CONFIG}: `),
    });
  }
});

test.each([
  ["20.18.9", false],
  ["20.19.0", true],
  ["20.20.1", true],
  ["21.7.0", false],
  ["22.11.9", false],
  ["22.12.0", true],
  ["23.9.0", false],
  ["24.0.0", true],
  ["26.1.0", true],
  ["18.20.0", false],
])("Node %s is supported: %s", (version, ok) => {
  expect(checkNode(version)).toMatchObject({ ok });
});
