import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@assay/client";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { freePort, run, serve, start, stopAll } from "../cli.fixture.ts";

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "assay-serve-"));
});
afterEach(stopAll);
afterAll(() => rm(directory, { recursive: true, force: true }));

test("serve prints its address, keeps its data over a restart and exits with 0 on SIGTERM", async () => {
  const data = join(directory, "kept");
  const first = await serve(["--data", data]);
  await first.admin.request("POST /feature-flags/", { body: { key: "kept", name: "Kept" } });
  first.child.kill("SIGTERM");
  expect(await first.exit).toBe(0);
  const second = await serve(["--data", data]);
  const flag = await second.admin.request("GET /feature-flags/{id}", { params: { id: "kept" } });
  expect(flag.name).toBe("Kept");
  second.child.kill("SIGINT");
  expect(await second.exit).toBe(0);
});

test("the first start generates a password and prints it once for the data directory", async () => {
  const data = join(directory, "first");
  const none = { ASSAY_ADMIN_PASSWORD: "", ASSAY_ADMIN_USERNAME: "root-of-all" };
  // The password is printed even if HTTPS is required.
  const closed = await serve(["--data", `${data}-https`], { ...none, ASSAY_REQUIRE_HTTPS: "on" });
  await closed.match(/username root-of-all, password (\S+)/);
  const first = await serve(["--data", data], none);
  const [, password = ""] = await first.match(/username root-of-all, password (\S+)/);
  const credentials = { username: "root-of-all", password };
  const me = await createClient({ baseUrl: first.url, ...credentials }).request("GET /users/me");
  expect(me).toMatchObject({ username: "root-of-all", role: "admin" });
  expect(first.output().split(password)).toHaveLength(2);
  first.child.kill("SIGTERM");
  await first.exit;
  const second = await serve(["--data", data], none);
  expect(second.output()).not.toContain("password");
  await createClient({ baseUrl: second.url, ...credentials }).request("GET /users/me");
});

test("serve finishes requests in progress before it exits, and accepts no new ones", async () => {
  const { child, exit, url, match } = await serve(["--storage", "memory"]);
  const { port } = new URL(url);
  const socket = connect(Number(port), "127.0.0.1");
  const body = JSON.stringify({ username: "admin", password: "a-password-of-tests" });
  let answer = "";
  socket.on("data", (chunk) => (answer += chunk));
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.write(
    `POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${EXPECT}\r\n`,
  );
  await vi.waitFor(() => expect(answer).toContain("100 Continue"));
  child.kill("SIGTERM");
  await match(/is stopping/);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  socket.write(body);
  await closed;
  expect(answer).toContain("HTTP/1.1 200");
  expect(answer).toMatch(/^Connection: close\r$/im);
  expect(answer).toContain("access_token");
  expect(await exit).toBe(0);
});

/** With this header, the server answers "100 Continue" as soon as it has the headers of a request. */
const EXPECT = "Expect: 100-continue\r\n";

/** A connection to a server, its data, and whether it ended without an error. */
function connection(url: string) {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  let text = "";
  let error: Error | undefined;
  socket.on("data", (chunk) => (text += chunk));
  socket.on("error", (cause) => (error = cause));
  const closed = new Promise<Error | undefined>((resolve) => socket.once("close", () => resolve(error)));
  return { socket, closed, text: () => text };
}

const HEALTH = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";

test("serve answers a request on an idle connection while it stops, and asks the client to close it", async () => {
  const { child, exit, url, match, output } = await serve(["--storage", "memory"]);
  const [used, unused] = [connection(url), connection(url)];
  for (const { socket, text } of [used, unused]) {
    socket.write(HEALTH);
    await vi.waitFor(() => expect(text()).toContain('{"status":"ok"}'));
    expect(text()).not.toMatch(/^Connection: close/im);
  }
  child.kill("SIGTERM");
  await match(/is stopping/);
  used.socket.write(HEALTH);
  expect(await used.closed).toBeUndefined();
  expect(used.text().split("HTTP/1.1 200")).toHaveLength(3);
  expect(used.text()).toMatch(/^Connection: close\r$/im);
  expect(await unused.closed).toBeUndefined();
  expect(await exit).toBe(0);
  expect(output()).not.toContain("did not finish");
});

