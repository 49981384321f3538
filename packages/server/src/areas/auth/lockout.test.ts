import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestServer, ORIGIN, PASSWORD, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
  await server.as("VIEWER", "grace");
});
afterEach(() => server.assay.close());

/** Signs in from an address, as a socket would report it. */
async function login(ip: string, password: string, username = "grace") {
  const body = JSON.stringify({ username, password });
  const request = new Request(`${ORIGIN}/api/v1/auth/login`, {
    method: "POST",
    body,
    headers: { "content-type": "application/json" },
  });
  Object.defineProperty(request, "ip", { value: ip });
  const response = await server.assay.fetch(request);
  return { status: response.status, wait: Number(response.headers.get("retry-after")), text: await response.text() };
}

const statuses = async (count: number, attempt: () => Promise<{ status: number }>) => {
  const list = [];
  for (let index = 0; index < count; index++) list.push((await attempt()).status);
  return list;
};

test("five wrong passwords cause no delay, then the delay doubles with each", async () => {
  const guess = () => login("192.0.2.1", "wrong");
  expect(await statuses(5, guess)).toEqual([401, 401, 401, 401, 401]);
  expect(await guess()).toMatchObject({ status: 429, wait: 1 });
  for (const wait of [1, 2, 4, 8]) {
    expect(await login("192.0.2.1", PASSWORD)).toMatchObject({ status: 429, wait });
    server.advance(wait * 1000);
    expect((await guess()).status).toBe(401);
  }
});

test("the delay is at most 15 minutes", async () => {
  let longest = 0;
  for (let count = 0; count < 25; count++) {
    const { wait } = await login("192.0.2.1", "wrong");
    longest = Math.max(longest, wait);
    if (wait > 0) {
      server.advance(wait * 1000);
      await login("192.0.2.1", "wrong");
    }
  }
  expect(longest).toBe(900);
});

test("the right password works at once from another address, so that no user can lock out another", async () => {
  await statuses(20, () => login("192.0.2.1", "wrong"));
  expect((await login("192.0.2.2", PASSWORD)).status).toBe(200);
  expect((await login("192.0.2.1", PASSWORD)).status).toBe(429);
});

test("other accounts at the same address are not delayed", async () => {
  await server.as("VIEWER", "ada");
  await statuses(20, () => login("192.0.2.1", "wrong"));
  expect((await login("192.0.2.1", PASSWORD, "ada")).status).toBe(200);
});

test("username and e-mail count as one account", async () => {
  await statuses(3, () => login("192.0.2.1", "wrong"));
  await statuses(2, () => login("192.0.2.1", "wrong", "GRACE@example.org"));
  expect((await login("192.0.2.1", PASSWORD)).status).toBe(429);
});

test("an unknown username gets the same responses as a known one", async () => {
  const known = await statuses(7, () => login("192.0.2.1", "wrong"));
  expect(await statuses(7, () => login("192.0.2.1", "wrong", "nobody"))).toEqual(known);
  const [one, other] = [await login("192.0.2.3", "wrong"), await login("192.0.2.3", "wrong", "nobody")];
  expect(one).toEqual(other);
});

test("the right password, or an hour without attempts, resets the count", async () => {
  await statuses(4, () => login("192.0.2.1", "wrong"));
  expect((await login("192.0.2.1", PASSWORD)).status).toBe(200);
  expect(await statuses(5, () => login("192.0.2.1", "wrong"))).toEqual([401, 401, 401, 401, 401]);
  server.advance(60 * 60_000);
  expect(await statuses(5, () => login("192.0.2.1", "wrong"))).toEqual([401, 401, 401, 401, 401]);
});
