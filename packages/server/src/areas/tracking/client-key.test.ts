import { bucket } from "@assay/core";
import { signOverrides } from "@assay/core/overrides";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";

const secret = "a secret of tests only";
const MINUTE = 60_000;

type Sender = Awaited<ReturnType<TestServer["withKey"]>>;

let server: TestServer;
let page: Sender;
let backend: Sender;

beforeEach(async () => {
  server = await createTestServer({ overrides: { secret } });
  page = await server.withKey(["write"], { kind: "CLIENT" });
  backend = await server.withKey(["read", "write"]);
});
afterEach(() => server.assay.close());

const run = (body: object) =>
  server.admin.request("POST /experiments/", {
    body: { key: "x", name: "X", status: "ACTIVE", variants: [{ key: "a" }, { key: "b" }], ...body } as never,
  });
const drawOf = (user_id: string, attributes?: Record<string, unknown>) =>
  server.assay.engine.assign("x", user_id, attributes)!.variant_key;
const otherThan = (arm: string, arms = ["a", "b"]) => arms.find((one) => one !== arm)!;
const exposure = (user_id: string, variant_id: string, more: object = {}) => ({
  event_type: "exposure",
  user_id,
  experiment_id: "x",
  variant_id,
  ...more,
});
const send = (sender: Sender, events: object[]) =>
  sender.request("POST /tracking/events", { body: { events } as never });
const users = (count: number) => Array.from({ length: count }, (_, index) => `user-${index}`);
const results = () => server.admin.request("GET /results/{experiment_id}", { params: { experiment_id: "x" } });
const stored = (user_id: string) => backend.request("GET /tracking/assignments/{user_id}", { params: { user_id } });
const NOT_DRAWN = {
  type: "not_drawn",
  msg: expect.stringContaining("a CLIENT key can report only the assigned arm"),
};

describe("a CLIENT key", () => {
  test("stores only the arm that the server draws", async () => {
    await run({});
    const wrong = otherThan(drawOf("ada"));
    expect(await refusal(page.request("POST /tracking/track", { body: exposure("ada", wrong) }))).toMatchObject({
      status: 422,
      issues: [{ loc: ["body", "variant_id"], ...NOT_DRAWN }],
    });
    expect(await stored("ada")).toEqual([]);
    await page.request("POST /tracking/track", { body: exposure("ada", drawOf("ada")) });
    expect(await stored("ada")).toMatchObject([{ variant_key: drawOf("ada") }]);
    const assigned = await backend.request("POST /tracking/assign", { body: { experiment_key: "x", user_id: "ada" } });
    expect(assigned.variant_key).toBe(drawOf("ada"));
  });

  test("gets its contradicting events of a batch rejected, and does not change the sample ratio", async () => {
    await run({});
    const everyone = users(100);
    const answer = await send(page, [
      ...everyone.map((user) => exposure(user, "a")),
      ...everyone.map((user) => exposure(user, drawOf(user), { event_type: "purchase" })),
    ]);
    const inB = everyone.filter((user) => drawOf(user) === "b");
    expect(inB.length).toBeGreaterThan(20);
    expect(answer).toMatchObject({ accepted: 200 - inB.length, rejected: inB.length });
    expect(answer.errors).toHaveLength(inB.length);
    expect(answer.errors[0]).toMatchObject({
      index: everyone.indexOf(inB[0]!),
      loc: ["body", "events", everyone.indexOf(inB[0]!), "variant_id"],
      ...NOT_DRAWN,
    });
    const { srm, crossover } = await results();
    expect([srm.observed, crossover]).toEqual([{ a: 100 - inB.length, b: inB.length }, 0]);
  });

  test("reports outcomes by the arm of their user, and outcomes without an arm", async () => {
    await run({});
    const purchase = { event_type: "purchase" };
    const answer = await send(page, [
      exposure("ada", otherThan(drawOf("ada")), purchase),
      { ...purchase, user_id: "ada", experiment_id: "x" },
      { ...purchase, user_id: "ada" },
    ]);
    expect(answer).toMatchObject({ accepted: 2, rejected: 1, errors: [{ index: 0, type: "not_drawn" }] });
    expect((await results()).sample_size).toEqual({ control: 0, treatment: 0 });
  });

  test("may name any arm without an exposure: the experiment does not run, or has no such arm", async () => {
    await run({});
    const params = { experiment_id: "x" };
    const [wrong, none] = [exposure("ada", otherThan(drawOf("ada"))), exposure("ada", "none")];
    expect(await send(page, [none])).toMatchObject({ accepted: 1, warnings: [{ code: "NOT_VISIBLE" }] });
    await server.admin.request("POST /experiments/{experiment_id}/pause", { params });
    expect(await send(page, [wrong])).toMatchObject({ accepted: 1, warnings: [{ code: "NOT_VISIBLE" }] });
    expect(await stored("ada")).toEqual([]);
  });

  test("may report an arm that is stored for the user", async () => {
    await run({});
    const wrong = otherThan(drawOf("ada"));
    await send(backend, [exposure("ada", wrong)]);
    expect(await send(page, [exposure("ada", wrong, { event_type: "purchase" })])).toMatchObject({ accepted: 1 });
    expect(await send(page, [exposure("bob", otherThan(drawOf("bob")))]).catch((error) => error.status)).toBe(422);
  });
});

