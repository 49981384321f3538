import { get } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listen } from "../listening.fixture.ts";
import { createTestServer, type TestServer } from "../testing.fixture.ts";

const END = encodeURIComponent("…");

let server: TestServer;
let http: Awaited<ReturnType<typeof listen>>;
let key: string;
beforeAll(async () => {
  server = await createTestServer();
  http = await listen(server.assay);
  key = (await server.withKey(["read", "write"])).key;
});
afterAll(async () => {
  await http.close();
  await server.assay.close();
});

/**
 * Sends a request over a real port. Node's clients reject an answer with more than 16 kB of headers or with invalid
 * characters.
 */
async function ignored(body: object): Promise<string | null> {
  const response = await fetch(`${http.url}/api/v1/feature-flags/nothing/evaluate`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify({ user_id: "ada", ...body }),
  });
  expect(response.status).toBe(404);
  return response.headers.get("x-assay-ignored-fields");
}

describe("a header names the unknown fields", () => {
  test("unchanged, if they are short", async () => {
    expect(await ignored({})).toBeNull();
    expect(await ignored({ one: 1, "two words": 2 })).toBe("one,two%20words");
    expect(await ignored({ ["x".repeat(100)]: 1 })).toBe("x".repeat(100));
  });

  test.each([
    ["a\r\nSet-Cookie: a=b\u0000\u007f", "a%0D%0ASet-Cookie%3A%20a%3Db%00%7F"],
    ["größe, 大😀", "gr%C3%B6%C3%9Fe%2C%20%E5%A4%A7%F0%9F%98%80"],
  ])("%j as %s", async (name, encoded) => {
    expect(await ignored({ [name]: 1 })).toBe(encoded);
  });

  test("cut if one is long, and never within a character", async () => {
    expect(await ignored({ ["x".repeat(101)]: 1, b: 2 })).toBe(`${"x".repeat(100)}${END},b`);
    expect(await ignored({ ["x".repeat(200_000)]: 1 })).toBe(`${"x".repeat(100)}${END}`);
    expect(await ignored({ [`${"x".repeat(99)}😀`]: 1 })).toBe(`${"x".repeat(99)}${END}`);
    expect(await ignored({ [`${"x".repeat(98)}😀`]: 1 })).toBe(`${"x".repeat(98)}%F0%9F%98%80`);
  });

  test("up to fifty of them, and up to 2,000 characters", async () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`field-${n}`, n]));
    expect((await ignored(many(50)))!.split(",")).toEqual(Object.keys(many(50)));
    expect((await ignored(many(51)))!.split(",")).toEqual([...Object.keys(many(50)), END]);
    const wide = Object.fromEntries(Array.from({ length: 49 }, (_, n) => [`${n}${"大".repeat(90)}`, n]));
    const header = (await ignored(wide))!;
    expect(header.length).toBeLessThanOrEqual(2_000);
    expect(header.split(",")).toEqual([...Object.keys(wide).slice(0, 2).map(encodeURIComponent), END]);
  });
});

describe("links to the next page", () => {
  test("keep what the route reads of the query, and nothing else that was sent", async () => {
    const admin = { "x-api-key": (await server.withKey(["read", "admin"])).key };
    const description = "€".repeat(10_000);
    for (let index = 0; index < 360; index++) {
      const body = { key: `e${index}`, name: `E ${index}`, description };
      expect((await server.send("POST", "/experiments/", { headers: admin, body })).status).toBe(201);
    }
    const query = `limit=500&status_filter=DRAFT&${"limit=500&".repeat(400)}other=${"'".repeat(9_000)}`;
    const { status, link } = await new Promise<{ status?: number; link?: unknown }>((resolve, reject) => {
      // Not through URL, which writes each quote as three characters. The link has them, too.
      const path = `/api/v1/experiments/?${query}`;
      get({ port: new URL(http.url).port, path, headers: admin }, (answer) => {
        answer.resume();
        resolve({ status: answer.statusCode, link: answer.headers.link });
      }).on("error", reject);
    });
    expect(status).toBe(200);
    expect(link).toMatch(/^<\/api\/v1\/experiments\/\?limit=500&status_filter=DRAFT&skip=\d+>; rel="next"$/);
  });
});