test("serve ends unfinished requests at the deadline, and exits with 0", async () => {
  const { child, exit, url, output } = await serve(["--storage", "memory"], { ASSAY_DRAIN_SECONDS: "1" });
  const halves = [
    "GET /healthz HTTP/1.1\r\nHos",
    `POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n${EXPECT}\r\n{`,
  ];
  const connections = [];
  for (const half of halves) {
    const opened = connection(url);
    opened.socket.write(HEALTH + half);
    await vi.waitFor(() => expect(opened.text()).toContain('{"status":"ok"}'));
    connections.push(opened);
  }
  child.kill("SIGTERM");
  expect(await exit).toBe(0);
  expect(output()).toContain("Closed 2 connections that did not finish in time");
  for (const { closed } of connections) await closed;
});

test("serve answers 408 to a body that does not arrive in time, and closes its connection", async () => {
  const { url } = await serve(["--storage", "memory"], { ASSAY_REQUEST_SECONDS: "1" });
  const { socket, closed, text } = connection(url);
  const head =
    "POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n";
  socket.write(`${head}{`);
  await closed;
  expect(text()).toMatch(/^HTTP\/1\.1 408 /);
  expect(text()).toContain("Request body did not arrive within 1 s; send the request again");
});

test("a second signal ends serve at once", async () => {
  const { child, exit, url, match } = await serve(["--storage", "memory"]);
  const { socket, text } = connection(url);
  socket.write(`POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n${EXPECT}\r\n`);
  await vi.waitFor(() => expect(text()).toContain("100 Continue"));
  child.kill("SIGINT");
  await match(/is stopping/);
  // Longer than the time within which a second signal is the same keypress.
  await new Promise((resolve) => setTimeout(resolve, 300));
  child.kill("SIGINT");
  expect(await exit).toBe(130);
});

test("flags override the environment", async () => {
  const port = await freePort();
  const command = start(["serve", "--port", String(port), "--storage", "memory"], {
    ASSAY_PORT: "1",
    ASSAY_STORAGE: "lmdb:/dev/null",
  });
  await command.match(new RegExp(`ready at http://127.0.0.1:${port} \\(data: memory`));
});

test("stores everything in ./data by default, or in ASSAY_DATA", async () => {
  const data = join(directory, "by-environment");
  await serve([], { ASSAY_DATA: data });
  expect(existsSync(join(data, "data.mdb"))).toBe(true);
});

