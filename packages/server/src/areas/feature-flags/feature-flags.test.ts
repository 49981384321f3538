import { bucket } from "@assay/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.assay.close());

const create = (body: object) =>
  server.admin.request("POST /feature-flags/", { body: { name: "A flag", ...body } as never });
const update = (id: string, body: object) =>
  server.admin.request("PUT /feature-flags/{id}", { params: { id }, body: body as never });

describe("creating", () => {
  test("accepts the specified body and adds every default", async () => {
    const flag = await create({
      key: "new-checkout",
      name: "New checkout",
      description: "The new one",
      status: "ACTIVE",
      rollout_percentage: 50,
      targeting_rules: { countries: ["US", "CA"], browsers: ["chrome"], user_segments: ["beta"] },
    });
    expect(flag).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      key: "new-checkout",
      status: "ACTIVE",
      rollout_percentage: 50,
      value_type: "BOOLEAN",
      default_value: false,
      variants: [
        { key: "on", value: true },
        { key: "off", value: false },
      ],
      rules: [],
      version: 1,
      created_at: "2026-03-01T12:00:00.000Z",
    });
  });

  test("requires a key and a name; the flag is then INACTIVE and for all users", async () => {
    expect(await create({ key: "k" })).toMatchObject({ status: "INACTIVE", rollout_percentage: 100 });
    expect(await refusal(create({ key: undefined }))).toMatchObject({
      status: 422,
      issues: [{ loc: ["body", "key"], type: "missing" }],
    });
  });

  test("accepts enumerations in either case", async () => {
    expect(
      await create({ key: "k", status: "active", value_type: "string", variants: [{ key: "v", value: "x" }] }),
    ).toMatchObject({
      status: "ACTIVE",
      value_type: "STRING",
    });
  });

  test("rejects a taken key; keys are case-sensitive", async () => {
    await create({ key: "k" });
    expect(await refusal(create({ key: "k" }))).toMatchObject({
      status: 409,
      detail: 'A feature flag with key "k" already exists',
    });
    await create({ key: "K" });
  });

  test("succeeds once for two simultaneous requests", async () => {
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => create({ key: "race" })));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test.each([
    [{ rollout_percentage: 101 }, ["rollout_percentage"]],
    [{ rollout_percentage: "50" }, ["rollout_percentage"]],
    [{ status: "ON" }, ["status"]],
    [{ key: "-x" }, ["key"]],
    [{ key: "__proto__" }, ["key"]],
    [{ targeting_rules: { country: ["US"] } }, ["targeting_rules", "country"]],
    [{ targeting_rules: { time_rules: { timezone: "Mars/Base" } } }, ["targeting_rules", "time_rules", "timezone"]],
    [
      { rules: [{ id: "r", when: { attribute: "a", operator: "LIKE", value: "x" }, serve: { variant: "on" } }] },
      ["rules", 0, "when", "operator"],
    ],
    [
      { rules: [{ id: "r", when: { attribute: "a", operator: "MATCHES", value: "(a" }, serve: { variant: "on" } }] },
      ["rules", 0, "when", "value"],
    ],
    [
      { rules: [{ id: "r", when: { attribute: "a", operator: "EXISTS" }, serve: { variant: "nope" } }] },
      ["rules", 0, "serve"],
    ],
    [{ value_type: "STRING", variants: [{ key: "a", value: 1 }] }, ["variants", 0, "value"]],
    [
      {
        variants: [
          { key: "a", value: true, weight: 0.5 },
          { key: "b", value: false, weight: 0.4 },
        ],
      },
      ["variants"],
    ],
    [{ prerequisites: [{ flag_key: "missing" }] }, ["prerequisites", 0, "flag_key"]],
    [{ prerequisites: [{ flag_key: "k" }] }, ["prerequisites"]],
  ])("rejects %j and names the path", async (body, path) => {
    const { status, issues } = await refusal(create({ key: "k", ...body }));
    expect(status).toBe(422);
    expect((issues as { loc: unknown }[])[0]!.loc).toEqual(["body", ...path]);
  });

  test.each(["", "__proto__", "a/b", "-x", ".x", "é", "two words", "k".repeat(256)])(
    "rejects the key %j and describes a valid key",
    async (key) => {
      const { issues } = await refusal(create({ key, name: "A flag" }));
      expect(issues).toMatchObject([{ loc: ["body", "key"], msg: expect.stringContaining("1 to 255") }]);
      expect(issues).toMatchObject([{ msg: expect.stringContaining('"__proto__"') }]);
    },
  );

  test.each(["constructor", "toString", "hasOwnProperty", "_", "0", "k".repeat(255)])(
    "accepts the key %s",
    async (key) => {
      expect(await create({ key, name: "A flag" })).toMatchObject({ key });
    },
  );

  test("suggests the nearest known key for a typo in targeting", async () => {
    const { issues } = await refusal(create({ key: "k", targeting_rules: { contries: ["US"] } }));
    expect(issues).toMatchObject([{ msg: 'Unknown key "contries"; did you mean "countries"?', type: "unknown_key" }]);
  });

  test.each([
    ["rolout_percentage", "rollout_percentage"],
    ["rolloutPercentage", "rollout_percentage"],
    ["statsu", "status"],
    ["defaultvalue", "default_value"],
  ])("rejects %s, because the field that it is meant to be would keep its default", async (name, meant) => {
    const body = { key: "k", name: "K", status: "ACTIVE", [name]: 5 };
    const { status, issues } = await refusal(create(body));
    expect([status, issues]).toEqual([
      422,
      [{ loc: ["body", name], type: "unknown_key", msg: `Unknown field; did you mean "${meant}"?` }],
    ]);
    await create({ key: "k" });
    expect((await refusal(update("k", { [name]: 5 }))).status).toBe(422);
  });

  test("gives rules without an id one by their place", async () => {
    const rule = (country: string, id?: string) => ({
      when: { attribute: "country", operator: "EQUALS", value: country },
      serve: { rollout_percentage: 10 },
      ...(id && { id }),
    });
    const { rules } = await create({
      key: "k",
      rules: [rule("DE"), rule("FR", "rule-3"), rule("US"), rule("IT", "it")],
    });
    expect(rules.map(({ id }) => id)).toEqual(["rule-1", "rule-3", "rule-3-2", "it"]);
    expect((await update("k", { rules })).rules).toEqual(rules);
  });

  test("lists on and off of a boolean flag, which are no variants of its own when written back", async () => {
    const listed = [
      { key: "on", name: "On", value: true },
      { key: "off", name: "Off", value: false },
    ];
    const flag = await create({ key: "k", status: "ACTIVE", rollout_percentage: 100 });
    expect(flag.variants).toEqual(listed);
    expect(await update("k", { variants: flag.variants })).toMatchObject({ variants: listed, version: 1 });
    const own = await create({ key: "own", status: "ACTIVE", variants: listed });
    expect(own.variants.map(({ weight }) => weight)).toEqual([0.5, 0.5]);
  });

  test("ignores other unknown fields and reports them, or rejects them on request", async () => {
    const key = await server.withKey(["admin"]);
    const headers = { "x-api-key": key.key };
    const lenient = await server.send("POST", "/feature-flags/", {
      body: { key: "a", name: "A", colour: "red", "ä,b": 1 },
      headers,
    });
    expect([lenient.status, lenient.headers.get("x-assay-ignored-fields")]).toEqual([201, "colour,%C3%A4%2Cb"]);
    const strict = { ...headers, prefer: "handling=strict" };
    const refused = await server.send("POST", "/feature-flags/", {
      body: { key: "b", name: "B", colour: "red" },
      headers: strict,
    });
    expect([refused.status, refused.json.detail[0].loc]).toEqual([422, ["body", "colour"]]);
  });
});

