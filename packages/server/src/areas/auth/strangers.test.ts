import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sendFrom } from "../../http/request.fixture.ts";
import type { Mail } from "../../mail/mailer.ts";
import { sharedStore } from "../../storage/shared-store.fixture.ts";
import { createTestServer, PASSWORD, type TestServer } from "../../testing.fixture.ts";

const MINUTE = 60_000;
let server: TestServer;
let mails: Mail[];
beforeEach(async () => {
  mails = [];
  server = await createTestServer({
    mailer: {
      async send(mail) {
        mails.push(mail);
      },
    },
  });
  await server.as("VIEWER", "grace");
});
afterEach(() => server.assay.close());

const post = async (ip: string, path: string, body: object, to = server) => {
  const headers = { "content-type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  const response = await sendFrom(to, ip, `/api/v1/auth/${path}`, init);
  return { status: response.status, text: await response.text() };
};
const forgot = (ip = "192.0.2.9") => post(ip, "forgot-password", { username: "grace" });
const reset = (ip: string, reset_code: string) =>
  post(ip, "reset-password", { username: "grace", reset_code, new_password: "a-new-password" });
const login = (ip: string, password: string) => post(ip, "login", { username: "grace", password });

async function newestCode(count: number): Promise<string> {
  await vi.waitFor(() => expect(mails).toHaveLength(count));
  return /[A-Z2-9]{4}-[A-Z2-9]{4}/.exec(mails[count - 1]!.text)![0];
}

/** Requests codes, and waits until `count` mails are sent. {@link noMore} checks at the end that no other followed. */
async function request(times: number, count: number): Promise<void> {
  for (let time = 0; time < times; time++) expect(await forgot()).toMatchObject({ status: 202 });
  await vi.waitFor(() => expect(mails.length).toBeGreaterThanOrEqual(count));
  expect(mails).toHaveLength(count);
}

/** Closes the server, which sends all waiting mails, and checks their number. */
async function noMore(count: number): Promise<void> {
  await server.assay.close();
  expect(mails).toHaveLength(count);
}

describe("wrong codes", () => {
  test("of strangers do not block the owner, however many networks they come from", async () => {
    await forgot();
    const code = await newestCode(1);
    for (let network = 1; network <= 4; network++) {
      for (let time = 0; time < 6; time++) expect((await reset(`198.51.100.${network}`, "AAAA-AAAA")).status).toBe(400);
    }
    expect((await reset("192.0.2.1", code)).status).toBe(200);
    expect((await login("192.0.2.1", "a-new-password")).status).toBe(200);
  });

  test("block their own network for this code, an IPv6 network of 64 bits as a whole, and a new code is free", async () => {
    await forgot();
    const code = await newestCode(1);
    for (let host = 1; host <= 5; host++) await reset(`2001:db8:1:2::${host}`, "AAAA-AAAA");
    expect((await reset("2001:db8:1:2:ffff::1", code)).status).toBe(400);
    await forgot();
    const second = await newestCode(2);
    expect((await reset("2001:db8:1:2:ffff::1", second)).status).toBe(200);
  });

  test("leave an entry with the address they came from, not as the server", async () => {
    await forgot("203.0.113.5");
    const code = await newestCode(1);
    await reset("203.0.113.7", "AAAA-AAAA");
    await reset("203.0.113.8", code);
    const entryOf = async (action: string) => {
      const { items } = await server.admin.request("GET /audit-logs", { query: { action } });
      expect(items).toHaveLength(1);
      return items[0]!;
    };
    const { id } = (await server.admin.request("GET /admin/users")).items[1]!;
    expect(await entryOf("code.send")).toMatchObject({ actor_type: "USER", actor_id: null, ip: "203.0.113.5" });
    expect(await entryOf("code.try")).toMatchObject({
      actor_type: "USER",
      actor_id: null,
      ip: "203.0.113.7",
      resource_name: "RESET",
      new_value: { user_id: id },
    });
    expect(await entryOf("code.use")).toMatchObject({ actor_type: "USER", actor_id: id, ip: "203.0.113.8" });
  });
});

describe("mails to an account", () => {
  test("are at most two at once and five per hour, with the same response, and the last code stays valid", async () => {
    await request(30, 2);
    for (let count = 3; count <= 5; count++) {
      server.advance(15 * MINUTE);
      await request(30, count);
    }
    server.advance(14 * MINUTE);
    await request(3, 5);
    expect((await reset("192.0.2.1", await newestCode(5))).status).toBe(200);
    await noMore(5);
  });

  test("go on an hour after the first, one at a time", async () => {
    await request(2, 2);
    server.advance(60 * MINUTE - 1);
    await request(2, 3);
    server.advance(15 * MINUTE - 1);
    await request(2, 3);
    server.advance(1);
    await request(2, 4);
    await noMore(4);
  });

  test("are two at once again an hour after the one before the last", async () => {
    await request(1, 1);
    server.advance(50 * MINUTE);
    await request(1, 2);
    server.advance(10 * MINUTE - 1);
    await request(1, 2);
    server.advance(1);
    await request(1, 3);
    await noMore(3);
  });

  test("about sign-ups with its address are limited too, and do not use up those with codes", async () => {
    const body = { email: "grace@example.org", password: PASSWORD };
    for (let time = 0; time < 10; time++) await post("192.0.2.9", "signup", { ...body, username: `other-${time}` });
    await request(1, 3);
    await noMore(3);
    expect(mails.map(({ subject }) => subject).sort()).toEqual(["Set a new password", "Your sign-up", "Your sign-up"]);
  });
});

test("wrong passwords from one IPv6 network of 64 bits count as one client, and other networks are free", async () => {
  for (let host = 1; host <= 5; host++) expect((await login(`2001:db8:1:2::${host}`, "wrong")).status).toBe(401);
  expect((await login("2001:db8:1:2:ffff::1", PASSWORD)).status).toBe(429);
  expect((await login("2001:db8:1:3::1", PASSWORD)).status).toBe(200);
});

describe("two servers on one store", () => {
  const mailer = {
    async send(mail: Mail) {
      mails.push(mail);
    },
  };
  let other: TestServer;
  /** Sends requests to the servers in turn. */
  const inTurn = (time: number) => (time % 2 === 0 ? server : other);
  beforeEach(async () => {
    await server.assay.close();
    const storage = sharedStore();
    server = await createTestServer({ storage, mailer });
    await server.as("VIEWER", "grace");
    other = await createTestServer({ storage, mailer });
  });
  afterEach(() => other.assay.close());

  test("give a network five tries of a code together", async () => {
    await forgot();
    const code = await newestCode(1);
    const tryCode = (reset_code: string, to: TestServer) =>
      post("192.0.2.1", "reset-password", { username: "grace", reset_code, new_password: "a-new-password" }, to);
    // Servers follow each other's changes in order: one that has this flag has the code too.
    await server.admin.request("POST /feature-flags/", { body: { key: "later", name: "Later" } });
    await vi.waitFor(async () => expect(await other.admin.request("GET /feature-flags/")).toHaveLength(1));
    for (let time = 0; time < 5; time++) await tryCode("AAAA-AAAA", inTurn(time));
    expect((await tryCode(code, server)).status).toBe(400);
    expect((await tryCode(code, other)).status).toBe(400);
    expect((await reset("192.0.2.2", code)).status).toBe(200);
  });

  test("delay a network after five wrong passwords together, also after a restart", async () => {
    const signIn = (password: string, to: TestServer) =>
      post("192.0.2.1", "login", { username: "grace", password }, to);
    for (let time = 0; time < 5; time++) expect((await signIn("wrong", inTurn(time))).status).toBe(401);
    expect((await signIn(PASSWORD, server)).status).toBe(429);
    expect((await signIn(PASSWORD, other)).status).toBe(429);
    expect((await login("192.0.2.2", PASSWORD)).status).toBe(200);
    // The right password ends the delay on both.
    server.advance(1000);
    other.advance(1000);
    expect((await signIn(PASSWORD, other)).status).toBe(200);
    for (let time = 0; time < 5; time++) expect((await signIn("wrong", server)).status).toBe(401);
  });

  test("send two mails to an address at once together", async () => {
    for (let time = 0; time < 10; time++) {
      expect(await post("192.0.2.9", "forgot-password", { username: "grace" }, inTurn(time))).toMatchObject({
        status: 202,
      });
    }
    await other.assay.close();
    await noMore(2);
  });
});
