import { type Condition, createEngine, type Definitions } from "@assay/core";
import { memoryStore } from "@assay/store";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readEvents } from "../../event-reader.fixture.ts";
import { createTestServer, ORIGIN, refusal, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.assay.close());

const PRO: Condition = { attribute: "plan", operator: "EQUALS", value: "pro" };
const GERMAN: Condition = { attribute: "country", operator: "IN", value: ["DE"] };

const create = (body: object, client: Pick<TestServer["admin"], "request"> = server.admin) =>
  client.request("POST /segments", { body: { name: "beta", ...body } });
const get = (id: string, client: Pick<TestServer["admin"], "request"> = server.admin) =>
  client.request("GET /segments/{id}", { params: { id } });
const update = (id: string, body: object) => server.admin.request("PUT /segments/{id}", { params: { id }, body });
const remove = (id: string) => server.admin.request("DELETE /segments/{id}", { params: { id } });
const isMember = async (id: string, user_id: string, attributes: object = {}) =>
  server.admin.request("POST /segments/{id}/evaluate", {
    params: { id },
    body: { user_id, attributes: attributes as Record<string, never> },
  });
const createFlag = (body: object) =>
  server.admin.request("POST /feature-flags/", {
    body: { key: "flag", name: "flag", status: "ACTIVE", default_value: false, ...body },
  });
const refersTo = (name: string): Condition => ({ operator: "IN_SEGMENT", value: name });
const ruleFor = (name: string, id = "r") => ({ id, when: refersTo(name), serve: { variant: "on" } });
const evaluate = async (user: string, attributes: object = {}) => {
  const headers = { "x-api-key": (await server.withKey(["read"])).key };
  const body = { user_id: user, attributes };
  return (await server.send("POST", "/feature-flags/flag/evaluate", { headers, body })).json;
};

test("creates, reads by id and by name, lists, changes and deletes a segment", async () => {
  const created = await create({ conditions: PRO, user_ids: ["ada", "bob", "ada"], description: "Testers" });
  expect(created).toMatchObject({
    name: "beta",
    description: "Testers",
    status: "ACTIVE",
    conditions: PRO,
    user_ids: ["ada", "bob"],
    used_by: [],
  });
  expect(await get(created.id)).toEqual(created);
  expect(await get("beta")).toEqual(created);
  await create({ name: "gamma" });
  const list = await server.admin.request("GET /segments", { query: { search: "gam" } });
  expect(list).toMatchObject({ total: 1, items: [{ name: "gamma", conditions: null, user_ids: [] }] });
  await update("gamma", { status: "ARCHIVED" });
  const names = async (status_filter: "ACTIVE" | "ARCHIVED") =>
    (await server.admin.request("GET /segments", { query: { status_filter } })).items.map(({ name }) => name);
  expect([await names("ACTIVE"), await names("ARCHIVED")]).toEqual([["beta"], ["gamma"]]);
  expect(await update(created.id, { user_ids: null })).toMatchObject({ conditions: PRO, user_ids: [], version: 2 });
  await remove(created.id);
  expect((await refusal(get(created.id))).status).toBe(404);
});

test.each([
  ["conditions, a tree", { conditions: { any: [PRO, GERMAN] } }, { any: [PRO, GERMAN] }],
  ["conditions, a list of which all hold", { conditions: [PRO, GERMAN] }, { all: [PRO, GERMAN] }],
  ["rules, a tree", { rules: { not: PRO } }, { not: PRO }],
  ["rules, a list of which one holds", { rules: [PRO, GERMAN] }, { any: [PRO, GERMAN] }],
  ["a list of one", { rules: [PRO] }, PRO],
  ["an empty list", { conditions: [] }, null],
])("%s is returned as one tree", async (_, body, conditions) => {
  expect((await create(body)).conditions).toEqual(conditions);
});

