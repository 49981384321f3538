import { createEngine, type FlagDefinition, toProgram } from "@assay/core";
import { describe, expect, test, vi } from "vitest";
import { ask, toDefinitions, toFlag } from "./definitions.fixture.ts";
import { createFlagHandler, type FlagBehaviour, OptionError } from "./index.ts";

const colours = [
  { key: "red", weight: 50, value: "#f00" },
  { key: "blue", weight: 50, value: "#00f" },
];
const FLAGS = [
  toFlag("plain", { version: 3 }),
  toFlag("colour", { value_type: "STRING", variants: colours }),
  toFlag("off", { enabled: false }),
  toFlag("german", { targeting_rules: { countries: ["DE"] } }),
  toFlag("nothing", { value_type: "STRING", variants: colours, rollout_percentage: 0 }),
  toFlag("a/b ✓"),
];
const program = toProgram(toDefinitions({ flags: FLAGS }));
/** The server's answers, which the handlers have to match. */
const engine = createEngine(toDefinitions({ flags: FLAGS }));

function handlerFor(options: Partial<FlagBehaviour> = {}, flags: FlagDefinition[] = FLAGS) {
  return createFlagHandler({ program: toProgram(toDefinitions({ flags })), flags: "all", ...options });
}

async function evaluate(path: string, body: unknown, headers: Record<string, string> = {}, handler = handlerFor()) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await handler(ask(`/ofrep/v1/evaluate/flags${path}`, headers, { method: "POST", body: text }));
  const answer = await response!.text();
  return { status: response!.status, headers: response!.headers, body: answer === "" ? undefined : JSON.parse(answer) };
}

const context = { targetingKey: "ada", country: "FR" };

describe("one flag", () => {
  test("is answered as the protocol has it, with the evaluator's own reason beside", async () => {
    expect(await evaluate("/plain", { context })).toMatchObject({
      status: 200,
      body: {
        key: "plain",
        value: true,
        variant: "on",
        reason: "STATIC",
        metadata: { evaluationReason: "STATIC", version: 3 },
      },
    });
    const { value, variant } = engine.evaluate("colour", context, null);
    expect((await evaluate("/colour", { context })).body).toMatchObject({ value, variant, reason: "SPLIT" });
    expect((await evaluate("/german", { context })).body).toEqual({
      key: "german",
      value: false,
      reason: "UNKNOWN",
      metadata: { evaluationReason: "DEFAULT" },
    });
    expect((await evaluate("/a%2Fb%20%E2%9C%93", { context })).body).toMatchObject({ key: "a/b ✓", value: true });
  });

  test("takes a targeting key of null for none", async () => {
    expect(await evaluate("/plain", { context: { targetingKey: null } })).toMatchObject({ status: 200 });
    expect(await evaluate("/colour", { context: { targetingKey: null } })).toMatchObject({
      body: { errorCode: "TARGETING_KEY_MISSING" },
    });
  });

  test("has no value where the caller's default holds", async () => {
    expect((await evaluate("/off", { context })).body).toEqual({
      key: "off",
      reason: "DISABLED",
      defaultValue: false,
      metadata: { evaluationReason: "DISABLED" },
    });
    expect((await evaluate("/nothing", { context })).body).not.toHaveProperty("value");
  });

  test("that is not there is a 404, one without a user where it draws a 400", async () => {
    expect(await evaluate("/nope", { context })).toMatchObject({
      status: 404,
      body: { key: "nope", errorCode: "FLAG_NOT_FOUND" },
    });
    expect(await evaluate("/colour", { context: {} })).toMatchObject({
      status: 400,
      body: { key: "colour", errorCode: "TARGETING_KEY_MISSING" },
    });
    expect((await evaluate("/%FF", { context })).status).toBe(404);
  });

  test.each([
    ["{", 400, "PARSE_ERROR"],
    ["", 400, "PARSE_ERROR"],
    ["null", 400, "INVALID_CONTEXT"],
    ["{}", 400, "INVALID_CONTEXT"],
    ['{"context":[]}', 400, "INVALID_CONTEXT"],
    ['{"context":{"targetingKey":5}}', 400, "INVALID_CONTEXT"],
    [" ".repeat(1_048_577), 413, "GENERAL"],
  ])("cannot be asked for with a wrong body", async (text, status, errorCode) => {
    expect(await evaluate("/plain", text)).toMatchObject({ status, body: { key: "plain", errorCode } });
  });
});