const mistakes: [words: string[], environment: Record<string, string>, line: string][] = [
  [["--port", "http"], {}, '--port must be a whole number from 0 to 65535, not "http"'],
  [[], { ASSAY_DRAIN_SECONDS: "soon" }, 'ASSAY_DRAIN_SECONDS must be a whole number from 0 to 3600, not "soon"'],
  [[], { ASSAY_REQUEST_SECONDS: "0" }, 'ASSAY_REQUEST_SECONDS must be a whole number from 1 to 3600, not "0"'],
  [[], { ASSAY_MAX_CONNECTIONS: "0" }, 'ASSAY_MAX_CONNECTIONS must be a whole number from 1 to 1000000, not "0"'],
  [[], { ASSAY_PORT: "70000" }, 'ASSAY_PORT must be a whole number from 0 to 65535, not "70000"'],
  [["--prot", "5000"], {}, "Unknown option '--prot'"],
  [["now"], {}, 'Unexpected argument "now"'],
  [["--host", "nowhere.invalid"], {}, '--host must be an address of this machine, not "nowhere.invalid"'],
  [
    ["--storage", "etcd:x"],
    {},
    '--storage must be memory, lmdb:DIR, fs:DIR, postgres://USER:PASSWORD@HOST/DATABASE or redis://USER:PASSWORD@HOST:PORT, not "etcd:x"',
  ],
  [["--data", ""], {}, "--data is empty"],
  [["--data", "lmdb:x"], {}, '--data must be a directory, not "lmdb:x"; use --storage for that'],
  [[], { ASSAY_DATA: "memory" }, 'ASSAY_DATA must be a directory, not "memory"; use --storage for that'],
  [[], { ASSAY_RATE_LIMIT: "none" }, 'ASSAY_RATE_LIMIT must be on or off, not "none"'],
  [[], { ASSAY_TRUST_PROXY: "many" }, 'ASSAY_TRUST_PROXY must be a whole number from 0 to 32, not "many"'],
  [[], { ASSAY_REQUIRE_HTTPS: "yes" }, 'ASSAY_REQUIRE_HTTPS must be on or off, not "yes"'],
  [[], { ASSAY_JOBS: "no" }, 'ASSAY_JOBS must be on or off, not "no"'],
  [[], { ASSAY_ADMIN_PASSWORD: "short" }, "ASSAY_ADMIN_PASSWORD must have 8 to 128 characters"],
  [
    ["--port", "0", "--storage", "memory"],
    { ASSAY_PUBLIC_URL: "flags.example.com" },
    "ASSAY_PUBLIC_URL: publicUrl must be an http or https address without a user name, query or fragment",
  ],
  [
    [],
    { ACCESS_TOKEN_EXPIRE_MINUTES: "0" },
    'ACCESS_TOKEN_EXPIRE_MINUTES must be a whole number from 1 to 525600, not "0"',
  ],
];

test.each(mistakes)("serve %j with %j fails with one line and exit code 2", async (words, environment, line) => {
  expect(await run(["serve", ...words], environment)).toEqual({ code: 2, output: `assay: ${line}\n` });
});