test.each([
  ["a taken name", { name: "taken" }, 409, 'A segment with name "taken" already exists'],
  ["an empty name", { name: " " }, 422, "body.name"],
  ["both forms of conditions", { conditions: PRO, rules: PRO }, 422, "body.rules"],
  ["an unknown operator", { conditions: { attribute: "a", operator: "LIKE", value: 1 } }, 422, "body.conditions"],
  ["an unknown field of a condition", { rules: [{ ...PRO, vlaue: 1 }] }, 422, "body.rules"],
  [
    "a condition without its attribute",
    { conditions: [GERMAN, { operator: "EQUALS", value: 1 }] },
    422,
    "body.conditions.1.attribute",
  ],
  [
    "an invalid pattern",
    { rules: [PRO, { attribute: "a", operator: "MATCHES", value: "(" }] },
    422,
    "body.rules.1.value",
  ],
  [
    "an invalid pattern in a list of one",
    { conditions: [{ attribute: "a", operator: "MATCHES", value: "(" }] },
    422,
    "body.conditions.0.value",
  ],
  ["an unknown segment", { conditions: { not: [refersTo("nowhere")] } }, 422, "body.conditions.not.0.value"],
  [
    "more users than a list holds",
    { user_ids: Array.from({ length: 10_001 }, (_, index) => `u${index}`) },
    422,
    "body.user_ids",
  ],
  ["more than 100 conditions", { rules: Array.from({ length: 101 }, () => PRO) }, 422, "body.rules"],
])("%s is rejected", async (_, body, status, text) => {
  await create({ name: "taken" });
  const { status: answered, detail, issues } = await refusal(create(body));
  expect(answered).toBe(status);
  const first = (issues as { loc: (string | number)[] }[] | undefined)?.[0];
  expect(first ? first.loc.join(".") : detail).toContain(text);
});

test.each([
  [{ conditions: { attribute: "a", operatr: "EQUALS", valeu: 1 } }, "body.conditions"],
  [{ rules: [PRO, { attribute: "a", operatr: "EQUALS", valeu: 1 }] }, "body.rules.1"],
  [{ conditions: { any: [{ not: { attribute: "a", operatr: "EQUALS", valeu: 1 } }] } }, "body.conditions.any.0.not"],
])("suggests the nearest key for every unknown key of a condition", async (body, place) => {
  const { status, issues } = await refusal(create(body));
  expect(status).toBe(422);
  const unknown = (issues as { loc: (string | number)[]; msg: string; type: string }[])
    .filter(({ type }) => type === "unknown_key")
    .map(({ loc, msg }) => [loc.join("."), msg]);
  expect(unknown).toEqual([
    [`${place}.operatr`, 'Unknown key "operatr"; did you mean "operator"?'],
    [`${place}.valeu`, 'Unknown key "valeu"; did you mean "value"?'],
  ]);
});

test("rejects segments that refer to each other in a cycle, and names the cycle", async () => {
  const a = await create({ name: "a" });
  await create({ name: "b", conditions: refersTo(a.id) });
  await create({ name: "c", conditions: refersTo("b") });
  const { status, issues } = await refusal(update(a.id, { conditions: [PRO, refersTo("c")] }));
  expect([status, (issues as { msg: string }[])[0]?.msg]).toEqual([422, "Segments form a cycle: a -> c -> b -> a"]);
  expect((await refusal(update(a.id, { conditions: refersTo("a") }))).status).toBe(422);
});

test("reports whether a user is a member, and the conditions that hold", async () => {
  const inner = await create({ name: "inner", conditions: { all: [PRO, GERMAN] } });
  const { id } = await create({ conditions: { any: [refersTo("inner"), { not: GERMAN }] }, user_ids: ["ada"] });
  expect(await isMember(id, "ada")).toEqual({ segment_id: id, user_id: "ada", is_member: true, matched: ["user_ids"] });
  expect(await isMember(id, "bob", { plan: "pro", country: "DE" })).toMatchObject({
    is_member: true,
    matched: ['plan EQUALS "pro"', 'country IN ["DE"]', 'IN_SEGMENT "inner"'],
  });
  expect(await isMember(id, "bob", { country: "DE" })).toMatchObject({
    is_member: false,
    matched: ['country IN ["DE"]'],
  });
  expect(await isMember(id, "bob")).toMatchObject({ is_member: true, matched: [] });
  // A change of a nested segment takes effect at once.
  await update(inner.id, { conditions: { attribute: "country", operator: "EXISTS" } });
  expect((await isMember(id, "bob", { country: "DE" })).is_member).toBe(true);
});

