import { bucket } from "@assay/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.assay.close());

type Client = Pick<TestServer["admin"], "request">;

const create = (body: object = {}, client: Client = server.admin) =>
  client.request("POST /holdout", { body: { name: "Global", percentage: 20, ...body } });
const update = (id: string, body: object, client: Client = server.admin) =>
  client.request("PUT /holdout/{id}", { params: { id }, body });
const active = (client: Client = server.admin) => client.request("GET /holdout");
const check = (uid: string, client: Client = server.admin) =>
  client.request("GET /holdout/check/{uid}", { params: { uid } });
const report = (id: string, query: object = {}) => server.admin.request("GET /holdout/{id}", { params: { id }, query });
const experiment = (key: string, body: object = {}) =>
  server.admin.request("POST /experiments/", {
    body: { key, name: key, status: "ACTIVE", variants: [{ key: "a" }, { key: "b" }], ...body },
  });
const users = (count: number) => Array.from({ length: count }, (_, index) => `user-${index}`);

test("a holdout is active from its creation until its end", async () => {
  expect(await active()).toBeNull();
  const holdout = await create({ description: "Everything" });
  const { id: created_by } = await server.admin.request("GET /users/me");
  expect(holdout).toMatchObject({
    created_by,
    name: "Global",
    description: "Everything",
    percentage: 20,
    status: "ACTIVE",
    started_at: "2026-03-01T12:00:00.000Z",
    ended_at: null,
  });
  expect(await active()).toEqual(holdout);
  server.advance(1000);
  const ended = await update(holdout.id, { status: "ended" });
  expect(ended).toMatchObject({ status: "ENDED", ended_at: "2026-03-01T12:00:01.000Z" });
  expect(await active()).toBeNull();
  expect((await server.admin.request("GET /holdout/all")).items).toEqual([ended]);
});

test("a new holdout draws its users anew", async () => {
  for (const name of ["First", "Second"]) {
    const { id } = await create({ name });
    const expected = users(20).map((user) => bucket(user, `holdout:${id}`));
    const buckets = [];
    for (const user of users(20)) buckets.push((await check(user)).bucket);
    expect(buckets).toEqual(expected);
    await update(id, { status: "ENDED" });
  }
});

test("can be drafted, changed and started; then its percentage is fixed", async () => {
  const { id } = await create({ status: "DRAFT" });
  expect(await active()).toBeNull();
  expect(await report(id)).toMatchObject({ status: "DRAFT", started_at: null, effect: null });
  await update(id, { percentage: 7.5 });
  expect(await update(id, { status: "ACTIVE" })).toMatchObject({ status: "ACTIVE", percentage: 7.5 });
  expect(await refusal(update(id, { percentage: 8 }))).toMatchObject({
    status: 400,
    detail: "The percentage of a holdout is fixed once it is ACTIVE; this one is ACTIVE",
  });
  expect(await update(id, { percentage: 7.5, name: "Renamed" })).toMatchObject({ name: "Renamed" });
});

test("only one is active at a time, and an ended one cannot restart", async () => {
  const first = await create();
  expect(await refusal(create({ name: "Second" }))).toMatchObject({
    status: 409,
    detail: 'Holdout "Global" is ACTIVE; end it first',
  });
  const second = await create({ name: "Second", status: "draft" });
  expect((await refusal(update(second.id, { status: "ACTIVE" }))).status).toBe(409);
  await update(first.id, { status: "ENDED" });
  await update(second.id, { status: "ACTIVE" });
  expect(await refusal(update(first.id, { status: "ACTIVE" }))).toMatchObject({
    status: 400,
    detail: "A holdout cannot go from ENDED to ACTIVE",
  });
  expect((await refusal(create({ status: "ENDED" }))).status).toBe(400);
});