describe("changing", () => {
  test("keeps absent fields, clears nulls and increments the version; an equal value changes nothing", async () => {
    await create({ key: "k", description: "d", targeting_rules: { countries: ["US"] }, tags: ["t"] });
    expect(await update("k", { name: "Other" })).toMatchObject({ name: "Other", description: "d", version: 2 });
    expect(await update("k", { targeting_rules: null, description: null, tags: null })).toMatchObject({
      targeting_rules: null,
      description: "",
      tags: [],
      version: 3,
    });
    expect(await update("k", { name: "Other", key: "k" })).toMatchObject({ version: 3 });
  });

  test("works by id and by key, with PUT and PATCH", async () => {
    const { id } = await create({ key: "k" });
    await server.admin.request("PATCH /feature-flags/{id}", { params: { id }, body: { name: "By id" } });
    expect((await server.admin.request("GET /feature-flags/{id}", { params: { id: "k" } })).name).toBe("By id");
  });

  test("never changes the key", async () => {
    await create({ key: "k" });
    expect(await refusal(update("k", { key: "other" }))).toMatchObject({ status: 422 });
  });

  test("goes from ARCHIVED to INACTIVE only", async () => {
    await create({ key: "k", status: "ARCHIVED" });
    const refused = await refusal(update("k", { status: "ACTIVE" }));
    expect(refused).toMatchObject({ status: 400, detail: expect.stringMatching(/ARCHIVED to ACTIVE/) });
    expect(await update("k", { status: "INACTIVE" })).toMatchObject({ status: "INACTIVE" });
  });

  test("honours If-Match", async () => {
    await create({ key: "k" });
    const key = await server.withKey(["admin", "read"]);
    const put = (match: string) =>
      server.send("PUT", "/feature-flags/k", {
        body: { name: match },
        headers: { "x-api-key": key.key, "if-match": match },
      });
    const etag = (await server.send("GET", "/feature-flags/k", { headers: { "x-api-key": key.key } })).headers.get(
      "etag",
    )!;
    expect((await put(etag)).status).toBe(200);
    expect((await put(etag)).status).toBe(412);
    expect((await put('"other"')).status).toBe(412);
    expect((await put("*")).status).toBe(200);
  });

  test("reports a cycle of prerequisites", async () => {
    await create({ key: "a" });
    await create({ key: "b", prerequisites: [{ flag_key: "a" }] });
    const { status, issues } = await refusal(update("a", { prerequisites: [{ flag_key: "b" }] }));
    expect(status).toBe(422);
    expect(issues).toMatchObject([{ msg: expect.stringMatching(/cycle: .*a.*b|cycle: .*b.*a/) }]);
  });

  test("requires the owning DEVELOPER or an ADMIN", async () => {
    const [one, other, admin] = [await server.as("DEVELOPER"), await server.as("DEVELOPER"), await server.as("ADMIN")];
    await one.request("POST /feature-flags/", { body: { key: "mine", name: "Mine" } });
    const rename = { params: { id: "mine" }, body: { name: "Renamed" } };
    expect(await refusal(other.request("PUT /feature-flags/{id}", rename))).toMatchObject({ status: 403 });
    expect(await refusal(other.request("DELETE /feature-flags/{id}", { params: { id: "mine" } }))).toMatchObject({
      status: 403,
    });
    await one.request("PUT /feature-flags/{id}", rename);
    await admin.request("PUT /feature-flags/{id}", { ...rename, body: { name: "Again" } });
    for (const role of ["VIEWER", "ANALYST"] as const) {
      const client = await server.as(role);
      expect(await refusal(client.request("PUT /feature-flags/{id}", rename))).toMatchObject({ status: 403 });
      expect((await client.request("GET /feature-flags/{id}", { params: { id: "mine" } })).name).toBe("Again");
    }
  });

  test("loses no change of twenty simultaneous ones", async () => {
    await create({ key: "k", tags: [] });
    await Promise.all(Array.from({ length: 20 }, (_, index) => update("k", { description: `change ${index}` })));
    expect((await server.admin.request("GET /feature-flags/{id}", { params: { id: "k" } })).version).toBe(21);
  });
});