test("asking for a member is a 422 if the attributes would take too many steps", async () => {
  const pattern = `^((a|b|ab|aab)*(a|b)+)+${"(a|aa)".repeat(28)}c$`;
  const { id } = await create({ conditions: { attribute: "a", operator: "MATCHES", value: pattern } });
  const asked = isMember(id, "ada", { a: Array.from({ length: 200 }, () => "a".repeat(4_096)) });
  expect(await refusal(asked)).toMatchObject({
    status: 422,
    issues: [{ loc: ["body", "attributes"], type: "too_big" }],
  });
});

test("a flag with a rule over a segment evaluates the same everywhere", async () => {
  const { id } = await create({ conditions: PRO, user_ids: ["ada"] });
  await create({ name: "unused", user_ids: ["nobody"] });
  const rules = [ruleFor("beta")];
  await createFlag({ rollout_percentage: 0, rules });
  expect((await evaluate("ada")).value).toBe(true);
  expect((await evaluate("bob", { plan: "pro" })).value).toBe(true);
  expect((await evaluate("bob")).value).toBe(false);
  const { key } = await server.withKey(["read"]);
  const { json } = await server.send("GET", "/openfeature/flags", { headers: { "x-api-key": key } });
  const definitions = json as Definitions;
  // No definition refers to the other segment, so it is left out.
  expect(definitions.segments).toEqual([{ id, name: "beta", user_ids: ["ada"], when: PRO }]);
  const engine = createEngine(definitions);
  for (const context of [{ targetingKey: "ada" }, { targetingKey: "bob", plan: "pro" }, { targetingKey: "bob" }]) {
    expect(engine.evaluate("flag", context, null)).toEqual(server.assay.engine.evaluate("flag", context, null));
  }
});

test("a changed segment is announced with the flags and running experiments that depend on it", async () => {
  const { id } = await create({ name: "inner" });
  const outer = await create({ name: "outer", conditions: refersTo("inner") });
  await createFlag({ rules: [ruleFor(outer.id)] });
  await createFlag({ key: "other" });
  await server.admin.request("POST /experiments/", {
    body: {
      name: "Running",
      status: "ACTIVE",
      variants: [{ key: "a" }, { key: "b" }],
      targeting_rules: { user_segments: ["outer"] },
    },
  });
  const { key } = await server.withKey(["read"]);
  const request = new Request(`${ORIGIN}/api/v1/openfeature/stream`, { headers: { "x-api-key": key } });
  const events = readEvents(await server.assay.fetch(request));
  await update(id, { user_ids: ["ada"] });
  expect((await events.next())!.data).toMatchObject({ flags: ["flag"], experiments: ["running"] });
  await events.cancel();
});

test("lists what refers to a segment by id or by name, which keeps it from deletion", async () => {
  const { id } = await create({});
  await createFlag({ key: "by-id", rules: [ruleFor(id)] });
  await createFlag({ key: "by-name", targeting_rules: { user_segments: ["beta"] } });
  const experiment = await server.admin.request("POST /experiments/", {
    body: {
      name: "Draft",
      experiment_type: "FEATURE_FLAG",
      overrides: [{ user_segment: "beta", value: true }],
    },
  });
  await create({ name: "outer", conditions: refersTo("beta") });
  const { used_by } = await get(id);
  expect(used_by.map(({ type, key }) => [type, key])).toEqual([
    ["FEATURE_FLAG", "by-id"],
    ["FEATURE_FLAG", "by-name"],
    ["EXPERIMENT", "draft"],
    ["SEGMENT", "outer"],
  ]);
  // A VIEWER sees no drafts.
  expect((await get(id, await server.as("VIEWER"))).used_by).toHaveLength(3);
  const using = 'feature flag "by-id", feature flag "by-name", experiment "draft", segment "outer"';
  expect(await refusal(remove(id))).toMatchObject({
    status: 409,
    detail: `Segment "beta" is used by ${using}; it cannot be deleted`,
  });
  expect((await refusal(update(id, { status: "archived" }))).status).toBe(409);

  for (const flag of ["by-id", "by-name"]) {
    await server.admin.request("DELETE /feature-flags/{id}", { params: { id: flag } });
  }
  await remove("outer");
  await server.admin.request("POST /experiments/{experiment_id}/archive", { params: { experiment_id: experiment.id } });
  await remove(id);
});