describe("the warnings to a CLIENT key", () => {
  const experiment = (key: string, body: object = {}) => run({ key, name: key, ...body });
  const flag = (key: string, body: object = {}) =>
    server.admin.request("POST /feature-flags/", {
      body: { key, name: key, status: "ACTIVE", rollout_percentage: 50, ...body },
    });
  const purchase = (names: object) => ({ event_type: "purchase", user_id: "ada", ...names });
  const warningsTo = async (sender: Sender, names: object) => {
    const { warnings } = await send(sender, [purchase(names)]);
    const one = await sender.request("POST /tracking/track", { body: purchase(names) as never });
    expect(one.warnings).toEqual(warnings);
    return warnings;
  };

  test("are the same for hidden and for missing experiments and flags", async () => {
    const hidden = await flag("hidden-flag");
    const taken = await flag("archived-flag", { client_side: true });
    await server.admin.request("PUT /feature-flags/{id}", { params: { id: taken.id }, body: { status: "ARCHIVED" } });
    await flag("shown-flag", { client_side: true });
    await flag("off-flag", { status: "INACTIVE" });
    const draft = await experiment("draft", { status: "DRAFT" });
    await experiment("running");
    await experiment("over-hidden", {
      experiment_type: "FEATURE_FLAG",
      variants: undefined,
      feature_flag_key: "hidden-flag",
    });
    const named = [
      ...["missing", "draft", draft.id, "running", "over-hidden"].map((experiment_id) => ({ experiment_id })),
      ...["missing", "hidden-flag", hidden.id, "archived-flag", "off-flag"].map((key) => ({ feature_flag_key: key })),
      { experiment_id: "running", variant_id: "none" },
      { experiment_id: "missing", variant_id: "none" },
      { experiment_id: "missing", feature_flag_key: "shown-flag" },
      { experiment_id: "running", feature_flag_key: "shown-flag" },
    ];
    for (const names of named) {
      expect(await warningsTo(page, names), JSON.stringify(names)).toEqual([
        {
          index: 0,
          code: "NOT_VISIBLE",
          msg: "CLIENT keys cannot read an experiment or flag that the event names; Assay counts it only if they exist and accept events",
        },
      ]);
    }
    expect(await warningsTo(backend, { experiment_id: "draft" })).toEqual([
      { index: 0, code: "EXPERIMENT_NOT_RUNNING", msg: 'Experiment "draft" is DRAFT' },
    ]);
    expect(await warningsTo(backend, { experiment_id: "running" })).toBeUndefined();
  });

  test("tell about what it can read, and change when that changes", async () => {
    const { id } = await flag("shown", { client_side: true });
    await experiment("over", { experiment_type: "FEATURE_FLAG", variants: undefined, feature_flag_key: "shown" });
    expect(await warningsTo(page, { experiment_id: "over", feature_flag_key: "shown" })).toBeUndefined();
    expect(await warningsTo(page, {})).toBeUndefined();
    expect(await warningsTo(page, { experiment_id: "over", variant_id: "none" })).toEqual([
      { index: 0, code: "UNKNOWN_VARIANT", msg: 'Experiment "over" has no variant "none"' },
    ]);
    await server.admin.request("POST /experiments/{experiment_id}/complete", { params: { experiment_id: "over" } });
    expect(await warningsTo(page, { experiment_id: "over" })).toMatchObject([{ code: "NOT_VISIBLE" }]);
    await server.admin.request("PUT /feature-flags/{id}", { params: { id }, body: { status: "INACTIVE" } });
    expect(await warningsTo(page, { feature_flag_key: "shown" })).toMatchObject([{ code: "FLAG_NOT_ACTIVE" }]);
    await server.admin.request("PUT /feature-flags/{id}", { params: { id }, body: { client_side: false } });
    expect(await warningsTo(page, { feature_flag_key: "shown" })).toMatchObject([{ code: "NOT_VISIBLE" }]);
  });
});