describe("deleting", () => {
  test("removes the flag and frees its key", async () => {
    await create({ key: "k" });
    await server.admin.request("DELETE /feature-flags/{id}", { params: { id: "k" } });
    expect(await refusal(server.admin.request("GET /feature-flags/{id}", { params: { id: "k" } }))).toMatchObject({
      status: 404,
      detail: "Resource not found",
    });
    await create({ key: "k" });
  });

  test("is rejected while another flag requires it", async () => {
    await create({ key: "a" });
    await create({ key: "b", prerequisites: [{ flag_key: "a" }] });
    expect(await refusal(server.admin.request("DELETE /feature-flags/{id}", { params: { id: "a" } }))).toMatchObject({
      status: 409,
    });
  });
});

describe("listing", () => {
  test("filters, searches and pages, newest first", async () => {
    for (const [key, status] of [
      ["a", "ACTIVE"],
      ["b", "INACTIVE"],
      ["c", "ACTIVE"],
    ]) {
      await create({ key, status, name: `Flag ${key?.toUpperCase()}` });
      server.advance(1);
    }
    const list = async (query: object) =>
      (await server.admin.request("GET /feature-flags/", { query: query as never })).map(({ key }) => key);
    expect(await list({})).toEqual(["c", "b", "a"]);
    expect(await list({ status_filter: "active" })).toEqual(["c", "a"]);
    expect(await list({ search: "flag B" })).toEqual(["b"]);
    expect(await list({ skip: 1, limit: 1 })).toEqual(["b"]);
    for (const query of [{ limit: 501 }, { limit: 0 }, { skip: -1 }, { status_filter: "ON" }]) {
      expect(await refusal(list(query))).toMatchObject({ status: 422 });
    }
  });

  test("answers 304 to its own ETag until something changes", async () => {
    await create({ key: "k" });
    const { key } = await server.withKey(["read"]);
    const get = (etag?: string) =>
      server.send("GET", "/feature-flags/", {
        headers: { "x-api-key": key, ...(etag ? { "if-none-match": etag } : {}) },
      });
    const first = await get();
    expect(first.headers.get("cache-control")).toBe("private, max-age=3600");
    const etag = first.headers.get("etag")!;
    expect(await get(etag)).toMatchObject({ status: 304, text: "" });
    await update("k", { name: "Changed" });
    expect((await get(etag)).status).toBe(200);
  });
});

