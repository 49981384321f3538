import type { FeatureFlagCreate, FeatureFlagUpdate } from "@assay/client";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestServer, ORIGIN, refusal, type TestServer } from "../../testing.fixture.ts";
import { createProtectedServer } from "../proposals/proposals.fixture.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.assay.close());

const SCHEMA = {
  type: "object",
  properties: { colour: { type: "string" }, size: { type: "integer" } },
  required: ["colour"],
  additionalProperties: false,
};
const VARIANTS = [
  { key: "red", weight: 50, value: { colour: "red" } },
  { key: "blue", weight: 50, value: { colour: "blue", size: 2 } },
];
const THEME: FeatureFlagCreate = {
  key: "theme",
  name: "Theme",
  status: "ACTIVE",
  variants: VARIANTS,
  default_value: { colour: "white" },
  value_schema: SCHEMA,
};

type Client = Pick<TestServer["admin"], "request">;
const create = (body: object = {}, client: Client = server.admin) =>
  client.request("POST /feature-flags/", { body: { ...THEME, ...body } });
const update = (body: FeatureFlagUpdate, client: Client = server.admin) =>
  client.request("PUT /feature-flags/{id}", { params: { id: "theme" }, body });
const issue = (path: string, msg: string) => ({
  loc: ["body", ...path.split(".")].map(toIndex),
  msg,
  type: "value_error",
});
const toIndex = (part: string) => (/^\d+$/.test(part) ? Number(part) : part);

test("a flag has the schema of its values until null clears it", async () => {
  expect(await create()).toMatchObject({ value_type: "OBJECT", value_schema: SCHEMA });
  const wider = { ...SCHEMA, properties: { ...SCHEMA.properties, note: { type: "string" } } };
  expect(await update({ value_schema: wider })).toMatchObject({ value_schema: wider });
  expect(await update({ name: "Colours" })).toMatchObject({ name: "Colours", value_schema: wider });
  expect(await update({ value_schema: null })).toMatchObject({ value_schema: null });
  expect(await update({ default_value: { anything: 1 } })).toMatchObject({ default_value: { anything: 1 } });
  expect(await create({ key: "free", value_schema: undefined })).toMatchObject({ value_schema: null });
});

test("each part of a value that does not match is named with its path", async () => {
  const value = { colour: 5, sizes: 2 };
  const expected = {
    status: 422,
    issues: [
      issue("variants.1.value.colour", "Must be a string"),
      issue("variants.1.value.sizes", 'Unknown property; known are "colour", "size"'),
      issue("default_value.colour", "Field required"),
    ],
  };
  const wrong = { variants: [VARIANTS[0]!, { ...VARIANTS[1]!, value }], default_value: {} };
  expect(await refusal(create(wrong))).toMatchObject(expected);
  await create();
  expect(await refusal(update(wrong))).toMatchObject(expected);
  const draft = { ...THEME, ...wrong };
  const explanation = server.admin.request("POST /feature-flags/explain", { body: { user_id: "ada", draft } });
  expect(await refusal(explanation)).toMatchObject({
    status: 422,
    issues: expected.issues.map(({ loc: [body, ...path], ...rest }) => ({ ...rest, loc: [body, "draft", ...path] })),
  });
});

test("a flag without a default value has none to check", async () => {
  expect(await create({ default_value: null })).toMatchObject({ default_value: null, value_schema: SCHEMA });
});

test("a new schema checks the values that the flag has", async () => {
  await create({ value_schema: null });
  const strict = { ...SCHEMA, required: ["colour", "size"] };
  expect(await refusal(update({ value_schema: strict }))).toMatchObject({
    status: 422,
    issues: [issue("variants.0.value.size", "Field required"), issue("default_value.size", "Field required")],
  });
  const variants = VARIANTS.map((variant) => ({ ...variant, value: { colour: "red", size: 1 } }));
  const fitting = { value_schema: strict, variants, default_value: { colour: "white", size: 0 } };
  expect(await update(fitting)).toMatchObject({ value_schema: strict, version: 2 });
});

test("only a flag of type OBJECT has a schema", async () => {
  const refused = { status: 422, issues: [issue("value_schema", "Only for flags of type OBJECT")] };
  expect(await refusal(create({ variants: [], default_value: undefined }))).toMatchObject(refused);
  const text = { variants: [{ key: "only", value: "red" }], default_value: "white" };
  expect(await refusal(create(text))).toMatchObject(refused);
  await create({ ...text, value_schema: undefined });
  expect(await refusal(update({ value_schema: SCHEMA }))).toMatchObject(refused);
});

test.each<[string, unknown, string, string]>([
  ["that is not an object", true, "value_schema", "Expected a JSON Schema, which is an object"],
  ["with a misspelt keyword", { propertes: {} }, "value_schema.propertes", 'Unknown keyword "propertes"'],
  [
    "with a wrong type",
    { items: { type: "text" } },
    "value_schema.items.type",
    "Expected one of string, number, integer, boolean, object, array, null, or a list of them",
  ],
  [
    "that refers elsewhere",
    { $ref: "https://example.com/a" },
    "value_schema.$ref",
    "Expected a reference within this schema, such as #/$defs/name",
  ],
  [
    "that only leads back to itself",
    { $ref: "#" },
    "value_schema.$ref",
    "Leads back to itself, or through more than 50 schemas of the same value",
  ],
  [
    "that is too long",
    { description: "x".repeat(50_000) },
    "value_schema",
    "A schema has at most 50000 characters as JSON",
  ],
])("refuses a schema %s", async (_, value_schema, path, msg) => {
  const { status, issues } = await refusal(create({ value_schema }));
  expect({ status, issues }).toEqual({ status: 422, issues: [{ ...issue(path, msg), type: expect.any(String) }] });
});