test("SERVER keys may report any arm", async () => {
  await run({});
  const everyone = users(50);
  const answer = await send(backend, [
    ...everyone.map((user) => exposure(user, "a")),
    exposure("ada", "b", { event_metadata: { forced: true } }),
  ]);
  expect(answer).toMatchObject({ accepted: 51, rejected: 0 });
  expect(await results()).toMatchObject({ forced: 1, sample_size: { control: 50, treatment: 0 } });
  expect(await stored("user-0")).toMatchObject([{ variant_key: "a" }]);
});

describe("an arm that was drawn by earlier weights", () => {
  test("of a bandit is accepted if it was drawn since the start, and no other", async () => {
    const arms = ["a", "b", "c"];
    const weight = 1 / 3;
    await run({ allocation: "THOMPSON", variants: arms.map((key) => ({ key, weight })) });
    const everyone = users(200);
    const seen = new Map(everyone.map((user) => [user, new Set([drawOf(user)])]));
    for (const weights of [
      { a: 0.8, b: 0.1, c: 0.1 },
      // The ranges that b has had are apart: from 1/3 to 2/3, and from 0.8.
      { a: 0.9, b: 0.1, c: 0 },
    ]) {
      await server.admin.request("PUT /bandit/{experiment_id}/weights", {
        params: { experiment_id: "x" },
        body: { weights },
      });
      server.advance(MINUTE);
      for (const user of everyone) seen.get(user)!.add(drawOf(user));
    }
    expect(new Set([...seen.values()].map(({ size }) => size))).toEqual(new Set([1, 2, 3]));
    const events = everyone.flatMap((user) => arms.map((arm) => exposure(user, arm)));
    const { errors } = await send(page, events);
    const refused = new Set(errors.map(({ index }) => index));
    expect(events.filter((_, index) => !refused.has(index))).toEqual(
      events.filter(({ user_id, variant_id }) => seen.get(user_id)!.has(variant_id)),
    );
  });

  test("of a flag whose weights changed in a pause is accepted", async () => {
    const variants = (weights: number[]) => weights.map((weight, at) => ({ key: "ab"[at]!, value: "ab"[at]!, weight }));
    const body = { key: "f", name: "F", status: "ACTIVE" as const, value_type: "STRING" as const, client_side: true };
    await server.admin.request("POST /feature-flags/", { body: { ...body, variants: variants([0.5, 0.5]) } });
    await run({ feature_flag_key: "f", variants: undefined });
    const params = { experiment_id: "x" };
    const everyone = users(300);
    const seen = new Map(everyone.map((user) => [user, new Set([drawOf(user)])]));
    for (const weights of [
      [0.7, 0.3],
      [0.9, 0.1],
    ]) {
      await server.admin.request("POST /experiments/{experiment_id}/pause", { params });
      await server.admin.request("PUT /feature-flags/{id}", {
        params: { id: "f" },
        body: { variants: variants(weights) },
      });
      await server.admin.request("POST /experiments/{experiment_id}/start", { params });
      for (const user of everyone) seen.get(user)!.add(drawOf(user));
    }
    const events = everyone.map((user) => exposure(user, "b"));
    const { errors } = await send(page, events);
    expect(errors.map(({ index }) => everyone[index])).toEqual(everyone.filter((user) => !seen.get(user)!.has("b")));
    expect(everyone.filter((user) => seen.get(user)!.size === 2).length).toBeGreaterThan(60);
  });

  test("of a boolean flag that was rolled back later is accepted", async () => {
    await server.admin.request("POST /feature-flags/", {
      body: { key: "f", name: "F", status: "ACTIVE", rollout_percentage: 60 },
    });
    await run({ feature_flag_key: "f", variants: undefined, experiment_type: "FEATURE_FLAG" });
    const everyone = users(100);
    const before = everyone.map((user) => drawOf(user));
    server.advance(MINUTE);
    await server.admin.request("POST /safety/rollback/{flag_id}", {
      params: { flag_id: "f" },
      body: { percentage: 20 },
    });
    const events = everyone.flatMap((user) => ["on", "off"].map((arm) => exposure(user, arm)));
    const { errors } = await send(page, events);
    const refused = new Set(errors.map(({ index }) => index));
    expect(events.filter((_, index) => !refused.has(index))).toEqual(
      events.filter(
        ({ user_id, variant_id }) => variant_id === before[everyone.indexOf(user_id)] || variant_id === drawOf(user_id),
      ),
    );
    const by = (arm: string) => before.filter((one) => one === arm).length;
    expect([by("on") > 40, by("off") > 20]).toEqual([true, true]);
  });
});

