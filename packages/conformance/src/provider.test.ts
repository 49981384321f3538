import type { JsonValue } from "@assay/core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type AssayServer, startServer } from "./server.fixture.ts";
import { type Connection, type FlagType, SUBJECTS, type Subject } from "./subject.fixture.ts";

/**
 * A provider with a real server meets these requirements of the draft of Appendix F of the specification. The README
 * lists them.
 */
const HIT = "a user whom the rule names";
const TEMPLATE = { title: "A title", pictures: true, perPage: 100, tags: ["a", { b: null }] };
const FALLBACKS = { Boolean: true, String: "fallback", Number: 7, Object: { fallback: true } } as const;

let server: AssayServer;
let subject: Subject | undefined;
let changing = 0;

/** Returns a flag that serves everyone the first of its values, and the request that creates it. */
const flag = (key: string, values: Record<string, JsonValue>, rest: object = {}) => ({
  key,
  name: key,
  status: "ACTIVE" as const,
  client_side: true,
  variants: Object.entries(values).map(([name, value], index) => ({ key: name, value, weight: index === 0 ? 1 : 0 })),
  ...rest,
});
const off = { status: "INACTIVE" as const };

const FLAGS = [
  flag("boolean", { on: true, off: false }),
  flag("string", { greeting: "hi", parting: "bye" }),
  flag("integer", { ten: 10, one: 1 }),
  flag("float", { half: 0.5, tenth: 0.1 }),
  flag("object", { template: TEMPLATE, empty: {} }),
  flag("list", { some: [1, "two", null], none: [] }),
  flag("false", { zero: false, other: true }),
  flag("zero", { zero: 0, other: 1 }),
  flag("nothing", { zero: "", other: "text" }),
  flag("empty", { zero: {}, other: { a: 1 } }),
  flag("int32", { largest: 2 ** 31 - 1, one: 1 }),
  flag("int53", { largest: Number.MAX_SAFE_INTEGER, one: 1 }),
  flag("off-boolean", { on: true, off: false }, off),
  flag("off-string", { greeting: "hi" }, off),
  flag("off-number", { ten: 10 }, off),
  flag("off-object", { template: TEMPLATE }, off),
  flag("off-with-default", { greeting: "hi" }, { ...off, default_value: "closed" }),
  flag("undecided", { hit: "hit" }, { targeting_rules: { user_attributes: { user_id: [HIT] } } }),
  flag(
    "ruled",
    { on: true },
    { rules: [{ id: "first", when: { attribute: "user_id", operator: "EXISTS" }, serve: { variant: "on" } }] },
  ),
  flag("targeted", { hit: "hit" }, { default_value: "miss", targeting_rules: { user_attributes: { user_id: [HIT] } } }),
];

const hang: Connection["fetch"] = () => new Promise(() => {});
const pass: Connection["fetch"] = (request) => fetch(request);

beforeAll(async () => {
  server = await startServer();
  for (const body of FLAGS) await server.admin.request("POST /feature-flags/", { body });
});
afterAll(() => server.close());
// The shortest pauses between attempts.
beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));
afterEach(async () => {
  await subject?.stop();
  vi.restoreAllMocks();
});

