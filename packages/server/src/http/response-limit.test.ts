import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { createTestServer, ORIGIN, type TestServer } from "../testing.fixture.ts";
import { serializeWithin } from "./response-limit.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.assay.close());

/** Follows `Link: rel="next"` from the first page on. */
async function pages(path: string, headers: Record<string, string>) {
  const found: { size: number; json: unknown }[] = [];
  for (let next: string | undefined = path; next; ) {
    const response: Response = await server.assay.fetch(new Request(ORIGIN + next, { headers }));
    expect(response.status).toBe(200);
    const text = await response.text();
    found.push({ size: Buffer.byteLength(text), json: JSON.parse(text) });
    next = /^<([^>]+)>; rel="next"$/.exec(response.headers.get("link") ?? "")?.[1];
  }
  return found;
}

test("cuts lists over 10 MB to what fits, and links lead through all of them", async () => {
  const { key } = await server.withKey(["read", "admin"]);
  const headers = { "x-api-key": key };
  const description = "€".repeat(10_000);
  for (let index = 0; index < 400; index++) {
    const body = { key: `e${index}`, name: `E ${index}`, description };
    expect((await server.send("POST", "/experiments/", { headers, body })).status).toBe(201);
  }
  const found = await pages("/api/v1/experiments/?limit=500", headers);
  expect(found.length).toBe(2);
  for (const { size } of found) expect(size).toBeLessThanOrEqual(10 * 1_048_576);
  const keys = found.flatMap(({ json }) => (json as { items: { key: string }[] }).items.map((one) => one.key));
  expect(new Set(keys).size).toBe(400);
});

describe("page limits", () => {
  test.each([
    ["/feature-flags/", 500],
    ["/experiments/", 500],
    ["/users/", 100],
    ["/admin/users", 100],
  ])("%s accepts a limit from 1 to %d, and a skip from 0", async (path, maximum) => {
    const body = { username: "admin", password: "correct horse battery" };
    const { access_token } = (await server.send("POST", "/auth/login", { body })).json;
    const status = async (query: string) =>
      (await server.send("GET", `${path}?${query}`, { headers: { authorization: `Bearer ${access_token}` } })).status;
    expect(await status(`limit=${maximum}`)).toBe(200);
    for (const query of [`limit=${maximum + 1}`, "limit=0", "limit=-1", "limit=x", "skip=-1", "skip=1.5", "skip="]) {
      expect([query, await status(query)]).toEqual([query, 422]);
    }
  });
});

describe("a cut", () => {
  const url = new URL("http://assay.test/api/v1/things?filter=a%20b&page=3&page_size=10");
  const item = "x".repeat(98);
  const PARAMETERS = ["filter", "skip", "page", "page_size"];

  test("of numbered pages falls on a page boundary of another size, so that no item is lost", async () => {
    const value = { items: Array(10).fill(item), total: 100, page: 3, page_size: 10 };
    const { text, link } = await serializeWithin(undefined, value, url, PARAMETERS, { limit: 850 });
    expect(JSON.parse(text).items).toHaveLength(5);
    expect(link).toBe('</api/v1/things?filter=a+b&page=6&page_size=5>; rel="next"');
  });

  test("does not happen if everything fits exactly", async () => {
    const value = { items: Array(10).fill(item), total: 10, skip: 0, limit: 10 };
    const size = JSON.stringify(value).length + 1;
    expect(await serializeWithin(undefined, value, url, PARAMETERS, { limit: size })).toEqual({
      text: JSON.stringify(value),
    });
    expect((await serializeWithin(undefined, value, url, PARAMETERS, { limit: size - 1 })).link).toBeDefined();
  });

  test("is impossible without pages, which is a 422", async () => {
    const write = async (value: unknown, parameters: string[] | null, limit: number) =>
      serializeWithin(undefined, value, url, parameters, { limit });
    await expect(write(Array(10).fill(item), null, 500)).rejects.toThrow(/larger than/);
    await expect(write({ text: item }, PARAMETERS, 50)).rejects.toThrow(/larger than/);
    await expect(write(Array(10).fill(item), PARAMETERS, 50)).rejects.toThrow(/larger than/);
  });

  test("omits fields outside of the schema, in short and in long lists", async () => {
    const schema = z.object({ items: z.array(z.object({ a: z.int() })), total: z.int() });
    for (const count of [1, 10]) {
      const value = { items: Array.from({ length: count }, (_, a) => ({ a, secret: 1 })), total: count, secret: 1 };
      const { text } = await serializeWithin(schema, value, url, PARAMETERS);
      expect(JSON.parse(text)).toEqual({ items: Array.from({ length: count }, (_, a) => ({ a })), total: count });
    }
    const rows = Array.from({ length: 10 }, (_, a) => ({ a, secret: 1 }));
    const { text } = await serializeWithin(z.array(z.object({ a: z.int() })), rows, url, PARAMETERS);
    expect(JSON.parse(text)).toEqual(rows.map(({ a }) => ({ a })));
  });

  test("does not happen to an object with long lists, whose items also pass the schema", async () => {
    const schema = z.object({
      flags: z.array(z.object({ a: z.int() })),
      extra: z.array(z.int()).optional(),
      b: z.int(),
    });
    const value = {
      b: 1,
      flags: Array.from({ length: 100 }, (_, a) => ({ a, secret: 1 })),
      extra: undefined,
      secret: 1,
    };
    const { text } = await serializeWithin(schema, value, url, null);
    expect(text).toBe(JSON.stringify(schema.parse(value)));
    await expect(serializeWithin(schema, value, url, null, { limit: text.length - 1 })).rejects.toThrow(/larger than/);
    await expect(serializeWithin(schema, { ...value, flags: Array(100).fill({}) }, url, null)).rejects.toThrow();
  });
});