test("an arm of a boolean flag that only a percentage before the start gave is rejected", async () => {
  const params = { id: "f" };
  await server.admin.request("POST /feature-flags/", {
    body: { key: "f", name: "F", status: "ACTIVE", rollout_percentage: 60 },
  });
  server.advance(MINUTE);
  await server.admin.request("PUT /feature-flags/{id}", { params, body: { rollout_percentage: 20 } });
  server.advance(MINUTE);
  await run({ feature_flag_key: "f", variants: undefined, experiment_type: "FEATURE_FLAG" });
  const user = users(100).find((one) => bucket(one, "f") >= 0.2 && bucket(one, "f") < 0.6)!;
  expect(await send(page, [exposure(user, "off")])).toMatchObject({ accepted: 1 });
  expect(await refusal(send(page, [exposure(user, "on")]))).toMatchObject({ status: 422, issues: [NOT_DRAWN] });
});

describe("a user who takes part by attributes", () => {
  const targeting_rules = { countries: ["DE"] };

  test("is exposed with or without the attributes, in the arm that they draw", async () => {
    await run({ targeting_rules });
    const arm = drawOf("ada", { country: "DE" });
    expect(await send(page, [exposure("ada", arm)])).toMatchObject({ accepted: 1 });
    const other = exposure("ada", otherThan(arm), { event_metadata: { country: "DE" } });
    expect((await refusal(send(page, [other]))).status).toBe(422);
    expect((await results()).sample_size).toMatchObject({ [arm === "a" ? "control" : "treatment"]: 1 });
  });

  test.each([
    { targeting_rules },
    { targeting_rules: { included_users: ["bob"], user_attributes: { plan: ["pro"] } } },
  ])("has no arm stored by attributes of a page: %j", async (body) => {
    await run(body);
    const event_metadata = { country: "DE", plan: "pro" };
    await send(page, [exposure("ada", drawOf("ada", event_metadata), { event_metadata })]);
    expect(await stored("ada")).toEqual([]);
  });

  test("is not enrolled by a page if the holdout or the exclusion group excludes them", async () => {
    await run({ status: "DRAFT" });
    const { id } = await server.admin.request("POST /mutual-exclusion-groups", { body: { name: "G" } });
    await server.admin.request("POST /mutual-exclusion-groups/{group_id}/experiments", {
      params: { group_id: id },
      body: { experiment_id: "x", slot_percentage: 50 },
    });
    await server.admin.request("POST /experiments/{experiment_id}/start", { params: { experiment_id: "x" } });
    const everyone = users(40);
    const isIn = (user: string) => server.assay.engine.assign("x", user)!.assigned;
    await send(
      page,
      everyone.flatMap((user) => ["a", "b"].map((arm) => exposure(user, arm))),
    );
    const enrolled: string[] = [];
    for (const user of everyone) if ((await stored(user)).length > 0) enrolled.push(user);
    expect(enrolled).toEqual(everyone.filter(isIn));
    expect(enrolled.length).toBeGreaterThan(5);
    expect(enrolled.length).toBeLessThan(35);
  });

  test("needs the hashed attribute in events of a page", async () => {
    await run({ bucket_by: "company" });
    const arm = drawOf("ada", { company: "acme" });
    const event_metadata = { company: "acme" };
    expect(await refusal(send(page, [exposure("ada", arm)]))).toMatchObject({
      status: 422,
      issues: [{ loc: ["body", "events", 0, "event_metadata", "company"], type: "unit_missing" }],
    });
    const { accepted, errors } = await send(page, [
      exposure("ada", arm, { event_metadata }),
      exposure("ada", otherThan(arm), { event_metadata }),
    ]);
    expect([accepted, errors.map(({ index }) => index)]).toEqual([1, [1]]);
    expect(await stored("ada")).toEqual([]);
  });

  test.each(["user_id", "targetingKey"])(
    "needs nothing in events of a page if their %s is hashed",
    async (bucket_by) => {
      await run({ bucket_by });
      const arm = drawOf("ada");
      expect(await send(page, [exposure("ada", arm)])).toMatchObject({ accepted: 1, errors: [] });
      expect(await refusal(send(page, [exposure("ada", otherThan(arm))]))).toMatchObject({
        status: 422,
        issues: [{ loc: ["body", "events", 0, "variant_id"], type: "not_drawn" }],
      });
    },
  );
});

