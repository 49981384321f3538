import { memoryStore } from "@assay/store";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.assay.close());

type Client = Pick<TestServer["admin"], "request">;

const create = (body: object = {}, client: Client = server.admin) =>
  client.request("POST /mutual-exclusion-groups", { body: { name: "Checkout page", ...body } });
const get = (group_id: string, client: Client = server.admin) =>
  client.request("GET /mutual-exclusion-groups/{group_id}", { params: { group_id } });
const update = (group_id: string, body: object) =>
  server.admin.request("PUT /mutual-exclusion-groups/{group_id}", { params: { group_id }, body });
const archive = (group_id: string, client: Client = server.admin) =>
  client.request("DELETE /mutual-exclusion-groups/{group_id}", { params: { group_id } });
const add = (group_id: string, experiment_id: string, slot_percentage?: number, client: Client = server.admin) =>
  client.request("POST /mutual-exclusion-groups/{group_id}/experiments", {
    params: { group_id },
    body: { experiment_id, ...(slot_percentage === undefined ? {} : { slot_percentage }) },
  });
const leave = (group_id: string, eid: string) =>
  server.admin.request("DELETE /mutual-exclusion-groups/{group_id}/experiments/{eid}", { params: { group_id, eid } });
const experiment = (key: string, body: object = {}) =>
  server.admin.request("POST /experiments/", {
    body: { key, name: key, variants: [{ key: "a" }, { key: "b" }], ...body },
  });
const change = (experiment_id: string, body: object) =>
  server.admin.request("PUT /experiments/{experiment_id}", { params: { experiment_id }, body });
const groupOf = async (experiment_id: string) =>
  (await server.admin.request("GET /experiments/{experiment_id}", { params: { experiment_id } }))
    .mutual_exclusion_group_id;
const slots = async (group_id: string) =>
  (await get(group_id)).experiments.map(({ key, slot_start, slot_end }) => [key, slot_start, slot_end]);

test("creates, reads, lists, changes and archives a group", async () => {
  const group = await create({ description: "One at a time" });
  expect(group).toMatchObject({
    name: "Checkout page",
    description: "One at a time",
    status: "ACTIVE",
    traffic_percentage: 100,
    free_percentage: 100,
    experiments: [],
  });
  expect(await get(group.id)).toEqual(group);
  expect(await update(group.id, { traffic_percentage: 40, description: null })).toMatchObject({
    description: "",
    traffic_percentage: 40,
    free_percentage: 40,
  });
  await archive(group.id);
  expect(await get(group.id)).toMatchObject({ status: "ARCHIVED", traffic_percentage: 40 });
  const list = (status_filter: string) =>
    server.admin.request("GET /mutual-exclusion-groups", { query: { status_filter: status_filter as never } });
  expect((await list("active")).total).toBe(0);
  expect((await list("archived")).items.map(({ id }) => id)).toEqual([group.id]);
  expect(await refusal(update(group.id, { name: "New" }))).toMatchObject({
    status: 400,
    detail: "A group that is ARCHIVED cannot change",
  });
});

test("experiments get adjacent slots of the requested size, or half of the free space", async () => {
  const { id } = await create();
  const [one, two, three] = [await experiment("one"), await experiment("two"), await experiment("three")];
  expect(await add(id, one.id, 30)).toMatchObject({
    experiments: [{ experiment_id: one.id, key: "one", status: "DRAFT", slot_start: 0, slot_end: 0.3 }],
    free_percentage: 70,
  });
  await add(id, "two");
  await add(id, three.id, 35);
  expect(await slots(id)).toEqual([
    ["one", 0, 0.3],
    ["two", 0.3, 0.65],
    ["three", 0.65, 1],
  ]);
  expect([await groupOf("one"), await groupOf("two")]).toEqual([id, id]);
  await leave(id, two.id);
  expect(await groupOf("two")).toBeNull();
  expect(await slots(id)).toEqual([
    ["one", 0, 0.3],
    ["three", 0.65, 1],
  ]);
  await add(id, two.id, 35);
  expect((await slots(id))[1]).toEqual(["two", 0.3, 0.65]);
});

test("rejects a slot that does not fit, and reports the free space", async () => {
  const { id } = await create({ traffic_percentage: 60 });
  await experiment("one");
  await experiment("two");
  await add(id, "one", 45.5);
  expect(await refusal(add(id, "two", 20))).toMatchObject({
    status: 409,
    detail: 'Group "Checkout page" has 14.5 % free in one range, but the experiment needs 20 %',
  });
  await add(id, "two", 14.5);
  await experiment("three");
  expect(await refusal(add(id, "three"))).toMatchObject({
    status: 409,
    detail: 'Group "Checkout page" has 0 % free in one range',
  });
  expect(await groupOf("three")).toBeNull();
  for (const slot_percentage of [0, -1, 100.1, 0.00001]) {
    expect((await refusal(add(id, "three", slot_percentage))).status).toBe(422);
  }
});

