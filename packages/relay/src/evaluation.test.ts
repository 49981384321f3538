import { once } from "node:events";
import { Agent, type ClientRequest, type IncomingMessage, request } from "node:http";
import { PROGRAM_MEDIA_TYPE } from "@assay/contract";
import { createProgramEngine, parseProgram } from "@assay/core";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningRelay, startUpstream, type Upstream } from "./relay.fixture.ts";

let upstream: Upstream;
let relay: RunningRelay;

const FLAGS = ["plain", "split", "ruled", "off", "listed", "needs", "hidden", "object", "by-country", "deferred"];
const USERS = [
  undefined,
  "",
  "ada",
  "bob",
  "person-1",
  "person-2",
  "x".repeat(1024),
  "x".repeat(1025),
  "😀".repeat(1024),
  7,
];
const API = "/api/v1";

beforeAll(async () => {
  upstream = await startUpstream();
  const shown = { client_side: true };
  const arms = [
    { key: "a", weight: 30, value: "A" },
    { key: "b", weight: 70, value: "B" },
  ];
  await upstream.admin.request("POST /segments", { body: { name: "staff", user_ids: ["ada", "person-2"] } });
  await upstream.create("plain", shown);
  await upstream.create("split", { ...shown, rollout_percentage: 50, metadata: { team: "checkout" } });
  const when = { attribute: "country", operator: "IN", value: ["DE", "FR"] };
  await upstream.create("ruled", { ...shown, variants: arms, rules: [{ id: "r", when, serve: { variant: "b" } }] });
  await upstream.create("off", { ...shown, status: "INACTIVE", variants: arms, default_value: "none" });
  await upstream.create("listed", { ...shown, targeting_rules: { included_users: ["bob"], user_segments: ["staff"] } });
  await upstream.create("hidden", { rollout_percentage: 60 });
  await upstream.create("needs", { ...shown, prerequisites: [{ flag_key: "hidden", value: true }] });
  await upstream.create("object", { ...shown, variants: [{ key: "only", value: { deep: [1, null] } }] });
  await upstream.create("by-country", { ...shown, bucket_by: "country", rollout_percentage: 40 });
  await upstream.create("deferred", { ...shown, variants: arms, rollout_percentage: 0 });
  relay = await upstream.relay();
});
afterAll(() => upstream.close());

const flagKey = fc.constantFrom(...FLAGS, "missing", "__proto__", "constructor");
const user = fc.constantFrom(...USERS);
const attributes = fc.record(
  { country: fc.constantFrom("DE", "US", 3, null), plan: fc.string({ maxLength: 5 }) },
  { requiredKeys: [] },
);
const question = fc.record({ flagKey, user, attributes });
type Question = { flagKey: string; user: unknown; attributes: object };

/** Asks the relay and its upstream the same. */
async function both(path: string, key: string, body: unknown) {
  const [given, expected] = await Promise.all([relay.send(path, key, body), upstream.send(path, key, body)]);
  return {
    given: { status: given.status, json: given.json },
    expected: { status: expected.status, json: expected.json },
  };
}

/** The stream of a server is not that of a relay, which has none for OFREP. */
const withoutStream = ({ status, json }: { status: number; json: object }) => {
  const { eventStreams: _, ...rest } = json as { eventStreams?: unknown };
  return { status, json: rest };
};

test.each(["SERVER", "CLIENT"] as const)("answers every %s key as its upstream does", async (kind) => {
  const key = kind === "SERVER" ? upstream.serverKey : upstream.clientKey;
  const property = async ({ flagKey, user, attributes }: Question) => {
    const evaluated = await both(`${API}/openfeature/evaluate`, key, { flagKey, userId: user, attributes });
    const flag = await both(`${API}/feature-flags/${flagKey}/evaluate?explain=true`, key, {
      user_id: user,
      attributes,
    });
    const context = { ...attributes, targetingKey: user };
    const single = await both(`/ofrep/v1/evaluate/flags/${flagKey}`, key, { context });
    const all = await both(`${API}/ofrep/v1/evaluate/flags`, key, { context });
    for (const { given, expected } of [evaluated, flag]) {
      expect(given.status).toBe(expected.status);
      // The texts of validation errors may differ, their places do not.
      if (expected.status !== 422) expect(given.json).toEqual(expected.json);
      else expect(given.json.detail[0].loc).toEqual(expected.json.detail[0].loc);
    }
    expect(single.given).toEqual(single.expected);
    expect(withoutStream(all.given)).toEqual(withoutStream(all.expected));
  };
  await fc.assert(fc.asyncProperty(question, property), { numRuns: 60 });
});

test("answers a list of questions in their order", async () => {
  const body = FLAGS.map((flagKey) => ({ flagKey, userId: "ada" }));
  const { given, expected } = await both(`${API}/openfeature/bulk-evaluate`, upstream.serverKey, body);
  expect(given).toEqual(expected);
  const many = Array.from({ length: 1001 }, () => body[0]);
  expect((await relay.send(`${API}/openfeature/bulk-evaluate`, upstream.serverKey, many)).status).toBe(422);
});