describe("an arm that is assigned by name", () => {
  const rule = (variant: string) => ({
    id: "staff",
    when: { attribute: "staff", operator: "EQUALS" as const, value: true },
    serve: { variant },
  });

  test("by a rule is accepted as forced, with or without the page saying so, and never stored", async () => {
    const [someone, other] = users(50).filter((user) => drawOfKey(user) === "a");
    await run({ rules: [rule("b")] });
    const event_metadata = { forced: true };
    expect(
      await send(page, [exposure(someone!, "b", { event_metadata }), exposure(other!, "b"), exposure("third", "c")]),
    ).toMatchObject({ accepted: 3 });
    expect(await results()).toMatchObject({ forced: 2, sample_size: { control: 0, treatment: 0 } });
    expect(await stored(someone!)).toEqual([]);
  });

  test("by a rule leaves no arm stored that a page draws, because the server does not know the attribute", async () => {
    const someone = users(50).find((user) => drawOfKey(user) === "a")!;
    await run({ rules: [rule("b")] });
    expect(await send(page, [exposure(someone, "a")])).toMatchObject({ accepted: 1 });
    expect((await results()).sample_size.control).toBe(1);
    expect(await stored(someone)).toEqual([]);
  });

  test("by a rule of the experiment's flag is accepted as forced", async () => {
    await server.admin.request("POST /feature-flags/", {
      body: { key: "f", name: "F", status: "ACTIVE", rollout_percentage: 50, rules: [rule("on")] },
    });
    await run({ feature_flag_key: "f", variants: undefined, experiment_type: "FEATURE_FLAG" });
    const outside = users(50).filter((user) => drawOf(user) === "off");
    expect(outside.length).toBeGreaterThan(10);
    expect(
      await send(
        page,
        outside.map((user) => exposure(user, "on")),
      ),
    ).toMatchObject({ accepted: outside.length, rejected: 0 });
    expect((await results()).forced).toBe(outside.length);
  });

  // Without the rule, users below 0.5 draw a, the others b.
  test.each([
    { rollout_percentage: 100, weights: [0.1, 0.9], gives: (hash: number) => (hash < 0.1 ? "a" : "b") },
    {
      rollout_percentage: 50,
      weights: [0.2, 0.8],
      gives: (hash: number) => (hash < 0.1 ? "a" : hash >= 0.2 && hash < 0.6 ? "b" : null),
    },
    {
      rollout_percentage: 50,
      weights: [0.8, 0.2],
      gives: (hash: number) => (hash < 0.4 ? "a" : hash >= 0.8 && hash < 0.9 ? "b" : null),
    },
  ])(
    "by a rule that gives $weights to $rollout_percentage% is accepted for the users who can have it",
    async ({ rollout_percentage, weights, gives }) => {
      const variants = weights.map((weight, index) => ({ key: "ab"[index]!, weight }));
      await run({ rules: [{ ...rule("b"), serve: { rollout_percentage, variants } }] });
      const everyone = users(300);
      const events = everyone.flatMap((user) => ["a", "b"].map((arm) => exposure(user, arm)));
      const { errors } = await send(page, events);
      const refused = new Set(errors.map(({ index }) => index));
      const isDrawn = (user: string, arm: string) => drawOfKey(user) === arm;
      const isGiven = (user: string, arm: string) => gives(bucket(user, "x")) === arm;
      expect(events.filter((_, index) => !refused.has(index))).toEqual(
        events.filter(({ user_id, variant_id: arm }) => isDrawn(user_id, arm) || isGiven(user_id, arm)),
      );
      const onlyGiven = events.filter(
        ({ user_id, variant_id: arm }) => !isDrawn(user_id, arm) && isGiven(user_id, arm),
      );
      expect((await results()).forced).toBe(onlyGiven.length);
    },
  );

  test("to some users is valid for them only", async () => {
    await run({ overrides: [{ user_id: "ada", value: "b" }], experiment_type: "FEATURE_FLAG" });
    const inA = users(50).find((user) => drawOf(user) === "a")!;
    const { errors } = await send(page, [exposure("ada", "b"), exposure(inA, "b")]);
    expect(errors.map(({ index }) => index)).toEqual([1]);
    expect((await results()).forced).toBe(1);
  });

  test("to some users leaves the arm of the others stored", async () => {
    await run({ overrides: [{ user_id: "bob", value: "b" }] });
    await send(page, [exposure("ada", drawOf("ada"))]);
    expect(await stored("ada")).toMatchObject([{ variant_key: drawOf("ada") }]);
  });

  test("only according to the page does not exclude a user from the results", async () => {
    await run({});
    const event_metadata = { forced: true };
    const { errors } = await send(page, [
      exposure("ada", drawOf("ada"), { event_metadata }),
      exposure("bob", otherThan(drawOf("bob")), { event_metadata }),
    ]);
    expect(errors.map(({ index }) => index)).toEqual([1]);
    const { forced, sample_size } = await results();
    expect([forced, sample_size.control + sample_size.treatment]).toEqual([0, 1]);
  });

  test("is rejected from a page if no experiment runs on the flag", async () => {
    await server.admin.request("POST /feature-flags/", { body: { key: "f", name: "F", status: "ACTIVE" } });
    const shown = { event_type: "exposure", feature_flag_key: "f", variant_id: "on", event_metadata: { forced: true } };
    await send(page, [{ ...shown, user_id: "ada" }]);
    await send(backend, [{ ...shown, user_id: "bob" }]);
    const forced = async (user_id: string) =>
      (await server.admin.request("GET /tracking/users/{user_id}", { params: { user_id } })).events[0]!.forced;
    expect([await forced("ada"), await forced("bob")]).toEqual([false, true]);
  });

  test("by a signed token is accepted as forced, for the requests that carry it", async () => {
    await run({});
    const arm = otherThan(drawOf("ada"));
    const token = await signOverrides({ experiments: { x: arm } }, { secret, now: server.now });
    const headers = { "x-api-key": page.key, "x-assay-override": token };
    const { status } = await server.send("POST", "/tracking/events", { body: [exposure("ada", arm)], headers });
    expect([status, (await results()).forced, await stored("ada")]).toEqual([201, 1, []]);
    expect((await refusal(send(page, [exposure("ada", arm)]))).status).toBe(422);
  });
});

/** The arm of a user in `x` of two equal arms, before there is one. */
function drawOfKey(user: string): string {
  return bucket(user, "x") < 0.5 ? "a" : "b";
}
