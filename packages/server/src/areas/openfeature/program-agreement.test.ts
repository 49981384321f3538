import { PROGRAM_MEDIA_TYPE, Program } from "@assay/contract";
import { createEngine, createProgramEngine, type Definitions, type EvaluationResult, parseProgram } from "@assay/core";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../../testing.fixture.ts";
import { anyDefinitions, CONTEXTS, EXPERIMENT_KEYS, FLAG_KEYS, USERS } from "./definitions.fixture.ts";

let server: TestServer;
const keys: Record<"SERVER" | "CLIENT", string> = { SERVER: "", CLIENT: "" };
beforeAll(async () => {
  server = await createTestServer();
  for (const kind of ["SERVER", "CLIENT"] as const) keys[kind] = (await server.withKey(["read"], { kind })).key;
  for (const key of FLAG_KEYS) {
    await server.admin.request("POST /feature-flags/", { body: { key, name: key, client_side: true } });
  }
});
afterAll(() => server.assay.close());

const read = async (kind: "SERVER" | "CLIENT", accept: string) => {
  const answer = await server.send("GET", "/openfeature/flags", { headers: { "x-api-key": keys[kind], accept } });
  expect(answer.status).toBe(200);
  return answer.text;
};

const questions = FLAG_KEYS.flatMap((flagKey) => CONTEXTS.map((context) => ({ flagKey, context })));

/** Asks the server every question. */
async function askServer(kind: "SERVER" | "CLIENT"): Promise<unknown[]> {
  const body = questions.map(({ flagKey, context: { targetingKey, ...attributes } }) => ({
    flagKey,
    ...(targetingKey === undefined ? {} : { userId: targetingKey }),
    attributes,
  }));
  const headers = { "x-api-key": keys[kind] };
  return (await server.send("POST", "/openfeature/bulk-evaluate", { headers, body })).json;
}

const toAnswer = (flagKey: string, { value, variant, reason, error_code, error_message }: EvaluationResult) => ({
  value,
  variant,
  reason,
  flagKey,
  ...(error_code ? { errorCode: error_code, errorMessage: error_message } : {}),
});

/** Installs definitions, and expects the same answers from the server, from local evaluation and from programs. */
async function expectAgreement(definitions: Definitions): Promise<void> {
  server.replaceDefinitions(definitions);
  const whole = createEngine(definitions, { now: server.now });
  for (const kind of ["SERVER", "CLIENT"] as const) {
    const answers = await askServer(kind);
    const text = await read(kind, PROGRAM_MEDIA_TYPE);
    // The program contains only fields of the contract.
    expect(Program.parse(JSON.parse(text))).toEqual(JSON.parse(text));
    const served = createEngine(JSON.parse(await read(kind, "application/json")), { now: server.now });
    const small = createProgramEngine(parseProgram(text), { now: server.now });
    for (const [index, { flagKey, context }] of questions.entries()) {
      const expected = whole.evaluate(flagKey, context, null);
      expect(small.evaluate(flagKey, context, null)).toEqual(expected);
      expect(served.evaluate(flagKey, context, null)).toEqual(expected);
      expect(answers[index]).toEqual(toAnswer(flagKey, expected));
    }
    for (const { targetingKey = "", ...attributes } of CONTEXTS) {
      for (const key of EXPERIMENT_KEYS) {
        const ask = ({ assign }: Pick<typeof small, "assign">) => assign(key, targetingKey, attributes);
        expect(ask(small)).toEqual(ask(served));
        if (kind === "SERVER") expect(ask(small)).toEqual(ask(whole));
      }
    }
    if (kind === "CLIENT") expect(USERS.filter((user) => text.includes(`"${user}"`))).toEqual([]);
  }
}

test("a program evaluates any definitions like the server, and names no user to a CLIENT key", async () => {
  await fc.assert(fc.asyncProperty(anyDefinitions, expectAgreement), { numRuns: 150 });
});

test("a program reports an invalid flag, and the other flags work", async () => {
  const plain = { enabled: true, rollout_percentage: 100, variants: [], rules: [] };
  const [bad, good, dependent] = FLAG_KEYS;
  await expectAgreement({
    schema_version: 1,
    flags: [
      { ...plain, key: bad, default_value: true, targeting_rules: { time_rules: { timezone: "Mars/Base" } } },
      { ...plain, key: good },
      { ...plain, key: dependent, prerequisites: [{ flag_key: bad }] },
    ],
    segments: [],
    groups: [],
    holdout: null,
    experiments: [],
  });
  const { flags } = parseProgram(await read("SERVER", PROGRAM_MEDIA_TYPE));
  expect(flags.map(({ error }) => error)).toEqual([expect.stringContaining("Mars/Base"), undefined, undefined]);
  const answers = (await askServer("SERVER")) as { flagKey: string; value: unknown; errorCode?: string }[];
  const of = (flagKey: string) => answers.find((answer) => answer.flagKey === flagKey);
  expect(of(bad)).toMatchObject({ value: true, reason: "ERROR", errorCode: "PARSE_ERROR" });
  expect(of(good)).toMatchObject({ value: true, reason: "STATIC" });
  expect(of(dependent)).toMatchObject({ value: false, reason: "PREREQUISITE_FAILED" });
});