test("neither patterns nor alternatives of a schema hold the server up", async () => {
  const value = (text: string) => ({ variants: [{ key: "only", value: { text } }], default_value: null });
  const slow = { properties: { text: { pattern: "^(a+)+$" } } };
  expect(await refusal(create({ value_schema: slow, ...value(`${"a".repeat(4_000)}!`) }))).toMatchObject({
    issues: [issue("variants.0.value.text", "Must match the pattern ^(a+)+$")],
  });
  const level = (at: number) => ({ anyOf: [{ $ref: `#/$defs/l${at}` }, { allOf: [{ $ref: `#/$defs/l${at}` }] }] });
  const levels = Array.from({ length: 16 }, (_, at) => [`l${at}`, at < 15 ? level(at + 1) : { type: "null" }]);
  const wide = { $ref: "#/$defs/l0", $defs: Object.fromEntries(levels) };
  expect(await refusal(create({ value_schema: wide, ...value("") }))).toMatchObject({
    issues: [issue("variants.0.value", "The check takes too long; simplify the schema or the value")],
  });
});

test("whoever may change a flag may change its schema, and all who see the flag read it", async () => {
  const [owner, other] = [await server.as("DEVELOPER"), await server.as("DEVELOPER")];
  await create({}, owner);
  expect(await update({ value_schema: null }, owner)).toMatchObject({ value_schema: null });
  for (const client of [
    other,
    await server.as("ANALYST"),
    await server.as("VIEWER"),
    await server.withKey(["write"]),
  ]) {
    expect(await refusal(update({ value_schema: SCHEMA }, client))).toMatchObject({ status: 403 });
  }
  for (const client of [server.admin, await server.withKey(["admin"])]) {
    expect(await update({ value_schema: SCHEMA }, client)).toMatchObject({ value_schema: SCHEMA });
  }
  for (const client of [other, await server.as("VIEWER"), await server.withKey(["read"])]) {
    const flag = await client.request("GET /feature-flags/{id}", { params: { id: "theme" } });
    expect(flag.value_schema).toEqual(SCHEMA);
  }
});

test("the trail and the history hold each schema, and an earlier one can be restored", async () => {
  await create();
  await update({ value_schema: { ...SCHEMA, required: [] } });
  const { items } = await server.admin.request("GET /feature-flags/{id}/history", {
    params: { id: "theme" },
    query: {},
  });
  expect(items[0]).toMatchObject({
    old_value: { value_schema: SCHEMA },
    diff: [{ path: "/value_schema/required", op: "REPLACE", old_value: ["colour"], new_value: [] }],
  });
  const restored = items[0]!.old_value as FeatureFlagUpdate;
  expect(await update(restored)).toMatchObject({ value_schema: SCHEMA });
});

test("no SDK gets the schema; the manifest of types has it", async () => {
  await create();
  await create({ key: "free", value_schema: undefined });
  const { key } = await server.withKey(["read"]);
  const read = async (path: string, headers = {}) =>
    (await server.assay.fetch(new Request(ORIGIN + path, { headers: { "x-api-key": key, ...headers } }))).text();
  const program = { accept: "application/vnd.assay.program+json" };
  for (const served of [await read("/api/v1/openfeature/flags"), await read("/api/v1/openfeature/flags", program)]) {
    expect(served).toContain("white");
    expect(served).not.toMatch(/schema"|required|additionalProperties/);
  }
  const { flags } = JSON.parse(await read("/openfeature/v0/manifest"));
  expect(flags).toMatchObject([{ key: "free" }, { key: "theme", valueSchema: SCHEMA }]);
  expect(flags[0]).not.toHaveProperty("valueSchema");
});

test("a proposal is checked against the schema when it is made, and is void once the schema has changed", async () => {
  const environment = await createProtectedServer();
  const { dora, eva, admin, propose, approve } = environment;
  const made = await propose(dora, "POST /feature-flags/", { body: THEME });
  await approve(eva, made);
  const at = { params: { id: "theme" } };
  expect(await refusal(propose(dora, "PUT /feature-flags/{id}", { ...at, body: { default_value: {} } }))).toMatchObject(
    {
      status: 422,
      issues: [issue("default_value.colour", "Field required")],
    },
  );
  const later = await propose(dora, "PUT /feature-flags/{id}", { ...at, body: { default_value: { colour: "grey" } } });
  const tighter = { ...SCHEMA, properties: { ...SCHEMA.properties, colour: { enum: ["red", "blue", "white"] } } };
  await approve(eva, await propose(dora, "PUT /feature-flags/{id}", { ...at, body: { value_schema: tighter } }));
  expect(await refusal(approve(eva, later))).toMatchObject({ status: 409 });
  expect(await admin.request("GET /feature-flags/{id}", at)).toMatchObject({ default_value: { colour: "white" } });
  await environment.close();
});

test("the server stores exactly the values that match", async () => {
  const part = fc.oneof(fc.constantFrom("red", "", 5, null, true, 1.5, [], {}), fc.integer());
  const values = fc.dictionary(fc.constantFrom("colour", "size", "note"), part, { maxKeys: 3 });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(values, async (drawn) => {
      const value = JSON.parse(JSON.stringify(drawn)) as Record<string, unknown>;
      const { colour, size = 0, ...more } = value;
      const matches = typeof colour === "string" && Number.isInteger(size) && Object.keys(more).length === 0;
      const body = { key: `flag-${++count}`, variants: [{ key: "only", value }], default_value: null };
      const outcome = await create(body).then(
        ({ variants }) => variants[0]!.value,
        ({ status }) => status,
      );
      expect(outcome).toEqual(matches ? value : 422);
    }),
    { numRuns: 60 },
  );
});