describe("all flags", () => {
  test("are answered in order, each as alone", async () => {
    const { body } = await evaluate("", { context });
    for (const [index, { key }] of FLAGS.entries()) {
      expect(body.flags[index]).toEqual((await evaluate(`/${encodeURIComponent(key)}`, { context })).body);
    }
  });

  test("are not sent again to those who have them, until an answer changes", async () => {
    const first = await evaluate("", { context });
    const known = { "if-none-match": `"x", W/${first.headers.get("etag")}` };
    expect(await evaluate("", { context }, known)).toMatchObject({ status: 304, body: undefined });
    expect((await evaluate("", { context: { ...context, country: "DE" } }, known)).status).toBe(200);
  });

  test("are asked for with a slash at the end as well", async () => {
    expect((await evaluate("/", { context })).body).toEqual((await evaluate("", { context })).body);
  });
});

test("flags that are not listed are not there", async () => {
  const handler = handlerFor({ flags: ["plain"] });
  expect((await evaluate("", { context }, {}, handler)).body.flags).toHaveLength(1);
  const hidden = await evaluate("/colour", { context }, {}, handler);
  const absent = await evaluate("/nope", { context }, {}, handler);
  expect(hidden).toMatchObject({ status: 404, body: { errorCode: "FLAG_NOT_FOUND" } });
  expect(JSON.stringify(hidden.body).replaceAll("colour", "nope")).toBe(JSON.stringify(absent.body));
});

test("what is known at the edge goes before what the body says; the user is whom the body names, else the request", async () => {
  const handler = handlerFor({
    userId: { header: "x-user" },
    attributes: (request) => ({ country: request.headers.get("x-country") }),
  });
  const german = await evaluate("/german", { context }, { "x-country": "DE" }, handler);
  expect(german.body).toMatchObject({ value: true });
  const { variant } = engine.evaluate("colour", { targetingKey: "grace" }, null);
  expect((await evaluate("/colour", { context: {} }, { "x-user": "grace" }, handler)).body).toMatchObject({ variant });
  const named = { context: { targetingKey: "grace" } };
  expect((await evaluate("/colour", named, { "x-user": "ada" }, handler)).body).toMatchObject({ variant });
});

test("other paths are not the handler's; other methods are refused", async () => {
  const handler = handlerFor({ path: "/flags/" });
  for (const path of ["/", "/ofrep/v1/evaluate/flags", "/flags", "/flags/evaluate/flagship"]) {
    expect(await handler(ask(path, {}, { method: "POST" }))).toBeUndefined();
  }
  const response = await handler(ask("/flags/evaluate/flags/plain"));
  expect([response?.status, response?.headers.get("allow")]).toEqual([405, "POST"]);
});

test("evaluate answers for whoever sent the request, the default where there is nothing better", async () => {
  const handler = handlerFor({ flags: [], userId: { header: "x-user" } });
  const request = ask("/", { "x-user": "ada" });
  expect(await handler.evaluate(request, "colour", "none")).toEqual(
    engine.evaluate("colour", { targetingKey: "ada" }, "none"),
  );
  expect(await handler.evaluate(request, "nope", "none")).toMatchObject({ value: "none", reason: "DEFAULT" });
});

test("a function of the options that throws is told; nobody sees more than that something went wrong", async () => {
  const onError = vi.fn();
  const attributes = () => {
    throw new Error("secret");
  };
  const handler = handlerFor({ attributes, onError });
  const { status, body } = await evaluate("/plain", { context }, {}, handler);
  expect([status, body]).toEqual([500, { errorDetails: "Internal error" }]);
  expect(await handler.evaluate(ask("/"), "plain", false)).toMatchObject({ value: true });
  expect(onError.mock.calls).toEqual([[new Error("secret")], [new Error("secret")]]);
});

test("flags have to be listed, so that none is shown by mistake", () => {
  for (const options of [{}, { flags: "plain" }, { flags: [7] }, { flags: "all", path: "x" }]) {
    expect(() => createFlagHandler({ program, ...options } as never)).toThrow(OptionError);
  }
});

test("an option that is not of its kind is an error at once", () => {
  const wrong = [{ attributes: "country" }, { onError: 7 }, { overrides: {} }, { source: undefined }, { program: {} }];
  for (const options of wrong) {
    const create = () => createFlagHandler({ program, flags: "all", ...options } as never);
    expect(create).toThrow(expect.objectContaining({ name: "OptionError", option: Object.keys(options)[0] }));
  }
});