test("rejects a new name if something refers to the old name, and accepts it for references by id", async () => {
  const { id } = await create({});
  const flag = await createFlag({ rollout_percentage: 0, rules: [ruleFor("beta")] });
  const refused = await refusal(update(id, { name: "testers" }));
  expect(refused).toMatchObject({ status: 409 });
  expect(refused.detail).toContain('used by feature flag "flag"; it cannot be renamed');
  await server.admin.request("PUT /feature-flags/{id}", { params: { id: flag.id }, body: { rules: [ruleFor(id)] } });
  expect(await update(id, { name: "testers", user_ids: ["ada"] })).toMatchObject({ name: "testers" });
  expect((await evaluate("ada")).value).toBe(true);
});

test("an archived segment has no members and cannot be referred to, until it is active again", async () => {
  const { id } = await create({ user_ids: ["ada"] });
  expect(await update(id, { status: "archived" })).toMatchObject({ status: "ARCHIVED" });
  expect(await isMember(id, "ada")).toMatchObject({ is_member: false, matched: [] });
  expect(await refusal(createFlag({ rules: [ruleFor("beta")] }))).toMatchObject({
    status: 422,
    issues: [{ loc: ["body", "rules", 0, "when", "value"], msg: 'Segment "beta" does not exist' }],
  });
  await update(id, { status: "ACTIVE" });
  expect(await isMember(id, "ada")).toMatchObject({ is_member: true });
  await createFlag({ rules: [ruleFor("beta")] });
});

test("a segment inside another one cannot be archived, and an archived one cannot be used inside another one", async () => {
  const inner = await create({ name: "inner", user_ids: ["ada"] });
  const outer = await create({ name: "outer", conditions: refersTo("inner") });
  expect(await isMember(outer.id, "ada")).toMatchObject({ is_member: true });
  expect((await refusal(update(inner.id, { status: "ARCHIVED" }))).status).toBe(409);
  await remove(outer.id);
  await update(inner.id, { status: "ARCHIVED" });
  expect(await refusal(create({ name: "later", conditions: refersTo("inner") }))).toMatchObject({
    status: 422,
    issues: [{ msg: 'Segment "inner" does not exist' }],
  });
});

test("an archived segment inside another one, as two nodes can make it at once, has no members there", async () => {
  const store = memoryStore();
  const kept = { ...store, close: async () => {} };
  await server.assay.close();
  server = await createTestServer({ storage: kept });
  const inner = await create({ name: "inner", user_ids: ["ada"] });
  const outer = await create({ name: "outer", conditions: refersTo("inner") });
  await createFlag({ rules: [ruleFor("outer")] });
  expect([(await isMember(outer.id, "ada")).is_member, (await evaluate("ada")).rule_id]).toEqual([true, "r"]);
  await server.assay.close();

  const entry = (await store.list("segments/doc/")).find(({ key }) => key.endsWith(inner.id))!;
  const archived = new TextDecoder().decode(entry.value).replace('"status":"ACTIVE"', '"status":"ARCHIVED"');
  await store.batch([{ type: "put", key: entry.key, value: new TextEncoder().encode(archived) }]);
  server = await createTestServer({ storage: kept });
  expect(await get(inner.id)).toMatchObject({ status: "ARCHIVED" });
  expect([(await isMember(outer.id, "ada")).is_member, (await evaluate("ada")).rule_id]).toEqual([false, null]);
});

test("rejects a rule over an unknown segment; user_segments may name segments of the context", async () => {
  const experiment = { name: "x", variants: [{ key: "on" }, { key: "off" }], rules: [ruleFor("nowhere")] };
  for (const refused of [
    () => createFlag({ rules: [{ ...ruleFor("beta"), when: { any: [{ not: refersTo("nowhere") }] } }] }),
    () => server.admin.request("POST /experiments/", { body: experiment as never }),
  ]) {
    expect(await refusal(refused())).toMatchObject({
      status: 422,
      issues: [{ msg: 'Segment "nowhere" does not exist' }],
    });
  }
  await createFlag({ targeting_rules: { user_segments: ["nowhere"] } });
  expect((await evaluate("ada", { user_segments: ["nowhere"] })).value).toBe(true);
  expect((await evaluate("ada")).value).toBe(false);
});

