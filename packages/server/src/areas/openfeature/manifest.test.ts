import { afterEach, beforeEach, expect, test } from "vitest";
import * as z from "zod";
import { createTestServer, ORIGIN, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.assay.close());

async function get(headers: Record<string, string>, path = "", method = "GET") {
  const response = await server.assay.fetch(
    new Request(`${ORIGIN}/openfeature/v0/manifest${path}`, { headers, method }),
  );
  return { status: response.status, headers: response.headers, json: await response.json() };
}

const create = (key: string, body: object) =>
  server.admin.request("POST /feature-flags/", { body: { key, name: `The ${key}`, ...body } });

test("contains the type and default of every flag, in the format of the OpenFeature CLI", async () => {
  const values = (...list: unknown[]) => ({ variants: list.map((value, index) => ({ key: `v${index}`, value })) });
  await create("switch", { description: "On or off" });
  await create("greeting", { ...values("hello", "hi"), default_value: "hello" });
  await create("limit", values(1, 2));
  await create("ratio", values(1, 2.5));
  await create("theme", values({ dark: true }));
  await create("old", { status: "ACTIVE" });
  await server.admin.request("PUT /feature-flags/{id}", { params: { id: "old" }, body: { status: "ARCHIVED" } });
  const { key } = await server.withKey(["read"]);
  const { status, headers, json } = await get({ authorization: `Bearer ${key}` });
  expect([status, headers.get("x-manifest-capabilities")]).toEqual([200, "read"]);
  const flag = (key: string, type: string, defaultValue: unknown, description = "") => ({
    key,
    name: `The ${key}`,
    description,
    type,
    defaultValue,
  });
  expect(json).toEqual({
    flags: [
      flag("greeting", "string", "hello"),
      flag("limit", "integer", 0),
      flag("ratio", "float", 0),
      flag("switch", "boolean", false, "On or off"),
      flag("theme", "object", {}),
    ],
  });
  expect((await get({ "x-api-key": key })).json).toEqual(json);
});

test("requires a SERVER key with the scope read", async () => {
  expect(await get({})).toMatchObject({ status: 401, json: { error: { message: "Not authenticated", status: 401 } } });
  const client = await server.withKey(["read"], { kind: "CLIENT" });
  expect((await get({ "x-api-key": client.key })).status).toBe(403);
  const writer = await server.withKey(["write"]);
  expect((await get({ "x-api-key": writer.key })).status).toBe(403);
});

/** The response schema of the OpenFeature CLI, `api/v0/sync.yaml`. */
const Answer = z.object({
  flags: z.array(
    z.object({
      key: z.string(),
      name: z.string().optional(),
      type: z.enum(["boolean", "string", "integer", "float", "object"]),
      description: z.string().nullish(),
      defaultValue: z.unknown(),
    }),
  ),
});

/** Returns the file schema of the OpenFeature CLI, `schema/v0/flag-manifest.json`. */
const typed = <T extends string>(flagType: T, defaultValue: z.ZodType) =>
  z.object({ flagType: z.literal(flagType), description: z.string().optional(), defaultValue });
const File = z.strictObject({
  flags: z.record(
    z.string().min(1),
    z.discriminatedUnion("flagType", [
      typed("boolean", z.boolean()),
      typed("string", z.string()),
      typed("integer", z.int()),
      typed("float", z.number()),
      // The CLI prompts for a missing default, except for objects.
      typed(
        "object",
        z.unknown().refine((value) => value !== undefined && value !== null),
      ),
    ]),
  ),
});

test("the OpenFeature CLI writes a valid manifest from it, for any values of flags", async () => {
  const values: Record<string, unknown[]> = {
    text: ["", "two\nlines", '"quoted"'],
    whole: [0, -1, Number.MAX_SAFE_INTEGER],
    fraction: [0.1, 1],
    huge: [1e21, 2 ** 53],
    object: [{}, { a: { b: [null] } }],
    list: [[], [1, "two"]],
    boolean: [true, false],
  };
  for (const [kind, list] of Object.entries(values)) {
    const variants = list.map((value, index) => ({ key: `v${index}`, value }));
    for (const [index, value] of list.entries()) await create(`${kind}-${index}`, { variants, default_value: value });
    await create(`${kind}-without`, { variants });
  }
  await create("plain", {});
  await create("constructor", {});
  const { key } = await server.withKey(["read"]);
  const { json } = await get({ authorization: `Bearer ${key}`, accept: "application/json" });
  const { flags } = Answer.parse(json);
  expect(flags).toHaveLength(Object.values(values).flat().length + Object.keys(values).length + 2);
  const members = flags.map(({ key: name, type, description, defaultValue }) => [
    name,
    { flagType: type, description: description ?? "", defaultValue },
  ]);
  File.parse({ flags: Object.fromEntries(members) });
  // No code in any language has an integer of that size.
  expect(flags.find(({ key: name }) => name === "huge-0")).toMatchObject({ type: "float", defaultValue: 1e21 });
});

test.each([
  ["POST", "/flags"],
  ["PUT", "/flags/plain"],
  ["DELETE", "/flags/plain"],
])("rejects %s %s, which pushes flags, in the format of the OpenFeature CLI", async (method, path) => {
  expect(await get({}, path, method)).toMatchObject({ status: 401, json: { error: { status: 401 } } });
  const { key } = await server.withKey(["read", "admin"]);
  const { status, headers, json } = await get({ authorization: `Bearer ${key}` }, path, method);
  expect([status, headers.get("x-manifest-capabilities")]).toEqual([403, "read"]);
  expect(json).toEqual({ error: { status: 403, message: expect.stringContaining("/api/v1/feature-flags") } });
});