test("traffic can be reduced to the end of the last slot", async () => {
  const { id } = await create();
  await experiment("one");
  await add(id, "one", 40);
  expect(await refusal(update(id, { traffic_percentage: 39 }))).toMatchObject({
    status: 409,
    detail: "39 % would cut off the slots of one",
  });
  expect(await update(id, { traffic_percentage: 40 })).toMatchObject({ free_percentage: 0 });
});

test("an experiment is in one group at most, and joins and leaves only as a DRAFT", async () => {
  const [first, second] = [await create(), await create({ name: "Other" })];
  await experiment("one");
  await add(first.id, "one", 10);
  for (const { id } of [first, second]) {
    expect(await refusal(add(id, "one", 10))).toMatchObject({
      status: 409,
      detail: 'Experiment "one" is already in group "Checkout page"',
    });
  }
  expect((await refusal(leave(second.id, "one"))).status).toBe(404);
  await change("one", { status: "ACTIVE" });
  expect(await refusal(leave(first.id, "one"))).toMatchObject({
    status: 400,
    detail: 'Only a DRAFT experiment can leave a group; "one" is ACTIVE',
  });
  await experiment("two", { status: "ACTIVE" });
  expect(await refusal(add(first.id, "two"))).toMatchObject({
    status: 400,
    detail: 'Only a DRAFT experiment can join a group; "two" is ACTIVE',
  });
  expect((await refusal(add(first.id, "nobody"))).status).toBe(404);
  expect((await refusal(leave(first.id, "nobody"))).status).toBe(404);
});

test("an experiment can name its group on creation or as a DRAFT", async () => {
  const [first, second] = [await create(), await create({ name: "Other" })];
  const one = await experiment("one", { mutual_exclusion_group_id: first.id, status: "ACTIVE" });
  expect(one).toMatchObject({ status: "ACTIVE", mutual_exclusion_group_id: first.id });
  await experiment("two", { mutual_exclusion_group_id: first.id });
  expect(await slots(first.id)).toEqual([
    ["one", 0, 0.5],
    ["two", 0.5, 0.75],
  ]);
  expect((await change("two", { mutual_exclusion_group_id: second.id })).mutual_exclusion_group_id).toBe(second.id);
  expect([await slots(first.id), await slots(second.id)]).toEqual([[["one", 0, 0.5]], [["two", 0, 0.5]]]);
  expect(await get(first.id)).toMatchObject({ free_percentage: 50 });
  await change("two", { mutual_exclusion_group_id: null });
  expect(await slots(second.id)).toEqual([]);
  expect(await refusal(change("one", { mutual_exclusion_group_id: null }))).toMatchObject({
    status: 400,
    detail: "mutual_exclusion_group_id can change only in DRAFT; the experiment is ACTIVE",
  });
  const unknown = "018f0000-0000-7000-8000-000000000000";
  for (const refused of [
    () => change("two", { mutual_exclusion_group_id: unknown }),
    () => experiment("x", { mutual_exclusion_group_id: unknown }),
  ]) {
    expect(await refusal(refused())).toMatchObject({
      status: 422,
      issues: [{ loc: ["body", "mutual_exclusion_group_id"] }],
    });
  }
});

test("an experiment that cannot be created takes no slot", async () => {
  const { id } = await create();
  await experiment("one");
  expect((await refusal(experiment("one", { mutual_exclusion_group_id: id }))).status).toBe(409);
  expect(
    (await refusal(experiment("two", { mutual_exclusion_group_id: id, status: "ACTIVE", variants: [] }))).status,
  ).toBe(400);
  expect(await get(id)).toMatchObject({ experiments: [], free_percentage: 100 });
});

test("the wizard rejects a full group, and a repeated submission moves no slot", async () => {
  const { id } = await create();
  await experiment("one");
  await add(id, "one", 60);
  const draft = await server.admin.request("POST /wizard/drafts", { body: {} });
  const data = { name: "two", variants: [{ key: "a" }, { key: "b" }], mutual_exclusion_group_id: id };
  const params = { id: draft.id };
  await server.admin.request("PUT /wizard/drafts/{id}", { params, body: { step: "TARGETING", data } });
  const validate = () => server.admin.request("POST /wizard/drafts/{id}/validate", { params });
  expect(await validate()).toMatchObject({ valid: true });
  await update(id, { traffic_percentage: 60 });
  expect(await validate()).toMatchObject({ valid: false });
  await update(id, { traffic_percentage: 100 });
  const submit = () => server.admin.request("POST /wizard/drafts/{id}/submit", { params });
  await Promise.allSettled([submit(), submit()]);
  expect(await slots(id)).toEqual([
    ["one", 0, 0.6],
    ["two", 0.6, 0.8],
  ]);
});