test("hides a flag from CLIENT keys that they receive only as a prerequisite", async () => {
  const evaluate = (key: string) => relay.send(`${API}/feature-flags/hidden/evaluate`, key, { user_id: "ada" });
  expect((await evaluate(upstream.serverKey)).status).toBe(200);
  expect((await evaluate(upstream.clientKey)).status).toBe(404);
  const all = await relay.send("/ofrep/v1/evaluate/flags", upstream.clientKey, { context: { targetingKey: "ada" } });
  const keys = all.json.flags.map(({ key }: { key: string }) => key);
  expect(keys).toContain("needs");
  expect(keys).not.toContain("hidden");
});

test("a flag that is taken from CLIENT keys disappears for them", async () => {
  await upstream.create("taken", { client_side: true });
  const statusOf = async (key: string) => {
    return (await relay.send(`${API}/feature-flags/taken/evaluate`, key, { user_id: "ada" })).status;
  };
  await expect.poll(() => statusOf(upstream.clientKey)).toBe(200);
  await upstream.update("taken", { client_side: false });
  await expect.poll(() => statusOf(upstream.clientKey)).toBe(404);
  expect(await statusOf(upstream.serverKey)).toBe(200);
});

test("serves the definitions and versions of its upstream, and programs of them", async () => {
  for (const key of [upstream.serverKey, upstream.clientKey]) {
    const [given, expected] = await Promise.all([
      relay.send(`${API}/openfeature/flags`, key),
      upstream.send(`${API}/openfeature/flags`, key),
    ]);
    expect(given.json).toEqual(expected.json);
    const etag = given.headers.get("etag")!;
    expect(etag).toBe(expected.headers.get("etag"));
    const again = await relay.send(`${API}/openfeature/flags`, key, undefined, { "if-none-match": `W/${etag}` });
    expect(again.status).toBe(304);
    const program = await relay.send(`${API}/openfeature/flags`, key, undefined, { accept: PROGRAM_MEDIA_TYPE });
    expect(program.headers.get("content-type")).toBe(PROGRAM_MEDIA_TYPE);
    expect(program.headers.get("etag")).toContain(etag.slice(1, -1));
    const engine = createProgramEngine(parseProgram(program.json));
    for (const targetingKey of ["ada", "bob", "person-1"]) {
      const { json } = await upstream.send(`${API}/openfeature/evaluate`, key, {
        flagKey: "split",
        userId: targetingKey,
      });
      expect(engine.evaluate("split", { targetingKey }, null).value).toEqual(json.value);
    }
  }
});

test("a bulk evaluation has an ETag of its values", async () => {
  const ask = (targetingKey: string, etag = "") =>
    relay.send(
      "/ofrep/v1/evaluate/flags",
      upstream.clientKey,
      { context: { targetingKey } },
      { "if-none-match": etag },
    );
  const etag = (await ask("ada")).headers.get("etag")!;
  expect((await ask("ada", etag)).status).toBe(304);
  expect((await ask("x".repeat(1024), etag)).status).toBe(200);
});

test("answers a body beyond the limit before its end, and keeps the connection open", async () => {
  const agent = new Agent({ keepAlive: true });
  const ask = (length: number) =>
    request(`${relay.url}${API}/openfeature/evaluate`, {
      agent,
      method: "POST",
      headers: { "x-api-key": upstream.serverKey, "content-type": "application/json", "content-length": length },
    });
  const statusOf = async (sent: ClientRequest) => {
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  const large = ask(8_000_000);
  large.write(" ".repeat(2_000_000));
  expect(await statusOf(large)).toBe(413);
  large.end(" ".repeat(6_000_000));
  await once(large, "close");
  const next = ask(2).end("{}");
  expect([await statusOf(next), next.reusedSocket]).toEqual([422, true]);
  agent.destroy();
});

test.each(["declared", "chunked"])(
  "reads a %s body of exactly the limit, and answers one byte more with 413",
  async (how) => {
    const headers = { "x-api-key": upstream.serverKey, "content-type": "application/json" };
    const statusOf = async (length: number) => {
      const text = '{"flagKey":"plain"}'.padStart(length);
      const body = how === "chunked" ? new Blob([text]).stream() : text;
      const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
      return (await fetch(`${relay.url}${API}/openfeature/evaluate`, init)).status;
    };
    expect(await Promise.all([1_048_576, 1_048_577].map(statusOf))).toEqual([200, 413]);
  },
);

test("refuses bodies that are none, in the forms of the API and of OFREP", async () => {
  const path = `${API}/openfeature/evaluate`;
  const key = upstream.serverKey;
  expect((await relay.send(path, key, "{")).status).toBe(400);
  expect((await relay.send(path, key, '{"flagKey":"plain"}', { "content-type": "text/plain" })).status).toBe(415);
  expect((await relay.send(path, key, "{}", { "content-encoding": "gzip" })).status).toBe(415);
  expect((await relay.send(path, key, JSON.stringify({ flagKey: "x".repeat(1_100_000) }))).status).toBe(413);
  const deep = `{"flagKey":"plain","attributes":{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}}`;
  expect((await relay.send(path, key, deep)).status).toBeLessThan(500);
  const ofrep = await relay.send("/ofrep/v1/evaluate/flags/plain", key, "[]");
  expect(ofrep).toMatchObject({ status: 400, json: { key: "plain", errorCode: "PARSE_ERROR" } });
  const elsewhere = await relay.send(`${API}/experiments/`, key);
  expect(elsewhere).toMatchObject({
    status: 404,
    json: { detail: expect.stringContaining("send the request to its") },
  });
  expect(elsewhere.headers.get("x-content-type-options")).toBe("nosniff");
});