describe.each(Object.entries(SUBJECTS))("%s", (_, create) => {
  const open = (rest: Partial<Connection> = {}) => {
    const { apiKey, url: baseUrl } = server;
    const usual = { apiKey, baseUrl, fetch: pass, reasons: "evaluation", cacheTtlMs: 300_000 } as const;
    subject = create({ ...usual, ...rest });
    return subject;
  };

  describe("evaluation", () => {
    test.each<[string, FlagType, JsonValue, string]>([
      ["boolean", "Boolean", true, "on"],
      ["string", "String", "hi", "greeting"],
      ["integer", "Number", 10, "ten"],
      ["float", "Number", 0.5, "half"],
      ["object", "Object", TEMPLATE, "template"],
      ["list", "Object", [1, "two", null], "some"],
      ["false", "Boolean", false, "zero"],
      ["zero", "Number", 0, "zero"],
      ["nothing", "String", "", "zero"],
      ["empty", "Object", {}, "zero"],
      ["int32", "Number", 2_147_483_647, "largest"],
      ["int53", "Number", 9_007_199_254_740_991, "largest"],
    ])("resolves the flag %s as a %s to %j and its variant, without any error", async (key, type, value, variant) => {
      const { evaluate, started } = open();
      await started;
      const details = await evaluate(type, key, type === "Boolean" ? !value : FALLBACKS[type], {});
      expect(details).toMatchObject({ value, variant, reason: "STATIC", flagKey: key });
      expect([details.errorCode, details.errorMessage]).toEqual([undefined, undefined]);
    });

    test.each<[string, FlagType, JsonValue, JsonValue]>([
      ["off-boolean", "Boolean", false, false],
      ["off-boolean", "Boolean", true, false],
      ["off-string", "String", "fallback", "fallback"],
      ["off-number", "Number", 1, 1],
      ["off-object", "Object", { a: 1 }, { a: 1 }],
      ["off-with-default", "String", "fallback", "closed"],
    ])("resolves the disabled flag %s as a %s with the fallback %j to %j", async (key, type, fallback, value) => {
      const { evaluate, started } = open();
      await started;
      const details = await evaluate(type, key, fallback, {});
      expect(details).toMatchObject({ value, reason: "DISABLED" });
      expect([details.variant, details.errorCode, details.errorMessage]).toEqual([undefined, undefined, undefined]);
    });

    test("accepts a context that no rule reads", async () => {
      const { evaluate, started } = open();
      await started;
      const context = { targetingKey: "ada", age: 36, when: new Date(0), nested: { list: [1, null], "": true } };
      expect(await evaluate("String", "string", "", context)).toMatchObject({ value: "hi", reason: "STATIC" });
    });

    test("evaluates a rule for the context of each call, also after other contexts and without one", async () => {
      const { evaluate, started } = open();
      await started;
      const ask = async (context: Record<string, string>) => {
        const { value, reason, errorCode } = await evaluate("String", "targeted", "fallback", context);
        return [value, reason, errorCode];
      };
      expect(await ask({})).toEqual(["miss", "DEFAULT", undefined]);
      expect(await ask({ targetingKey: HIT })).toEqual(["hit", "TARGETING_MATCH", undefined]);
      expect(await ask({ targetingKey: "somebody else" })).toEqual(["miss", "DEFAULT", undefined]);
      expect(await ask({ targetingKey: HIT })).toEqual(["hit", "TARGETING_MATCH", undefined]);
    });
  });

  test("returns the caller's default without an error if the flag has no value for the user", async () => {
    const { evaluate, started } = open();
    await started;
    const details = await evaluate("String", "undecided", "fallback", { targetingKey: "somebody else" });
    expect(details).toMatchObject({ value: "fallback", reason: "DEFAULT" });
    expect([details.variant, details.errorCode]).toEqual([undefined, undefined]);
    const hit = await evaluate("String", "undecided", "fallback", { targetingKey: HIT });
    expect(hit).toMatchObject({ value: "hit", variant: "hit", reason: "TARGETING_MATCH" });
  });

  describe("metadata", () => {
    const usual = { cacheReason: "CACHED", flagSetId: "default", version: 1 };
    test.each<[string, FlagType, Record<string, JsonValue>]>([
      ["string", "String", { ...usual, evaluationReason: "STATIC" }],
      ["ruled", "Boolean", { ...usual, evaluationReason: "TARGETING_MATCH", ruleId: "first" }],
      ["off-string", "String", { ...usual, evaluationReason: "DISABLED" }],
      ["string", "Boolean", { ...usual, cacheReason: "ERROR", evaluationReason: "STATIC" }],
      ["missing", "Boolean", { cacheReason: "DEFAULT", evaluationReason: "DEFAULT", flagSetId: "default" }],
    ])("of the flag %s, evaluated as a %s, is %j and frozen", async (key, type, expected) => {
      const { evaluate, started } = open();
      await started;
      const { flagMetadata } = await evaluate(type, key, FALLBACKS[type], { targetingKey: "ada" });
      expect(flagMetadata).toEqual(expected);
      expect(Object.isFrozen(flagMetadata)).toBe(true);
    });
  });

  describe("errors", () => {
    const WRONG: Record<string, FlagType[]> = {
      string: ["Boolean", "Number", "Object"],
      boolean: ["String", "Number", "Object"],
      integer: ["Boolean", "String", "Object"],
      float: ["Boolean", "String", "Object"],
      object: ["Boolean", "String", "Number"],
    };
    test.each(Object.entries(WRONG).flatMap(([key, types]) => types.map((type) => [key, type] as const)))(
      "a %s flag asked for as a %s is a TYPE_MISMATCH with the caller's default",
      async (key, type) => {
        const { evaluate, started } = open();
        await started;
        const details = await evaluate(type, key, FALLBACKS[type], {});
        expect(details).toMatchObject({ value: FALLBACKS[type], reason: "ERROR", errorCode: "TYPE_MISMATCH" });
      },
    );

    test.each([
      "missing",
      "",
      "__proto__",
      "constructor",
      "toString",
      "a/b",
      "..",
      "%ff",
      "Boolean",
      "é \u0000",
      "\ud800",
    ])("the flag %j, which is not there, is FLAG_NOT_FOUND with the caller's default in every type", async (key) => {
      const { evaluate, started } = open();
      await started;
      for (const type of Object.keys(FALLBACKS) as FlagType[]) {
        const details = await evaluate(type, key, FALLBACKS[type], {});
        expect(details).toMatchObject({ value: FALLBACKS[type], reason: "ERROR", errorCode: "FLAG_NOT_FOUND" });
        expect(details.flagMetadata.flagSetId).toBe("default");
      }
    });
  });

  describe("lifecycle", () => {
    test("names itself", () => {
      expect(open().name).toBe("assay");
    });

    test("emits READY", async () => {
      const { started, status, heard } = open();
      await started;
      expect([status(), heard]).toEqual(["READY", ["Ready"]]);
    });

    test.each<[string, Partial<Connection>]>([
      ["is not there", { baseUrl: "http://127.0.0.1:9" }],
      ["never answers", { fetch: hang, timeout: 50 }],
    ])("where the server %s, is in ERROR, serves the caller's default and can be shut down", async (_, rest) => {
      const { started, status, heard, evaluate, stop } = open(rest);
      await expect(started).rejects.toThrow();
      expect([status(), heard]).toEqual(["ERROR", ["Error"]]);
      const details = await evaluate("Boolean", "boolean", false, {});
      expect(details).toMatchObject({ value: false, reason: "ERROR", errorCode: "PROVIDER_NOT_READY" });
      await stop();
    });

    test("is FATAL if its key is rejected", async () => {
      const { started, status, heard, evaluate } = open({ apiKey: "asy_of_nobody" });
      await expect(started).rejects.toThrow();
      expect([status(), heard]).toEqual(["FATAL", ["Error"]]);
      expect(await evaluate("Boolean", "boolean", false, {})).toMatchObject({
        value: false,
        errorCode: "PROVIDER_FATAL",
      });
    });

    test("can be shut down twice, and before it was ready", async () => {
      const { started, stop } = open();
      await stop();
      await started.catch(() => {});
      await stop();
      await stop();
    });

    test("can be initialised again after a shutdown, and follows the server again", async () => {
      const requests: string[] = [];
      const counted: Connection["fetch"] = (request) => {
        requests.push(new URL(request.url).pathname);
        return fetch(request);
      };
      const { started, stop, startAgain, evaluate } = open({ fetch: counted });
      await started;
      await stop();
      const before = requests.length;
      await startAgain();
      await expect.poll(() => requests.length).toBeGreaterThan(before);
      expect(await evaluate("Boolean", "boolean", false, {})).toMatchObject({ value: true, reason: "STATIC" });
    });
  });

  describe("events", () => {
    test.each([
      ["fetching again", { cacheTtlMs: 100 }],
      ["a stream", { streaming: true }],
    ])("a change emits an event with the flag's name and is applied: by %s", async (_, options) => {
      const key = `changing-${changing++}`;
      await server.admin.request("POST /feature-flags/", { body: flag(key, { foo: "foo", bar: "bar" }) });
      const { started, changes, evaluate } = open(options);
      await started;
      const ask = async () => (await evaluate("String", key, "unset", {})).value;
      expect(await ask()).toBe("foo");
      const { variants } = flag(key, { bar: "bar", foo: "foo" });
      await server.admin.request("PUT /feature-flags/{id}", { params: { id: key }, body: { variants } });
      await expect.poll(() => changes).toEqual([[key]]);
      expect(await ask()).toBe("bar");
    });
  });
});
