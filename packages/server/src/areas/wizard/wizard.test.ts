import { ExperimentCreate, WIZARD_FIELDS } from "@assay/contract";
import { proportionSampleSize } from "@assay/core/stats/planning";
import { memoryStore, type Store } from "@assay/store";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";

type Person = Awaited<ReturnType<TestServer["as"]>>;

let storage: Store;
let server: TestServer;
let developer: Person;
beforeEach(async () => {
  storage = { ...memoryStore(), close: async () => {} };
  server = await createTestServer({ storage });
  developer = await server.as("DEVELOPER", "dora");
});
afterEach(() => server.assay.close());

const begin = (body: object = {}, who: Pick<Person, "request"> = developer) =>
  who.request("POST /wizard/drafts", { body: body as never });
const save = (id: string, step: string, data: object, who: Pick<Person, "request"> = developer) =>
  who.request("PUT /wizard/drafts/{id}", { params: { id }, body: { step, data } as never });
const get = (id: string, who: Pick<Person, "request"> = developer) =>
  who.request("GET /wizard/drafts/{id}", { params: { id } });
const validate = (id: string) => developer.request("POST /wizard/drafts/{id}/validate", { params: { id } });
const submit = (id: string, who: Pick<Person, "request"> = developer) =>
  who.request("POST /wizard/drafts/{id}/submit", { params: { id } });

const VARIANTS = {
  variants: [
    { key: "control", weight: 50 },
    { key: "green", weight: 50 },
  ],
};
const SAMPLE_SIZE = { sample_size: { baseline_rate: 0.1, mde: 0.2, daily_users: 1000 } };

test("reports an effect without a valid rate in the terms of the step", async () => {
  const { id } = await begin();
  await save(id, "SAMPLE_SIZE", { sample_size: { baseline_rate: 0.9, mde: 0.5 } });
  const { errors } = await validate(id);
  const found = errors.find(({ loc }) => loc.includes("sample_size"));
  expect(found?.msg).toMatch(/^The effect leads to a rate of 1\.35/);
});

test("computes the sample size of the draft's weights", async () => {
  const { id } = await begin();
  await save(id, "CHOOSE_TYPE", { name: "Rare", experiment_type: "AB_TEST" });
  const variants = [
    { key: "control", weight: 90 },
    { key: "green", weight: 10 },
  ];
  await save(id, "VARIANTS", { variants });
  const { sample_size } = await save(id, "SAMPLE_SIZE", { sample_size: { baseline_rate: 0.1, mde: 0.2 } });
  // By hand: 2.8015852^2 (0.09 / 0.9 + 0.1056 / 0.1) / 0.02^2 = 22,683.3 users.
  expect(sample_size).toMatchObject({ arms: [20_415, 2269], total: 22_684 });
});

