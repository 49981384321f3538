import { PROGRAM_MEDIA_TYPE, Program } from "@assay/contract";
import { createProgramEngine, PROGRAM_VERSION, type Program as Served, toProgram } from "@assay/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
let serverKey: string;
let clientKey: string;
beforeEach(async () => {
  server = await createTestServer({ cors: { origins: ["https://shop.example"] } });
  ({ key: serverKey } = await server.withKey(["read"]));
  ({ key: clientKey } = await server.withKey(["read"], { kind: "CLIENT" }));
  await create("shown", {
    client_side: true,
    rollout_percentage: 40,
    targeting_rules: { excluded_users: ["person-1", "person-2"], countries: ["DE"] },
  });
  await create("hidden", { rules: [] });
});
afterEach(() => server.assay.close());

const create = (flag: string, body: object = {}) =>
  server.admin.request("POST /feature-flags/", { body: { key: flag, name: flag, status: "ACTIVE", ...body } });
const change = (id: string, rollout_percentage: number) =>
  server.admin.request("PUT /feature-flags/{id}", { params: { id }, body: { rollout_percentage } });

const read = (key: string, headers: Record<string, string> = {}) =>
  server.send("GET", "/openfeature/flags", { headers: { "x-api-key": key, ...headers } });
const readProgram = async (key: string, headers: Record<string, string> = {}) => {
  const answer = await read(key, { accept: PROGRAM_MEDIA_TYPE, ...headers });
  return { ...answer, json: answer.json as Served };
};
const etagOf = async (answer: ReturnType<typeof read>) => (await answer).headers.get("etag")!;

test("a SERVER key that accepts the program gets all definitions, lowered", async () => {
  const { status, headers, json } = await readProgram(serverKey);
  expect([status, headers.get("content-type")]).toEqual([200, PROGRAM_MEDIA_TYPE]);
  expect(json.program_version).toBe(PROGRAM_VERSION);
  expect(json.flags.map(({ key }) => key)).toEqual(["shown", "hidden"]);
  expect(json).toEqual(JSON.parse(JSON.stringify(toProgram(server.assay.engine.definitions))));
  expect(Program.parse(json)).toEqual(json);
});

test("a CLIENT key gets a program with client-side flags only, without user ids", async () => {
  const { json, text } = await readProgram(clientKey);
  expect(json.flags.map(({ key }) => key)).toEqual(["shown"]);
  expect(text).not.toMatch(/hidden|person-/);
  const definitions = (await read(clientKey)).json;
  expect(json).toEqual(JSON.parse(JSON.stringify(toProgram(definitions))));
  const engine = createProgramEngine(json);
  for (let index = 0; index < 50; index++) {
    const context = { targetingKey: `person-${index}`, country: "DE" };
    expect(engine.evaluate("shown", context, null)).toEqual(server.assay.engine.evaluate("shown", context, null));
  }
});

test("rejects users, keys without the scope and anonymous callers the same way for every format", async () => {
  const { json } = await server.send("POST", "/auth/login", {
    body: { username: "admin", password: "correct horse battery" },
  });
  const { key } = await server.withKey(["write"]);
  const callers: Record<string, string>[] = [
    {},
    { authorization: `Bearer ${json.access_token}` },
    { "x-api-key": key },
    { "x-api-key": "asy_none" },
  ];
  for (const headers of callers) {
    const plain = await server.send("GET", "/openfeature/flags", { headers });
    const explicit = await server.send("GET", "/openfeature/flags", {
      headers: { ...headers, accept: PROGRAM_MEDIA_TYPE },
    });
    expect([401, 403]).toContain(plain.status);
    expect([explicit.status, explicit.json]).toEqual([plain.status, plain.json]);
    expect(explicit.headers.get("content-type")).toBe("application/json; charset=utf-8");
  }
});

test("any other Accept header gets the definitions, byte for byte", async () => {
  const plain = await read(serverKey);
  for (const accept of ["*/*", "application/json", "application/*", `${PROGRAM_MEDIA_TYPE};q=0`, "text/html", ""]) {
    const answer = await read(serverKey, { accept });
    expect([answer.status, answer.text]).toEqual([200, plain.text]);
    for (const name of ["content-type", "etag", "cache-control", "vary"]) {
      expect(answer.headers.get(name)).toBe(plain.headers.get(name));
    }
  }
  const weighed = await read(serverKey, { accept: `${PROGRAM_MEDIA_TYPE}, application/json;q=0.5` });
  expect(weighed.headers.get("content-type")).toBe(PROGRAM_MEDIA_TYPE);
});

