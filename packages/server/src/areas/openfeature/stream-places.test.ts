import { afterEach, expect, test } from "vitest";
import { createTestServer, ORIGIN, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
afterEach(() => server.assay.close());

const start = async (options: object) => {
  server = await createTestServer({ trustProxy: 1, ...options });
};
const keyOf = async (kind: "CLIENT" | "SERVER") => (await server.withKey(["read"], { kind })).key;

function open(path: string, key: string | undefined, ip: string | undefined): Promise<Response> {
  const headers = { ...(key && { "x-api-key": key }), ...(ip && { "x-forwarded-for": ip }) };
  return server.assay.fetch(new Request(`${ORIGIN}${path}`, { headers }));
}
const stream = (key: string, ip?: string) => open("/api/v1/openfeature/stream", key, ip);
const statuses = async (responses: Promise<Response>[]) => (await Promise.all(responses)).map(({ status }) => status);
const refusalOf = async (response: Response) => ({
  status: response.status,
  retryAfter: response.headers.get("retry-after"),
  detail: response.ok ? null : (await response.json()).detail,
});
const refused = (detail: string) => ({ status: 429, retryAfter: "30", detail });
const INSTEAD = "Close a stream, or fetch the flags without one.";

test("CLIENT keys leave a fifth of the places to SERVER keys", async () => {
  await start({ maxStreams: 10, clientStreams: { perKey: 10, perAddress: 10 } });
  const [first, second] = [await keyOf("CLIENT"), await keyOf("CLIENT")];
  expect(await statuses([1, 2, 3, 4].flatMap(() => [stream(first), stream(second)]))).toEqual(Array(8).fill(200));
  for (const key of [first, second]) {
    expect(await refusalOf(await stream(key))).toEqual(
      refused(`All CLIENT keys together can have 8 streams open. ${INSTEAD}`),
    );
  }
  const trusted = await keyOf("SERVER");
  expect(await statuses([stream(trusted), stream(trusted)])).toEqual([200, 200]);
  expect((await refusalOf(await stream(trusted))).status).toBe(503);
});

test("a CLIENT key leaves half of the places to others", async () => {
  await start({ maxStreams: 10, clientStreams: { perAddress: 10 } });
  const [busy, other] = [await keyOf("CLIENT"), await keyOf("CLIENT")];
  expect(await statuses([1, 2, 3, 4, 5].map(() => stream(busy)))).toEqual(Array(5).fill(200));
  expect(await refusalOf(await stream(busy))).toEqual(refused(`This CLIENT key can have 5 streams open. ${INSTEAD}`));
  expect(await statuses([1, 2, 3].map(() => stream(other)))).toEqual([200, 200, 200]);
});

test("an address, or an IPv6 network, has a hundredth of the places with CLIENT keys", async () => {
  await start({ maxStreams: 200 });
  const [first, second] = [await keyOf("CLIENT"), await keyOf("CLIENT")];
  for (const [here, alsoHere, elsewhere] of [
    ["192.0.2.1", "192.0.2.1", "192.0.2.2"],
    ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"],
  ]) {
    expect(await statuses([stream(first, here), stream(second, alsoHere)])).toEqual([200, 200]);
    expect(await refusalOf(await stream(first, alsoHere))).toEqual(
      refused(`Your client address can have 2 streams open. ${INSTEAD}`),
    );
    expect((await stream(first, elsewhere)).status).toBe(200);
    const trusted = await keyOf("SERVER");
    expect(await statuses([1, 2, 3].map(() => stream(trusted, here)))).toEqual([200, 200, 200]);
  }
});

test("clients of a host that passes no addresses share none", async () => {
  await start({ maxStreams: 100 });
  const key = await keyOf("CLIENT");
  expect(await statuses([stream(key), stream(key), stream(key)])).toEqual([200, 200, 200]);
});

test("streams of OFREP count, and closing a stream frees its place", async () => {
  await start({ maxStreams: 10, clientStreams: { perKey: 1, perAddress: 1 } });
  const key = await keyOf("CLIENT");
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify({ context: { targetingKey: "ada" } }) };
  const bulk = await server.assay.fetch(new Request(`${ORIGIN}/ofrep/v1/evaluate/flags`, init));
  const [{ endpoint }] = (await bulk.json()).eventStreams;
  for (let round = 0; round < 3; round++) {
    const first = await open(endpoint.requestUri, undefined, "192.0.2.1");
    expect([first.status, (await stream(key, "192.0.2.2")).status]).toEqual([200, 429]);
    await first.body!.cancel();
    const second = await stream(key, "192.0.2.1");
    const late = await open(endpoint.requestUri, undefined, "192.0.2.2");
    expect([second.status, late.status]).toEqual([200, 429]);
    expect(await late.json()).toEqual({ errorDetails: `This CLIENT key can have 1 stream open. ${INSTEAD}` });
    await second.body!.cancel();
  }
});

test("CLIENT keys take no places of the audit stream", async () => {
  await start({ maxStreams: 1 });
  expect((await stream(await keyOf("CLIENT"))).status).toBe(200);
  const { access_token } = await server.anonymous.request("POST /auth/login", {
    body: { username: "admin", password: "correct horse battery" },
  });
  const headers = { authorization: `Bearer ${access_token}` };
  const audit = await server.assay.fetch(new Request(`${ORIGIN}/api/v1/audit-logs/stream`, { headers }));
  expect(audit.status).toBe(200);
});

test("rejects limits that no stream fits", async () => {
  await start({});
  for (const perKey of [0, Number.NaN]) {
    await expect(createTestServer({ clientStreams: { perKey } })).rejects.toThrow(
      "clientStreams.perKey must be at least 1",
    );
  }
});