describe("evaluating", () => {
  const evaluate = async (key: string, body: object, query = {}) => {
    const client = await server.withKey(["read"]);
    return client.request("POST /feature-flags/{key}/evaluate", { params: { key }, body: body as never, query });
  };

  test("is on exactly if the hash is below the rollout", async () => {
    await create({ key: "my-flag", status: "ACTIVE", rollout_percentage: 50 });
    const client = await server.withKey(["read"]);
    for (let index = 0; index < 50; index++) {
      const user_id = `user-${index}`;
      const { value, bucket: hash } = await client.request("POST /feature-flags/{key}/evaluate", {
        params: { key: "my-flag" },
        body: { user_id },
      });
      expect(hash).toBe(bucket(user_id, "my-flag"));
      expect(value).toBe(bucket(user_id, "my-flag") < 0.5);
    }
  });

  test("reflects a toggle at once", async () => {
    await create({ key: "k", status: "ACTIVE" });
    expect(await evaluate("k", { user_id: "u" })).toMatchObject({
      key: "k",
      enabled: true,
      value: true,
      variant: "on",
      reason: "STATIC",
    });
    await update("k", { status: "INACTIVE" });
    expect(await evaluate("k", { user_id: "u" })).toMatchObject({ enabled: false, value: false, reason: "DISABLED" });
  });

  test("gives users with the same outcome the same answer but for the bucket, and the new one after a change", async () => {
    const variants = (value: string) => [
      { key: "a", weight: 50, value: { text: value } },
      { key: "b", weight: 50, value: { nested: [value] } },
    ];
    await create({ key: "k", status: "ACTIVE", rollout_percentage: 100, variants: variants("one") });
    for (const value of ["one", "two"]) {
      await update("k", { variants: variants(value) });
      for (let index = 0; index < 20; index++) {
        const user_id = `user-${index}`;
        const answer = await evaluate("k", { user_id });
        const { trace: _, ...explained } = await evaluate("k", { user_id }, { explain: true });
        expect(answer).toEqual(explained);
        expect([{ text: value }, { nested: [value] }]).toContainEqual(answer.value);
        expect(answer.bucket).toBe(explained.bucket);
      }
    }
  });

  test("explains the answer on request", async () => {
    await create({
      key: "k",
      status: "ACTIVE",
      rules: [{ id: "beta", when: { attribute: "plan", operator: "EQUALS", value: "pro" }, serve: { variant: "on" } }],
      rollout_percentage: 0,
    });
    const answer = await evaluate("k", { user_id: "u", attributes: { plan: "pro" } }, { explain: true });
    expect(answer).toMatchObject({ value: true, reason: "TARGETING_MATCH", rule_id: "beta" });
    expect(answer.trace!.some(({ step, subject, matched }) => step === "RULE" && subject === "beta" && matched)).toBe(
      true,
    );
    expect(await evaluate("k", { user_id: "u", attributes: { plan: "free" } })).not.toHaveProperty("trace");
  });

  test("is a 404 for an archived and an unknown flag", async () => {
    await create({ key: "k", status: "ARCHIVED" });
    for (const key of ["k", "unknown"])
      expect(await refusal(evaluate(key, { user_id: "u" }))).toMatchObject({ status: 404 });
  });

  test("accepts only keys, not tokens", async () => {
    await create({ key: "k" });
    const call = { params: { key: "k" }, body: { user_id: "u" } };
    expect(await refusal(server.admin.request("POST /feature-flags/{key}/evaluate", call))).toMatchObject({
      status: 401,
    });
  });

  test("returns a boolean for each flag of a user, also for a flag called constructor", async () => {
    for (const key of ["constructor", "hasOwnProperty", "toString"]) await create({ key, status: "ACTIVE" });
    await create({ key: "geo", status: "ACTIVE", targeting_rules: { countries: ["DE"] } });
    await create({ key: "gone", status: "ARCHIVED" });
    const client = await server.withKey(["read"]);
    const flags = await client.request("GET /feature-flags/user/{user_id}", {
      params: { user_id: "a/b?c" },
      query: { context: { country: "de" } },
    });
    expect(Object.entries(flags).sort()).toEqual([
      ["constructor", true],
      ["geo", true],
      ["hasOwnProperty", true],
      ["toString", true],
    ]);
    const bad = await server.send("GET", "/feature-flags/user/u?context=[1]", { headers: { "x-api-key": client.key } });
    expect([bad.status, bad.json.detail[0].loc]).toEqual([422, ["query", "context"]]);
  });
});
