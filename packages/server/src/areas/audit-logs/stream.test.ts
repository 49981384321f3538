import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readEvents } from "../../event-reader.fixture.ts";
import { ADMIN, createTestServer, ORIGIN, PASSWORD, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(async () => {
  vi.useRealTimers();
  await server.assay.close();
});

async function tokenOf(username = ADMIN.username, password = ADMIN.password): Promise<string> {
  return (await server.send("POST", "/auth/login", { body: { username, password } })).json.access_token;
}

async function open(headers: Record<string, string> = {}, token?: string): Promise<Response> {
  const authorization = `Bearer ${token ?? (await tokenOf())}`;
  const request = new Request(`${ORIGIN}/api/v1/audit-logs/stream`, { headers: { authorization, ...headers } });
  return server.assay.fetch(request);
}

const createFlag = (key: string) => server.admin.request("POST /feature-flags/", { body: { key, name: key } });

test("sends every new entry to a reader, with its sequence as id", async () => {
  await createFlag("before");
  const response = await open();
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(response.headers.get("cache-control")).toBe("no-store, no-transform");
  const events = readEvents(response);
  const flag = await createFlag("after");
  const found = await untilAction(events, "feature_flag.create");
  expect(found).toMatchObject({ event: "audit", data: { resource_id: flag.id, resource_name: "after" } });
  expect(found.id).toBe(String(found.data.sequence));
  await events.cancel();
});

test("sends what a reader missed since its Last-Event-ID, in order", async () => {
  const events = readEvents(await open());
  await createFlag("f0");
  const first = await untilAction(events, "feature_flag.create");
  await events.cancel();
  for (let index = 1; index <= 250; index++) await createFlag(`f${index}`);
  const again = readEvents(await open({ "last-event-id": first.id! }));
  const names: unknown[] = [];
  while (names.length < 250) {
    const event = (await again.next())!;
    if (event.data.action === "feature_flag.create") names.push(event.data.resource_name);
  }
  expect(names).toEqual(Array.from({ length: 250 }, (_, index) => `f${index + 1}`));
  await again.cancel();
});

test.each(["nonsense", "-1", "99999999"])("ignores the invalid Last-Event-ID %s", async (id) => {
  const events = readEvents(await open({ "last-event-id": id }));
  await createFlag("now");
  expect(await untilAction(events, "feature_flag.create")).toMatchObject({ data: { resource_name: "now" } });
  await events.cancel();
});

test("sends a heartbeat every 15 seconds without entries", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const events = readEvents(await open());
  expect(await events.block()).toContain("retry:");
  await drain();
  vi.advanceTimersByTime(15_000);
  let block = await events.block();
  while (block?.startsWith("event") || block?.startsWith("id")) block = await events.block();
  expect(block).toBe(":");
  await events.cancel();
});

test("closes the stream of a reader that lost its rights at the next heartbeat", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { user, username } = await server.as("ANALYST");
  const events = readEvents(await open({}, await tokenOf(username, PASSWORD)));
  await server.admin.request("PATCH /admin/users/{user_id}", {
    params: { user_id: user.id },
    body: { role: "VIEWER" },
  });
  vi.advanceTimersByTime(15_000);
  while ((await events.block()) !== undefined);
});

test("allows streams for ANALYST and above, and ends them when the server closes", async () => {
  const { username } = await server.as("VIEWER");
  expect((await open({}, await tokenOf(username, PASSWORD))).status).toBe(403);
  expect((await server.send("GET", "/audit-logs/stream")).status).toBe(401);
  const events = readEvents(await open());
  await server.assay.close();
  while ((await events.block()) !== undefined);
  server = await createTestServer();
});

test("rejects more readers than the maximum with Retry-After", async () => {
  await server.assay.close();
  server = await createTestServer({ maxStreams: 2 });
  const [one, two] = [await open(), await open()];
  const three = await open();
  expect([three.status, three.headers.get("retry-after")]).toEqual([503, "30"]);
  await one.body!.cancel();
  expect((await open()).status).toBe(200);
  await two.body!.cancel();
});

test("450 of 500 readers that never read cost under 100 MB and get a gap, and the other 50 get every entry", async () => {
  const token = await tokenOf();
  const listener = createServer(server.assay.node);
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const flag = await createFlag("busy");
  const before = memory();
  const readers = await Promise.all(Array.from({ length: 50 }, () => readSocket(listener, token)));
  const stuck = await Promise.all(Array.from({ length: 450 }, () => stuckSocket(listener, token)));

  const changes = 1200;
  for (let index = 0; index < changes; index++) {
    const description = `${index} `.padEnd(4000, "x");
    await server.admin.request("PUT /feature-flags/{id}", { params: { id: flag.id }, body: { description } });
  }
  await expect.poll(() => Math.min(...readers.map(({ last }) => last()))).toBe(changes - 1);
  for (const { missed } of readers) expect(missed()).toBe(0);
  expect(memory() - before).toBeLessThan(100 * 1_048_576);

  // One reader resumes: it learns that it was too slow, and where to continue.
  const text = await restOf(stuck[0]!);
  expect(text).toContain('event: gap\ndata: {"last_event_id":"');
  for (const { socket } of readers) socket.destroy();
  for (const socket of stuck) socket.destroy();
  listener.closeAllConnections();
  await new Promise((resolve) => listener.close(resolve));
}, 60_000);

async function untilAction(events: ReturnType<typeof readEvents>, action: string) {
  for (;;) {
    const event = await events.next();
    if (!event) throw new Error("The stream has ended");
    if (event.data.action === action) return event;
  }
}

/** Waits until pending work in this process is done. */
async function drain(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
}

function memory(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function openSocket(listener: Server, token: string): Promise<Socket> {
  const { port } = listener.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  socket.write(`GET /api/v1/audit-logs/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  await new Promise((resolve) => socket.once("readable", resolve));
  return socket;
}

/** Opens a stream and never reads from it. */
async function stuckSocket(listener: Server, token: string): Promise<Socket> {
  const socket = await openSocket(listener, token);
  socket.on("error", () => {});
  return socket.pause();
}

/** Opens a stream and reads it. Counts the last change received, and how many are missing. */
async function readSocket(listener: Server, token: string) {
  const socket = await openSocket(listener, token);
  let [rest, last, missed] = ["", -1, 0];
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    const text = rest + chunk;
    const end = text.lastIndexOf("\n") + 1;
    rest = text.slice(end);
    for (const [, number] of text.slice(0, end).matchAll(/"new_value":\{"description":"(\d+) /g)) {
      if (Number(number) !== last + 1) missed++;
      last = Number(number);
    }
  });
  return { socket, last: () => last, missed: () => missed };
}

function restOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let tail = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      tail = (tail + chunk).slice(-10_000);
      if (tail.endsWith("0\r\n\r\n")) resolve(tail);
    });
    socket.on("close", () => resolve(tail));
    socket.resume();
  });
}