test("behind a trusted proxy with HTTPS required, serve answers only requests that came over TLS", async () => {
  const { url } = await serve(["--storage", "memory"], {
    ASSAY_TRUST_PROXY: "127.0.0.1/32",
    ASSAY_REQUIRE_HTTPS: "on",
  });
  const status = async (headers: Record<string, string>) => (await fetch(`${url}/api/v1/users/me`, { headers })).status;
  expect(await status({})).toBe(403);
  expect(await status({ "x-forwarded-for": "192.0.2.1", "x-forwarded-proto": "https" })).toBe(401);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

test("a node with ASSAY_JOBS=off runs no jobs, and the scheduler's health reports it", async () => {
  const health = async (environment: Record<string, string>) => {
    const { url } = await serve(["--storage", "memory"], {
      ASSAY_ADMIN_PASSWORD: "a-password-of-tests",
      ...environment,
    });
    const login = { method: "POST", headers: { "content-type": "application/json" } };
    const body = JSON.stringify({ username: "admin", password: "a-password-of-tests" });
    const { access_token } = await (await fetch(`${url}/api/v1/auth/login`, { ...login, body })).json();
    const headers = { authorization: `Bearer ${access_token}` };
    return (await (await fetch(`${url}/api/v1/scheduler/health`, { headers })).json()).status;
  };
  expect(await health({ ASSAY_JOBS: "off" })).toBe("STOPPED");
  expect(await health({})).toBe("HEALTHY");
});

test("invalid networks give one line and exit code 2", async () => {
  const { code, output } = await run(["serve", "--port", "0", "--storage", "memory"], {
    ASSAY_TRUST_PROXY: "1.2.3.4/99",
  });
  expect(output).toMatch(/^assay: ASSAY_TRUST_PROXY: .*1\.2\.3\.4\/99.*\n$/);
  expect(code).toBe(2);
});

test("a port in use gives one line and exit code 1, and creates nothing", async () => {
  const server = createServer();
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const data = join(directory, "not-created");
  const { code, output } = await run(["serve", "--port", String(port), "--data", data]);
  server.close();
  expect(output).toBe(`assay: Port ${port} on 127.0.0.1 is in use; choose another one with --port\n`);
  expect(code).toBe(1);
  expect(existsSync(data)).toBe(false);
});

describe("a wrong setting is named before anything is opened", () => {
  let holder: Server;
  beforeAll(async () => {
    holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => void holder.close());

  test.each([
    [["--events", "mysql://host"], {}, "--events must be clickhouse://"],
    [["--rate-limit-store", "mysql://host"], {}, "--rate-limit-store must be redis://"],
    [["--roles", "api"], {}, "--roles needs a store that several servers can share"],
    [[], { ASSAY_SIGNUP: "NEVER" }, "ASSAY_SIGNUP must be"],
    [[], { ASSAY_EVENTS_DAYS: "0" }, "ASSAY_EVENTS_DAYS must be"],
    [[], { ASSAY_LANGUAGE_MODEL_URL: "http://host" }, "Set ASSAY_LANGUAGE_MODEL"],
  ])("%j %j, although the port is in use", async (words, environment, sentence) => {
    const { port } = holder.address() as AddressInfo;
    const { code, output } = await run(["serve", "--port", String(port), "--storage", "memory", ...words], environment);
    expect(output).toContain(`assay: ${sentence}`);
    expect(code).toBe(2);
  });
});

test("a start loads no client that its settings do not need", async () => {
  const printing = new URL("loaded-packages.fixture.mjs", import.meta.url).href;
  const { output } = await serve(["--storage", "memory"], { NODE_OPTIONS: `--import ${printing}` });
  const loaded = new Set(Array.from(output().matchAll(/^loaded (.+)$/gm), ([, name]) => name));
  expect([...loaded]).toEqual(expect.arrayContaining(["zod", "h3-v2"]));
  const clients = ["ioredis", "pg", "lmdb", "unstorage", "@clickhouse/client", "undici", "openid-client", "ofetch"];
  expect([...clients, "hyparquet-writer"].filter((name) => loaded.has(name))).toEqual([]);
});

test("a data directory that is not writable gives one line and exit code 1", async () => {
  const { code, output } = await run(["serve", "--port", "0", "--data", "/proc/self/status"]);
  expect(output).toMatch(/^assay: Cannot open lmdb:\/proc\/self\/status: LMDB needs a writable directory.*\n$/);
  expect(code).toBe(1);
});

test("a store that another live process holds gives one line and exit code 1", async () => {
  const storage = `fs:${join(directory, "held")}`;
  const holder = await serve(["--storage", storage]);
  const { code, output } = await run(["serve", "--port", "0", "--storage", storage]);
  expect(output).toMatch(new RegExp(`^assay: Cannot open fs:.*in use by process ${holder.child.pid} .*\n$`));
  expect(code).toBe(1);
});

test("an unknown command lists the known ones, and help describes them", async () => {
  expect(await run(["sevre"])).toEqual({
    code: 2,
    output:
      'assay: Unknown command "sevre": serve, relay, import, demo, audit, backup, restore, copy, check, repair, secrets, ' +
      "keys, init, profiles, doctor, flags, experiments, promote, pull, push, users, results, types, migrate, completion (assay --help)\n",
  });
  expect((await run(["serve", "--help"])).output).toContain("ASSAY_STORAGE");
  expect((await run(["flags", "--help"])).output).toContain("USAGE assay flags list|show|create|set|kill|stale");
  expect((await run(["flags", "kill", "--help"])).output).toContain("USAGE assay flags kill [OPTIONS] [KEY]");
  for (const words of [["--help"], ["help"]])
    expect((await run(words)).output).toContain("USAGE assay serve|relay|import|");
  expect((await run(["--version"])).output).toMatch(/^\d+\.\d+\.\d+\n$/);
});