test("caches separate both formats, also for pages of other origins", async () => {
  for (const accept of ["*/*", PROGRAM_MEDIA_TYPE]) {
    for (const more of [{}, { origin: "https://shop.example" }] as Record<string, string>[]) {
      const answer = await read(clientKey, { accept, ...more });
      expect(answer.headers.get("vary")).toBe("Authorization, X-API-Key, Origin, Accept");
      expect(answer.headers.get("cache-control")).toBe("private, max-age=3600");
    }
  }
});

test.each(["SERVER", "CLIENT"])(
  "the ETag of a program for a %s key starts with the version of its definitions",
  async (kind) => {
    const key = kind === "SERVER" ? serverKey : clientKey;
    const version = (await etagOf(read(key))).slice(1, -1);
    const etag = await etagOf(readProgram(key));
    expect(etag).toMatch(/^W\/"[\w-]{22}\.[\w-]{8}"$/);
    expect(etag.slice(3, -1).split(".")[0]).toBe(version);
    for (const match of [etag, etag.slice(2), `"other", ${etag}`, "*"]) {
      const { status, text, headers } = await readProgram(key, { "if-none-match": match });
      expect([status, text, headers.get("etag")]).toEqual([304, "", etag]);
      expect(headers.get("vary")).toContain("Accept");
    }
    await change("shown", 50);
    const { status, headers } = await readProgram(key, { "if-none-match": etag });
    expect(status).toBe(200);
    expect(headers.get("etag")).not.toBe(etag);
  },
);

test("the ETag of one format never gives a 304 for the other", async () => {
  for (const key of [serverKey, clientKey]) {
    const [definitions, program] = [await etagOf(read(key)), await etagOf(readProgram(key))];
    for (const match of [definitions, `W/${definitions}`]) {
      expect((await readProgram(key, { "if-none-match": match })).status).toBe(200);
      expect((await read(key, { "if-none-match": match })).status).toBe(304);
    }
    for (const match of [program, program.slice(2)]) {
      expect((await read(key, { "if-none-match": match })).status).toBe(200);
    }
  }
});

test("the program of a CLIENT key does not change with hidden definitions", async () => {
  const etag = await etagOf(readProgram(clientKey));
  await change("hidden", 10);
  expect((await readProgram(clientKey, { "if-none-match": etag })).status).toBe(304);
});

test("streams announce the version of the next program, and accept the whole ETag", async () => {
  const listen = (id: string) =>
    server.assay.fetch(
      new Request("http://assay.test/api/v1/openfeature/stream", {
        headers: { "x-api-key": clientKey, "last-event-id": id },
      }),
    );
  const stream = (await listen((await etagOf(readProgram(clientKey))).slice(3, -1))).body!.getReader();
  await change("shown", 60);
  const decoder = new TextDecoder();
  let heard = "";
  while (!heard.includes("data:")) heard += decoder.decode((await stream.read()).value, { stream: true });
  await stream.cancel();
  // The reader missed nothing, so the first event is the change.
  expect(heard).not.toContain("refetch");
  const announced = /^id: ?(.*)$/m.exec(heard.slice(heard.indexOf("event:")))![1];
  expect((await etagOf(readProgram(clientKey))).slice(3, -1).split(".")[0]).toBe(announced);
});

test("a program that is too large is a 422, until it is small enough", async () => {
  const before = server.assay.engine.definitions;
  const [flag] = before.flags;
  server.replaceDefinitions({ ...before, flags: [{ ...flag!, default_value: "x".repeat(10 * 1_048_576) }] });
  for (let attempt = 0; attempt < 2; attempt++) {
    const { status, headers, text } = await readProgram(serverKey);
    expect([status, headers.get("content-type")]).toEqual([422, "application/json; charset=utf-8"]);
    expect(text).toContain("too_large");
  }
  server.replaceDefinitions(before);
  expect((await readProgram(serverKey)).status).toBe(200);
});
