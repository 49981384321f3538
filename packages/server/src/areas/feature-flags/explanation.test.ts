import type { FeatureFlagCreate } from "@assay/client";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";
import { anyDefinitions, CONTEXTS, EXPERIMENT_KEYS, FLAG_KEYS } from "../openfeature/definitions.fixture.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.assay.close());

type Question = { user_id: string; context?: Record<string, unknown>; flag_key?: string; draft?: FeatureFlagCreate };

const explain = async (body: Question, client: Pick<TestServer["admin"], "request"> = server.admin) =>
  (await client.request("POST /feature-flags/explain", { body: body as never })).flags;
const create = (key: string, body: object = {}) =>
  server.admin.request("POST /feature-flags/", { body: { key, name: `The ${key}`, status: "ACTIVE", ...body } });
const proRule = { id: "pro", when: { attribute: "plan", operator: "EQUALS", value: "pro" }, serve: { variant: "on" } };

describe("an explanation", () => {
  test("tells each step of one flag with what it read", async () => {
    await create("checkout", { rules: [proRule], rollout_percentage: 0 });
    const [flag, ...others] = await explain({ user_id: "ada", context: { plan: "free" }, flag_key: "checkout" });
    expect(others).toEqual([]);
    expect(flag).toEqual({
      key: "checkout",
      name: "The checkout",
      enabled: false,
      value: false,
      variant: "off",
      reason: "DEFAULT",
      rule_id: null,
      bucket: null,
      trace: [
        { step: "STATUS", subject: "checkout", matched: true, detail: "enabled" },
        {
          step: "CONDITION",
          subject: 'plan EQUALS "pro"',
          matched: false,
          detail: "does not hold",
          attribute: "plan",
          actual: '"free"',
        },
        { step: "RULE", subject: "pro", matched: false, detail: "does not hold" },
        { step: "ROLLOUT", subject: "checkout", matched: false, detail: "0 % of everyone" },
      ],
    });
  });

  test.each([
    ["a text", "x", '"x"'],
    ["a list", ["x", 3], '["x",3]'],
    ["no value", undefined, "null"],
    ["a long text, cut", "x".repeat(600), `"${"x".repeat(499)}…`],
  ])("shows what a condition read: %s", async (_, plan, actual) => {
    await create("checkout", { rules: [proRule] });
    const [flag] = await explain({ user_id: "ada", context: { plan }, flag_key: "checkout" });
    expect(flag!.trace.find(({ step }) => step === "CONDITION")).toMatchObject({ attribute: "plan", actual });
  });

  test("tells all flags that evaluate, page by page", async () => {
    for (const key of ["a", "b", "c"]) await create(key);
    await create("gone", { status: "ARCHIVED" });
    expect((await explain({ user_id: "ada" })).map(({ key }) => key)).toEqual(["a", "b", "c"]);
    const { json } = await server.send("POST", "/auth/login", {
      body: { username: "admin", password: "correct horse battery" },
    });
    const { headers, json: page } = await server.send("POST", "/feature-flags/explain?skip=1&limit=1", {
      body: { user_id: "ada" },
      headers: { authorization: `Bearer ${json.access_token}` },
    });
    expect([headers.get("x-total-count"), page.flags.map(({ key }: { key: string }) => key)]).toEqual(["3", ["b"]]);
  });

  test("tells the arm in an experiment that runs on the flag, or why there is none", async () => {
    const variants = ["a", "b"].map((key) => ({ key, weight: 50, value: key }));
    await create("button", { variants });
    const experiment = await server.admin.request("POST /experiments/", {
      body: {
        key: "button-test",
        name: "Button test",
        experiment_type: "FEATURE_FLAG",
        feature_flag_key: "button",
        metrics: [{ name: "Buy", event_type: "buy" }],
      } as never,
    });
    expect((await explain({ user_id: "ada", flag_key: "button" }))[0]).not.toHaveProperty("experiment");
    const params = { experiment_id: experiment.id };
    await server.admin.request("POST /experiments/{experiment_id}/start", { params });
    const about = { id: experiment.id, key: "button-test", name: "Button test" };
    const [served] = await explain({ user_id: "ada", flag_key: "button" });
    expect(served!.variant).toMatch(/^[ab]$/);
    expect(served!.experiment).toEqual({ ...about, variant: served!.variant, assigned: true, reason: "ASSIGNED" });
    const draft: FeatureFlagCreate = { key: "button", name: "Button", status: "INACTIVE" };
    expect((await explain({ user_id: "ada", flag_key: "button", draft }))[0]!.experiment).toEqual({
      ...about,
      variant: null,
      assigned: false,
      reason: "TARGETING",
    });
  });

  test("changes no last_evaluated_at", async () => {
    const { id } = await create("a");
    await explain({ user_id: "ada" });
    await explain({ user_id: "ada", flag_key: "a" });
    const { last_evaluated_at } = await server.admin.request("GET /feature-flags/{id}", { params: { id } });
    expect(last_evaluated_at).toBeNull();
  });

  test("is open to every role, and to no API key", async () => {
    const { id } = await create("a");
    for (const flag_key of ["a", id]) {
      expect(await explain({ user_id: "ada", flag_key }, await server.as("VIEWER"))).toMatchObject([{ key: "a" }]);
    }
    const key = await server.withKey(["read", "write", "admin"]);
    expect(await refusal(explain({ user_id: "ada" }, key))).toMatchObject({ status: 401 });
  });

  test("is a 404 for an unknown and an archived flag, and a 422 without a user", async () => {
    await create("gone", { status: "ARCHIVED" });
    for (const flag_key of ["gone", "unknown"])
      expect(await refusal(explain({ user_id: "ada", flag_key }))).toMatchObject({ status: 404 });
    expect(await refusal(explain({ user_id: "" }))).toMatchObject({ status: 422 });
  });
});

