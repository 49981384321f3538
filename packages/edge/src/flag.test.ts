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

describe("an OFREP request for one flag", () => {
  test("returns what OFREP specifies, and the reason of the evaluator in the metadata", async () => {
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

  test("treats a null targeting key as missing", async () => {
    expect(await evaluate("/plain", { context: { targetingKey: null } })).toMatchObject({ status: 200 });
    expect(await evaluate("/colour", { context: { targetingKey: null } })).toMatchObject({
      body: { errorCode: "TARGETING_KEY_MISSING" },
    });
  });

  test("returns no value if the caller's default applies", async () => {
    expect((await evaluate("/off", { context })).body).toEqual({
      key: "off",
      reason: "DISABLED",
      defaultValue: false,
      metadata: { evaluationReason: "DISABLED" },
    });
    expect((await evaluate("/nothing", { context })).body).not.toHaveProperty("value");
  });

  test("returns 404 for a missing flag, and 400 for a flag that needs the missing targeting key", async () => {
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
  ])("with the invalid body %.40j returns %i %s", async (text, status, errorCode) => {
    expect(await evaluate("/plain", text)).toMatchObject({ status, body: { key: "plain", errorCode } });
  });
});

describe("an OFREP request for all flags", () => {
  test("returns the flags in order, each as in a request for one flag", async () => {
    const { body } = await evaluate("", { context });
    for (const [index, { key }] of FLAGS.entries()) {
      expect(body.flags[index]).toEqual((await evaluate(`/${encodeURIComponent(key)}`, { context })).body);
    }
  });

  test("returns 304 for the same ETag until a result changes", async () => {
    const first = await evaluate("", { context });
    const conditional = { "if-none-match": `"x", W/${first.headers.get("etag")}` };
    expect(await evaluate("", { context }, conditional)).toMatchObject({ status: 304, body: undefined });
    expect((await evaluate("", { context: { ...context, country: "DE" } }, conditional)).status).toBe(200);
  });

  test("may end in a slash", async () => {
    expect((await evaluate("/", { context })).body).toEqual((await evaluate("", { context })).body);
  });
});

test("flags outside the flags option are answered like missing flags", async () => {
  const handler = handlerFor({ flags: ["plain"] });
  expect((await evaluate("", { context }, {}, handler)).body.flags).toHaveLength(1);
  const hidden = await evaluate("/colour", { context }, {}, handler);
  const absent = await evaluate("/nope", { context }, {}, handler);
  expect(hidden).toMatchObject({ status: 404, body: { errorCode: "FLAG_NOT_FOUND" } });
  expect(JSON.stringify(hidden.body).replaceAll("colour", "nope")).toBe(JSON.stringify(absent.body));
});

test("attributes of the edge have priority over those of the body; the user id of the body has priority over that of the request", async () => {
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

test("the flag handler does not handle other paths, and answers other methods with 405", async () => {
  const handler = handlerFor({ path: "/flags/" });
  for (const path of ["/", "/ofrep/v1/evaluate/flags", "/flags", "/flags/evaluate/flagship"]) {
    expect(await handler(ask(path, {}, { method: "POST" }))).toBeUndefined();
  }
  const response = await handler(ask("/flags/evaluate/flags/plain"));
  expect([response?.status, response?.headers.get("allow")]).toEqual([405, "POST"]);
});

test("evaluate() uses the user id of the request, and returns the default for a missing flag", async () => {
  const handler = handlerFor({ flags: [], userId: { header: "x-user" } });
  const request = ask("/", { "x-user": "ada" });
  expect(await handler.evaluate(request, "colour", "none")).toEqual(
    engine.evaluate("colour", { targetingKey: "ada" }, "none"),
  );
  expect(await handler.evaluate(request, "nope", "none")).toMatchObject({ value: "none", reason: "DEFAULT" });
});

test("an error of a function in the options is passed to onError; the response only says Internal error", async () => {
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

test("createFlagHandler throws OptionError without a valid list of flags", () => {
  for (const options of [{}, { flags: "plain" }, { flags: [7] }, { flags: "all", path: "x" }]) {
    expect(() => createFlagHandler({ program, ...options } as never)).toThrow(OptionError);
  }
});

test("createFlagHandler throws OptionError for an option of the wrong type, and names the option", () => {
  const wrong = [{ attributes: "country" }, { onError: 7 }, { overrides: {} }, { source: undefined }, { program: {} }];
  for (const options of wrong) {
    const create = () => createFlagHandler({ program, flags: "all", ...options } as never);
    expect(create).toThrow(expect.objectContaining({ name: "OptionError", option: Object.keys(options)[0] }));
  }
});