test("deleting a DRAFT frees its slot at once", async () => {
  const { id } = await create();
  await experiment("one");
  await add(id, "one", 100);
  await server.admin.request("DELETE /experiments/{experiment_id}", { params: { experiment_id: "one" } });
  await experiment("two");
  expect(await add(id, "two", 100)).toMatchObject({ experiments: [{ key: "two", slot_start: 0, slot_end: 1 }] });
});

test("reuses the slot of a completed experiment if there is no other free space", async () => {
  const { id } = await create();
  await experiment("one", { mutual_exclusion_group_id: id, status: "ACTIVE" });
  await change("one", { status: "COMPLETED" });
  await experiment("two");
  await experiment("three");
  await add(id, "two", 50);
  await add(id, "three", 50);
  expect(await slots(id)).toEqual([
    ["one", 0, 0.5],
    ["three", 0, 0.5],
    ["two", 0.5, 1],
  ]);
});

test("experiments that join simultaneously get different slots", async () => {
  const { id } = await create();
  const keys = Array.from({ length: 8 }, (_, index) => `e${index}`);
  for (const key of keys) await experiment(key);
  await Promise.all(keys.map((key) => add(id, key, 12.5)));
  const ends = (await slots(id)).map(([, start, end]) => [start, end]);
  expect(ends).toEqual(keys.map((_, index) => [index / 8, (index + 1) / 8]));
});

test("experiments that join simultaneously on different nodes get different slots", async () => {
  const memory = memoryStore();
  const storage = { ...memory, capabilities: { ...memory.capabilities, multiProcess: true }, close: async () => {} };
  await server.assay.close();
  server = await createTestServer({ storage });
  const { id } = await create();
  const keys = Array.from({ length: 8 }, (_, index) => `e${index}`);
  for (const key of keys) await experiment(key);
  const there = await createTestServer({ storage });
  await Promise.all(keys.map((key, index) => add(id, key, 12.5, index % 2 === 0 ? server.admin : there.admin)));
  const taken = async (client: Client) =>
    (await get(id, client)).experiments.map(({ slot_start, slot_end }) => [slot_start, slot_end]);
  const expected = keys.map((_, index) => [index / 8, (index + 1) / 8]);
  for (const { admin } of [server, there]) {
    await expect.poll(() => taken(admin)).toEqual(expected);
  }
  await there.assay.close();
});

test("an experiment that joins two groups simultaneously is in one, and the other keeps no slot", async () => {
  const [first, second] = [await create(), await create()];
  await experiment("one");
  const outcomes = await Promise.allSettled([add(first.id, "one", 50), add(second.id, "one", 50)]);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const free = [(await get(first.id)).free_percentage, (await get(second.id)).free_percentage];
  expect(free.sort()).toEqual([100, 50]);
});

test("an archived group accepts no experiment, and its members stay exclusive", async () => {
  const { id } = await create();
  await experiment("one");
  await experiment("two");
  await add(id, "one", 50);
  await add(id, "two", 50);
  await change("one", { status: "ACTIVE" });
  await archive(id);
  await experiment("three");
  expect(await refusal(add(id, "three", 10))).toMatchObject({
    status: 400,
    detail: "The group is ARCHIVED; it accepts no more experiments",
  });
  expect((await refusal(experiment("four", { mutual_exclusion_group_id: id }))).status).toBe(400);
  await change("two", { status: "ACTIVE" });
  for (let user = 0; user < 200; user++) {
    const arms = ["one", "two"].map((key) => server.assay.engine.assign(key, `user-${user}`)?.assigned);
    expect(arms.filter(Boolean)).toHaveLength(1);
  }
});

test("developers create groups, only administrators archive them, and viewers see no drafts in them", async () => {
  const [viewer, developer] = [await server.as("VIEWER"), await server.as("DEVELOPER")];
  const { id, created_by } = await create({}, developer);
  expect(created_by).toBe(developer.user.id);
  await developer.request("POST /experiments/", {
    body: { key: "one", name: "one", variants: [{ key: "a" }, { key: "b" }] },
  });
  await experiment("two", { mutual_exclusion_group_id: id, status: "ACTIVE" });
  await add(id, "one", 10, developer);
  expect((await get(id, viewer)).experiments.map(({ key }) => key)).toEqual(["two"]);
  expect((await refusal(create({}, viewer))).status).toBe(403);
  expect((await refusal(add(id, "one", 10, viewer))).status).toBe(403);
  expect((await refusal(archive(id, developer))).status).toBe(403);
  await archive(id);
});