test("two simultaneous starts give one active holdout", async () => {
  const outcomes = await Promise.allSettled([create({ name: "a" }), create({ name: "b" })]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect((await server.admin.request("GET /holdout/all")).total).toBe(1);
});

test.each([0, -1, 50.1, 101])("rejects a percentage of %d", async (percentage) => {
  expect((await refusal(create({ percentage }))).status).toBe(422);
});

test("the hash alone determines who is held out", async () => {
  expect(await check("ada")).toEqual({ user_id: "ada", in_holdout: false, holdout_id: null, bucket: null });
  const { id } = await create();
  for (const user of users(100)) {
    const hash = bucket(user, `holdout:${id}`);
    expect(await check(user)).toEqual({ user_id: user, in_holdout: hash < 0.2, holdout_id: id, bucket: hash });
  }
});

test("held-out users get no arm of any experiment, and a flag's default while an experiment runs on it", async () => {
  const { id } = await create();
  await experiment("plain");
  for (const key of ["bound", "free"]) {
    await server.admin.request("POST /feature-flags/", {
      body: { key, name: key, status: "ACTIVE", rollout_percentage: 60 },
    });
  }
  const client = await server.withKey(["read", "write"]);
  const evaluate = (key: string, user_id: string) =>
    client.request("POST /feature-flags/{key}/evaluate", { params: { key }, body: { user_id } });
  const held = users(100).filter((user) => bucket(user, `holdout:${id}`) < 0.2);
  expect(held.length).toBeGreaterThan(5);
  // Nothing is withheld of a flag that no experiment runs on.
  const on = held.filter((user) => bucket(user, "bound") < 0.6);
  expect(on.length).toBeGreaterThan(0);
  expect(await evaluate("bound", on[0]!)).toMatchObject({ value: true, reason: "SPLIT" });
  await experiment("over", { experiment_type: "FEATURE_FLAG", feature_flag_key: "bound", variants: undefined });
  for (const user_id of users(100)) {
    const isHeld = held.includes(user_id);
    const assigned = await client.request("POST /tracking/assign", { body: { experiment_key: "plain", user_id } });
    expect([assigned.assigned, assigned.reason]).toEqual(isHeld ? [false, "HOLDOUT"] : [true, "ASSIGNED"]);
    const bound = await evaluate("bound", user_id);
    const isOn = bucket(user_id, "bound") < 0.6;
    expect([bound.value, bound.reason]).toEqual(isHeld ? [false, "HOLDOUT"] : [isOn, "SPLIT"]);
    expect(await evaluate("free", user_id)).toMatchObject({ value: bucket(user_id, "free") < 0.6, reason: "SPLIT" });
  }
  await update(id, { status: "ENDED" });
  expect(await evaluate("bound", on[0]!)).toMatchObject({ value: true, reason: "SPLIT" });
});

test("measures the effect on all users who asked for an arm since then", async () => {
  const client = await server.withKey(["write"]);
  const track = (event_type: string, user_id: string, body: object = {}) =>
    client.request("POST /tracking/track", { body: { event_type, user_id, ...body } });
  const { id: experimentId } = await experiment("plain");
  await track("purchase", "too-early", { value: 100 });
  server.advance(60_000);
  const { id } = await create();
  const isHeld = (user: string) => bucket(user, `holdout:${id}`) < 0.2;
  for (const user_id of users(60)) {
    for (let visit = 0; visit < 2; visit++) {
      await client.request("POST /tracking/assign", { body: { experiment_key: "plain", user_id } });
    }
    server.advance(1000);
    // Those who take part name the experiment, the others cannot: it counts on either side.
    if (Number(user_id.slice(5)) % 3 === 0) {
      const named = isHeld(user_id) ? {} : { experiment_id: experimentId, variant_id: "a" };
      await track("purchase", user_id, { value: 10, ...named });
    }
  }
  // Only users who take part report it, so it must not reveal users.
  await track("exposure", "local", { experiment_id: experimentId, variant_id: "b" });
  await track("visit", "browser");
  const { effect } = await report(id);
  const seen = [...users(60), "browser"];
  const held = seen.filter(isHeld);
  const bought = (sample: string[]) => sample.filter((user) => Number(user.slice(5)) % 3 === 0);
  const others = seen.filter((user) => !isHeld(user));
  expect(effect).toMatchObject({
    population: "ASKED_OR_SEEN",
    sample_size: { held_out: held.length, not_held_out: others.length },
    srm: {
      expected: { held_out: seen.length * 0.2, not_held_out: seen.length * 0.8 },
      observed: { held_out: held.length, not_held_out: others.length },
      warning: false,
    },
    analysis_warnings: [],
  });
  const purchase = effect!.metrics.find(({ metric_id }) => metric_id === "purchase")!;
  expect(purchase).toMatchObject({
    kind: "CONVERSION",
    variant: "not_held_out",
    control_value: bought(held).length / held.length,
    treatment_value: bought(others).length / others.length,
    n: { control: held.length, treatment: others.length },
  });
  const value = effect!.metrics.find(({ metric_id }) => metric_id === "purchase_value")!;
  expect(value.treatment_value).toBeCloseTo((10 * bought(others).length) / others.length, 12);

  // Counted among those who sent one event, only they are there.
  const visits = await report(id, { event_type: "visit" });
  expect(visits.effect).toMatchObject({ population: "EVENT", event_type: "visit" });
  expect(Object.values(visits.effect!.sample_size).reduce((sum, n) => sum + n)).toBe(1);

  // What comes after its end belongs to it no more.
  server.advance(1000);
  await update(id, { status: "ENDED" });
  server.advance(1000);
  await track("visit", "afterwards");
  expect((await report(id)).effect!.sample_size).toEqual(effect!.sample_size);
});

test("a peek adds no user to the measurement, and an exposure to the holdout is not an event of a user", async () => {
  const client = await server.withKey(["read", "write"]);
  await experiment("plain");
  const { id } = await create();
  const body = { experiment_key: "plain", user_id: "ada" };
  await client.request("POST /tracking/assign", { query: { peek: true }, body });
  expect((await report(id)).effect!.sample_size).toEqual({ held_out: 0, not_held_out: 0 });
  await client.request("POST /tracking/assign", { body });
  const { sample_size, metrics } = (await report(id)).effect!;
  expect(sample_size.held_out + sample_size.not_held_out).toBe(1);
  expect(metrics).toEqual([]);
  const assignments = await client.request("GET /tracking/assignments/{user_id}", { params: { user_id: "ada" } });
  expect(assignments.length).toBe(sample_size.not_held_out);
  // Erased, they are gone from here as well.
  await server.admin.request("DELETE /tracking/users/{user_id}", { params: { user_id: "ada" } });
  expect((await report(id)).effect!.sample_size).toEqual({ held_out: 0, not_held_out: 0 });
  await client.request("POST /tracking/assign", { body });
  expect((await report(id)).effect!.sample_size).toEqual(sample_size);
});

test("all users read it, only administrators change it, and a read key may check it", async () => {
  const [viewer, developer] = [await server.as("VIEWER"), await server.as("DEVELOPER")];
  const { id } = await create();
  expect(await active(viewer)).toMatchObject({ id });
  expect(await viewer.request("GET /holdout/{id}", { params: { id } })).toMatchObject({ id });
  expect((await refusal(create({}, developer))).status).toBe(403);
  expect((await refusal(update(id, { status: "ENDED" }, developer))).status).toBe(403);
  expect((await refusal(developer.request("GET /holdout/all"))).status).toBe(403);
  expect(await check("ada", await server.withKey(["read"]))).toMatchObject({ holdout_id: id });
  expect((await refusal(check("ada", await server.withKey(["write"])))).status).toBe(403);
  expect((await refusal(active(await server.withKey(["read"])))).status).toBe(401);
});