test("a clone of an experiment with a deleted segment can be changed, and starts only then", async () => {
  const { id } = await create({});
  const body = { name: "x", status: "ACTIVE", variants: [{ key: "on" }, { key: "off" }], rules: [ruleFor("beta")] };
  await server.admin.request("POST /experiments/", { body: body as never });
  const move = (experiment_id: string, to: "start" | "complete") =>
    server.admin.request(`POST /experiments/{experiment_id}/${to}`, { params: { experiment_id } });
  await move("x", "complete");
  await remove(id);
  const params = { experiment_id: "x" };
  const copy = await server.admin.request("POST /experiments/{experiment_id}/clone", { params, body: { key: "y" } });
  expect(await refusal(move("y", "start"))).toMatchObject({
    status: 400,
    detail: 'A rule refers to segment "beta", which does not exist',
  });
  await server.admin.request("PUT /experiments/{experiment_id}", {
    params: { experiment_id: copy.id },
    body: { rules: null },
  });
  expect(await move("y", "start")).toMatchObject({ status: "ACTIVE" });
});

test("all users read segments and developers change them; a read key may check membership", async () => {
  const viewer = await server.as("VIEWER");
  const developer = await server.as("DEVELOPER");
  const { id } = await create({}, developer);
  expect((await get(id, viewer)).created_by).toBe(developer.user.id);
  expect((await refusal(create({ name: "no" }, viewer))).status).toBe(403);
  expect((await refusal(create({ name: "no" }, await server.as("ANALYST")))).status).toBe(403);
  const key = await server.withKey(["read"]);
  const question = { params: { id }, body: { user_id: "ada" } };
  expect(await key.request("POST /segments/{id}/evaluate", question)).toMatchObject({ is_member: false });
  expect(await viewer.request("POST /segments/{id}/evaluate", question)).toMatchObject({ is_member: false });
  const write = await server.withKey(["write"]);
  expect((await refusal(write.request("POST /segments/{id}/evaluate", question))).status).toBe(403);
  expect((await refusal(key.request("GET /segments"))).status).toBe(401);
});

test("rejects a reference to a segment that would push the definitions past 10 MB", async () => {
  const user_ids = Array.from({ length: 10_000 }, (_, index) => `${index}-${"x".repeat(80)}`);
  const names: string[] = [];
  for (let number = 0; number < 12; number++) {
    names.push((await create({ name: `s${number}`, user_ids })).name);
  }
  const rules = names.map((name, index) => ruleFor(name, `r${index}`));
  expect((await refusal(createFlag({ rules }))).status).toBe(413);
  await createFlag({ rules: rules.slice(0, 10) });
  expect((await refusal(update("s1", { conditions: [refersTo("s10"), refersTo("s11")] }))).status).toBe(413);
});

test("segments, groups and holdouts survive a restart and are evaluated", async () => {
  const store = { ...memoryStore(), close: async () => {} };
  const open = () => createTestServer({ storage: store });
  await server.assay.close();
  server = await open();
  await create({ user_ids: ["ada"] });
  await createFlag({ rollout_percentage: 0, rules: [ruleFor("beta")] });
  await server.admin.request("POST /holdout", { body: { name: "Global", percentage: 5 } });
  const before = server.assay.engine.definitions;
  await server.assay.close();
  server = await open();
  expect(server.assay.engine.definitions).toEqual(before);
  expect((await evaluate("ada")).value).toBe(true);
});

test("a segment has the users of a range of IP addresses, and a bad range is a 422", async () => {
  const office = { attribute: "ip", operator: "IN_CIDR", value: ["10.0.0.0/8", "2001:db8::/32"] };
  const { id } = await create({ conditions: office });
  for (const [ip, is_member] of [
    ["10.1.2.3", true],
    ["::ffff:10.1.2.3", true],
    ["2001:DB8::1", true],
    ["192.0.2.1", false],
    ["unknown", false],
  ] as const) {
    expect(await isMember(id, "ada", { ip })).toMatchObject({ is_member });
  }
  const word = { attribute: "path", operator: "MATCHES", value: "\\bsale\\b" };
  const { id: sale } = await create({ name: "sale", conditions: word });
  expect(await isMember(sale, "ada", { path: "/sale/1" })).toMatchObject({ is_member: true });
  expect(await isMember(sale, "ada", { path: "/wholesale" })).toMatchObject({ is_member: false });
  const bad = create({ name: "bad", conditions: { ...office, value: ["10.0.0.0/8", "10.0.0.0/33"] } });
  expect(await refusal(bad)).toMatchObject({ status: 422 });
  expect(JSON.stringify(await refusal(bad))).toContain("is not an IP range like 10.0.0.0/8");
});