describe("a draft", () => {
  test("is evaluated in place of the stored flag, and by the flags that require it", async () => {
    await create("first", { rollout_percentage: 0 });
    await create("second", { prerequisites: [{ flag_key: "first" }] });
    const draft: FeatureFlagCreate = { key: "first", name: "A draft", rollout_percentage: 100 };
    const shown = async (question: object) =>
      (await explain({ user_id: "ada", ...question })).map(({ key, name, enabled }) => [key, name, enabled]);
    expect(await shown({})).toEqual([
      ["first", "The first", false],
      ["second", "The second", false],
    ]);
    expect(await shown({ draft })).toEqual([
      ["first", "A draft", true],
      ["second", "The second", true],
    ]);
    expect(await shown({ draft, flag_key: "second" })).toEqual([["second", "The second", true]]);
    // Nothing is saved.
    expect(await shown({ flag_key: "first" })).toEqual([["first", "The first", false]]);
  });

  test("may be a new flag, over a segment that no stored flag refers to", async () => {
    await server.admin.request("POST /segments", {
      body: { name: "staff", conditions: { attribute: "role", operator: "EQUALS", value: "staff" } } as never,
    });
    const rules = [{ id: "staff", when: { operator: "IN_SEGMENT", value: "staff" }, serve: { variant: "on" } }];
    const draft = { key: "new", name: "New", status: "ACTIVE", rules, rollout_percentage: 0 } as FeatureFlagCreate;
    const context = { role: "staff" };
    expect(await explain({ user_id: "ada", flag_key: "new", draft, context })).toMatchObject([
      { key: "new", name: "New", enabled: true, rule_id: "staff" },
    ]);
    expect(await explain({ user_id: "ada", flag_key: "new", draft })).toMatchObject([{ enabled: false }]);
  });

  test("may be what GET answered, changed: saving it would serve the same", async () => {
    const stored = await create("flag", { rollout_percentage: 30, rules: [proRule] });
    const draft = { ...stored, rollout_percentage: 60 } as unknown as FeatureFlagCreate;
    const users = Array.from({ length: 20 }, (_, index) => `user-${index}`);
    const answers = async (question: object) =>
      Promise.all(users.map(async (user_id) => (await explain({ user_id, flag_key: "flag", ...question }))[0]));
    const before = await answers({ draft });
    await server.admin.request("PUT /feature-flags/{id}", { params: { id: "flag" }, body: draft });
    expect(before).toEqual(await answers({}));
    expect(new Set(before.map((one) => one!.enabled))).toEqual(new Set([true, false]));
  });

  test.each([
    [
      "an unknown segment",
      { rules: [{ id: "a", when: { operator: "IN_SEGMENT", value: "x" }, serve: { variant: "on" } }] },
    ],
    ["an unknown prerequisite", { prerequisites: [{ flag_key: "unknown" }] }],
    ["a cycle", { prerequisites: [{ flag_key: "dependent" }] }],
    ["a value of another type", { value_type: "NUMBER", default_value: "x" }],
  ])("with %s is a 422 that names its field", async (_, fields) => {
    await create("flag");
    await create("dependent", { prerequisites: [{ flag_key: "flag" }] });
    const draft = { key: "flag", name: "Flag", ...fields } as FeatureFlagCreate;
    const { status, issues } = await refusal(explain({ user_id: "ada", draft }));
    expect(status).toBe(422);
    const [issue] = issues as { loc: unknown[] }[];
    expect(issue!.loc.slice(0, 3)).toEqual(["body", "draft", Object.keys(fields).at(-1)]);
  });

  test("with a misspelt field is a 422", async () => {
    const draft = { key: "flag", name: "Flag", rolout_percentage: 0 } as unknown as FeatureFlagCreate;
    expect(await refusal(explain({ user_id: "ada", draft }))).toMatchObject({ status: 422 });
  });

  test("that is archived leaves no flag to explain", async () => {
    await create("flag");
    const draft: FeatureFlagCreate = { key: "flag", name: "Flag", status: "ARCHIVED" };
    expect(await explain({ user_id: "ada", draft })).toEqual([]);
    expect(await refusal(explain({ user_id: "ada", draft, flag_key: "flag" }))).toMatchObject({ status: 404 });
  });
});

test("an explanation of any definitions answers what the evaluation and the assignment answer", async () => {
  const { engine } = server.assay;
  await fc.assert(
    fc.asyncProperty(
      anyDefinitions,
      fc.constantFrom(...CONTEXTS),
      async (definitions, { targetingKey, ...context }) => {
        server.replaceDefinitions(definitions);
        const user_id = targetingKey ?? "someone";
        const explained = await explain({ user_id, context });
        expect(explained.map(({ key }) => key)).toEqual([...FLAG_KEYS]);
        for (const { name: _, experiment, trace, ...answer } of explained) {
          const { forced: __, ...evaluated } = engine.evaluate(answer.key, { ...context, targetingKey: user_id }, null);
          expect(answer).toEqual({ ...evaluated, key: answer.key });
          expect(trace.length > 0 || answer.reason === "ERROR").toBe(true);
          const running = definitions.experiments.find(
            (one) => one.status === "ACTIVE" && one.feature_flag_key === answer.key,
          );
          const assigned = running && engine.assign(EXPERIMENT_KEYS[0], user_id, context);
          expect(experiment?.reason).toBe(assigned?.reason);
          expect(experiment?.variant ?? null).toBe(assigned?.assigned ? assigned.variant_key : null);
        }
      },
    ),
    { numRuns: 150 },
  );
});