describe("a draft", () => {
  test("becomes an experiment step by step, exactly like its preview", async () => {
    const { id, step, data, owner_id } = await begin();
    expect({ step, data, owner_id }).toEqual({ step: "CHOOSE_TYPE", data: {}, owner_id: developer.user.id });
    await save(id, "CHOOSE_TYPE", { name: "Green button", experiment_type: "ab_test" });
    await save(id, "HYPOTHESIS", { hypothesis: "Green is seen" });
    await save(id, "VARIANTS", VARIANTS);
    await save(id, "TARGETING", { targeting_rules: { countries: ["DE"] } });
    await save(id, "METRICS", { metrics: [{ name: "Bought", event_type: "buy", role: "primary" }], alpha: 0.1 });
    const draft = await save(id, "sample_size", SAMPLE_SIZE);
    const planned = proportionSampleSize(0.1, 0.12, { alpha: 0.1 });
    expect(draft.sample_size).toMatchObject({
      per_variant: planned.control,
      total: planned.total,
      days: Math.ceil(planned.total / 1000),
      alpha: 0.1,
    });
    expect(draft).toMatchObject({
      step: "SAMPLE_SIZE",
      completed_steps: ["CHOOSE_TYPE", "HYPOTHESIS", "VARIANTS", "TARGETING", "METRICS", "SAMPLE_SIZE"],
      preview: { name: "Green button", hypothesis: "Green is seen", planned_sample_size: planned.total },
    });
    expect(await validate(id)).toEqual({ valid: true, errors: [] });

    const { experiment_id, experiment } = await submit(id);
    expect(experiment).toMatchObject({
      id: experiment_id,
      status: "DRAFT",
      hypothesis: "Green is seen",
      planned_sample_size: planned.total,
      targeting_rules: { countries: ["DE"] },
      created_by: developer.user.id,
      alpha: 0.1,
    });
    const twin = await server.admin.request("POST /experiments/", { body: draft.preview as never });
    const own = ["id", "key", "created_by", "created_at", "updated_at"] as const;
    const design = (one: object) => ({ ...one, ...Object.fromEntries(own.map((name) => [name, null])) });
    expect(design(twin)).toEqual(design(experiment));
  });

  test("is deleted when it is submitted, and cannot be submitted twice", async () => {
    const { id } = await begin({ data: { name: "Once" } });
    const answers = await Promise.allSettled([submit(id), submit(id), submit(id)]);
    const made = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value.experiment_id] : []));
    expect(new Set(made)).toEqual(new Set([id]));
    expect(await refusal(submit(id))).toMatchObject({ status: 404 });
    expect(await refusal(get(id))).toMatchObject({ status: 404 });
    expect((await server.admin.request("GET /experiments/")).total).toBe(1);
  });

  test("survives restarts", async () => {
    const { id } = await begin({ step: "VARIANTS", data: { name: "Kept" } });
    await server.assay.close();
    server = await createTestServer({ storage });
    developer = { ...developer, ...server.connect({ username: "dora", password: "a-password-of-tests" }) };
    expect(await get(id)).toMatchObject({ step: "VARIANTS", data: { name: "Kept" }, completed_steps: ["VARIANTS"] });
  });

  test("merges saved fields: absent fields stay, null removes one", async () => {
    const { id } = await begin({ data: { name: "A", hypothesis: "H", view: { open: true } } });
    expect(await save(id, "HYPOTHESIS", { hypothesis: null, key: "a" })).toMatchObject({
      data: { name: "A", key: "a", view: { open: true } },
      preview: { name: "A", key: "a" },
    });
  });

  test("is visible to its owner only, not to an ADMIN", async () => {
    const { id } = await begin({ data: { name: "Mine" } });
    for (const who of [server.admin, await server.as("DEVELOPER")]) {
      expect(await refusal(get(id, who))).toMatchObject({ status: 404 });
      expect(await refusal(save(id, "REVIEW", {}, who))).toMatchObject({ status: 404 });
      expect(await refusal(submit(id, who))).toMatchObject({ status: 404 });
      expect((await who.request("GET /wizard/drafts")).total).toBe(0);
    }
  });

  test("can be written by a VIEWER, and submitted by a DEVELOPER only", async () => {
    const viewer = await server.as("VIEWER");
    const { id } = await begin({ data: { name: "Mine" } }, viewer);
    expect(await refusal(submit(id, viewer))).toMatchObject({ status: 403 });
    await viewer.request("DELETE /wizard/drafts/{id}", { params: { id } });
    expect(await refusal(get(id, viewer))).toMatchObject({ status: 404 });
  });

  test("is listed with the last changed first", async () => {
    const first = await begin({ data: { name: "First" } });
    server.advance(1000);
    await begin({ data: { name: "Second" } });
    server.advance(1000);
    await save(first.id, "HYPOTHESIS", { hypothesis: "H" });
    const { items, total } = await developer.request("GET /wizard/drafts", { query: { limit: 1 } });
    expect([total, items[0]!.data.name]).toEqual([2, "First"]);
  });

  test("has its limits", async () => {
    const { id } = await begin();
    expect(await refusal(save(id, "REVIEW", { notes: "x".repeat(256 * 1024) }))).toMatchObject({
      status: 422,
      issues: [{ loc: ["body", "data"], type: "too_big" }],
    });
    expect(await refusal(save(id, "SUMMARY", {}))).toMatchObject({ status: 422 });
    expect(
      await refusal(developer.request("PUT /wizard/drafts/{id}", { params: { id }, body: { data: [] } as never })),
    ).toMatchObject({ status: 422 });
    for (let index = 1; index < 100; index++) await begin();
    expect(await refusal(begin())).toMatchObject({ status: 409 });
  });
});

describe("validation", () => {
  test.each([
    ["CHOOSE_TYPE", {}, ["name"], "missing"],
    ["CHOOSE_TYPE", { name: "A", experiment_type: "AC_TEST" }, ["experiment_type"], "invalid_value"],
    ["CHOOSE_TYPE", { name: "A", feature_flag_key: "missing" }, ["feature_flag_key"], "value_error"],
    ["VARIANTS", { name: "A", variants: [{ key: "a", wieght: 1 }] }, ["variants", 0, "wieght"], "unknown_key"],
    ["VARIANTS", { name: "A", variants: [{ key: "a" }, { key: "a" }] }, ["variants", 1, "key"], "value_error"],
    ["VARIANTS", { name: "A", experiment_type: "SPLIT_URL" }, ["split_url_config"], "missing"],
    ["TARGETING", { name: "A", targeting_rules: { country: ["DE"] } }, ["targeting_rules", "country"], "unknown_key"],
    ["METRICS", { name: "A", metrics: [{ name: "M" }] }, ["metrics", 0, "event_type"], "missing"],
    [
      "SAMPLE_SIZE",
      { name: "A", sample_size: { baseline_rate: 2, mde: 1 } },
      ["sample_size", "baseline_rate"],
      "too_big",
    ],
    ["SAMPLE_SIZE", { name: "A", sample_size: { baseline_rate: 0.5, mde: 1 } }, ["sample_size", "mde"], "value_error"],
    ["SAMPLE_SIZE", { name: "A", sample_size: { mde: 0.5 } }, ["sample_size", "baseline_rate"], "value_error"],
    [
      "SAMPLE_SIZE",
      { name: "A", sample_size: { baseline_rate: 0.5, mde: 1e-6 } },
      ["sample_size", "mde"],
      "value_error",
    ],
    ["REVIEW", { name: "A", status: "PAUSED" }, ["status"], "value_error"],
    ["REVIEW", { name: "A", status: "ACTIVE" }, ["status"], "value_error"],
  ])("reports the step %s for %j", async (step, data, loc, type) => {
    const { id } = await begin({ step, data });
    const { valid, errors } = await validate(id);
    expect([valid, errors]).toMatchObject([false, [{ step, loc, type }]]);
    expect((await get(id)).completed_steps).not.toContain(step);
    expect(await refusal(submit(id))).toMatchObject({ status: 422, issues: [{ loc: ["body", ...loc], type }] });
    expect((await server.admin.request("GET /experiments/")).total).toBe(0);
  });

  test("reports a key that is taken, and treats missing steps as incomplete", async () => {
    await server.admin.request("POST /experiments/", { body: { name: "A", key: "taken" } });
    const { id, completed_steps } = await begin({ step: "VARIANTS", data: { name: "A", key: "taken", ...VARIANTS } });
    expect(completed_steps).toEqual(["VARIANTS"]);
    expect((await validate(id)).errors).toMatchObject([{ step: "CHOOSE_TYPE", loc: ["key"] }]);
    await save(id, "CHOOSE_TYPE", { key: null });
    expect((await submit(id)).experiment.key).toBe("a");
  });
});

test("every field of an experiment's body belongs to one step", () => {
  const fields = Object.values(WIZARD_FIELDS).flat();
  expect([...fields].sort()).toEqual([...Object.keys(ExperimentCreate.shape), "sample_size"].sort());
});

describe("the sample size", () => {
  test.each([
    { baseline_rate: 0.1, mde: 0.2 },
    { baseline_rate: 0.1, mde: 0.02, relative: false, power: 0.9, daily_users: 1000 },
    { mean: 20, standard_deviation: 5, mde: 0.05, power: 0.9 },
    { mean: 20, standard_deviation: 5, mde: -1, relative: false, daily_users: 7 },
    { standard_deviation: 5, mde: 1, relative: false },
  ])("for %j equals that of GET /ai/sample-size", async (input) => {
    for (const [alpha, variants] of [
      [0.05, 2],
      [0.1, 3],
    ] as const) {
      const arms = Array.from({ length: variants }, (_, index) => ({ key: `arm-${index}` }));
      const { sample_size } = await begin({ data: { name: "A", variants: arms, alpha, sample_size: input } });
      expect(sample_size).toEqual(
        await developer.request("GET /ai/sample-size", { query: { ...input, alpha, variants } }),
      );
    }
  });

  test("uses the number of arms with weight", async () => {
    const variants = [
      { key: "a", weight: 40 },
      { key: "b", weight: 40 },
      { key: "c", weight: 20 },
      { key: "off", weight: 0 },
    ];
    const { sample_size } = await begin({ data: { name: "A", variants, ...SAMPLE_SIZE } });
    expect(sample_size).toMatchObject({ variants: 3, alpha: 0.05, alpha_per_comparison: 0.025 });
  });

  test("keeps the owner's own value", async () => {
    const { preview } = await begin({ data: { name: "A", planned_sample_size: 500, ...SAMPLE_SIZE } });
    expect(preview.planned_sample_size).toBe(500);
  });
});
