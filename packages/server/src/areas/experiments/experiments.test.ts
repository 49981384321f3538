import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.assay.close());

const create = (body: object) =>
  server.admin.request("POST /experiments/", { body: { name: "Checkout", ...body } as never });
const put = (experiment_id: string, body: object) =>
  server.admin.request("PUT /experiments/{experiment_id}", { params: { experiment_id }, body: body as never });
const get = (experiment_id: string) =>
  server.admin.request("GET /experiments/{experiment_id}", { params: { experiment_id } });
const move = (experiment_id: string, to: "start" | "pause" | "archive" | "complete", body?: object) =>
  server.admin.request(`POST /experiments/{experiment_id}/${to}`, { params: { experiment_id }, body } as never);

const arms = [
  { key: "control", name: "Control", weight: 0.5 },
  { key: "treatment", name: "Treatment", weight: 0.5 },
];

describe("creating", () => {
  test("accepts the specified body", async () => {
    const experiment = await create({
      name: "Checkout button",
      description: "Bigger button",
      hypothesis: "Bigger sells",
      experiment_type: "AB_TEST",
      start_date: "2026-01-01T00:00:00Z",
      end_date: "2026-12-31",
      targeting_rules: { countries: ["US"], user_segments: ["beta"] },
      variants: [
        { id: "control", name: "Control", weight: 0.5 },
        { id: "treatment", name: "Treatment", weight: 0.5 },
      ],
      bayesian_enabled: true,
      bayesian_config: {
        prior_alpha: 1,
        prior_beta: 1,
        rope_low: -0.01,
        rope_high: 0.01,
        minimum_bayes_factor: 10,
        credible_interval_width: 0.95,
      },
    });
    expect(experiment).toMatchObject({
      key: "checkout-button",
      status: "DRAFT",
      end_date: "2026-12-31T00:00:00.000Z",
      variants: [
        { id: "control", key: "control", weight: 0.5, is_control: true },
        { id: "treatment", key: "treatment", weight: 0.5, is_control: false },
      ],
    });
  });

  test("requires only a name; a derived key gets a number if it is taken, an explicit one is a 409", async () => {
    expect(await create({ name: "Über uns!" })).toMatchObject({ key: "uber-uns", experiment_type: "AB_TEST" });
    expect(await create({ name: "Über uns?" })).toMatchObject({ key: "uber-uns-2" });
    expect(await refusal(create({ key: "uber-uns" }))).toMatchObject({ status: 409 });
  });

  test.each([
    [{ name: "" }, ["name"]],
    [{ name: "  " }, ["name"]],
    [{ experiment_type: "BANDIT" }, ["experiment_type"]],
    [{ start_date: "soon" }, ["start_date"]],
    [{ start_date: "2026-02-01", end_date: "2026-01-01" }, ["end_date"]],
    [{ variants: [{ name: "no key" }] }, ["variants", 0, "key"]],
    [{ variants: [{ key: "a", wieght: 1 }] }, ["variants", 0, "wieght"]],
    [{ variants: [{ key: "a" }, { key: "a" }] }, ["variants", 1, "key"]],
    [
      {
        variants: [
          { key: "a", weight: 0.5 },
          { key: "b", weight: 0.4 },
        ],
      },
      ["variants"],
    ],
    [{ bayesian_config: { prior_alpha: 0 } }, ["bayesian_config", "prior_alpha"]],
    [{ bayesian_config: { prior_alpha: 0.9e-6 } }, ["bayesian_config", "prior_alpha"]],
    [{ bayesian_config: { prior_beta: 1.1e9 } }, ["bayesian_config", "prior_beta"]],
    [{ bayesian_config: { rope_low: -1.1e15 } }, ["bayesian_config", "rope_low"]],
    [{ bayesian_config: { rope_high: 1.1e15 } }, ["bayesian_config", "rope_high"]],
    [{ bayesian_config: { minimum_bayes_factor: 1e301 } }, ["bayesian_config", "minimum_bayes_factor"]],
    [{ bayesian_config: { credible_interval_width: 0.9e-6 } }, ["bayesian_config", "credible_interval_width"]],
    [{ bayesian_config: { credible_interval_width: 1 - 1e-10 } }, ["bayesian_config", "credible_interval_width"]],
    [{ bayesian_config: { effect_mean: 0.01 } }, ["bayesian_config", "effect_sd"]],
    [{ bayesian_config: { effect_mean: 11, effect_sd: 1 } }, ["bayesian_config", "effect_mean"]],
    [{ bayesian_config: { effect_sd: 0 } }, ["bayesian_config", "effect_sd"]],
    [{ alpha: 0.9e-12 }, ["alpha"]],
    [{ experiment_type: "SPLIT_URL" }, ["split_url_config"]],
    [{ variants: [{ key: "a" }, { key: "b", url: "/b" }] }, ["variants", 1, "url"]],
    [
      {
        experiment_type: "SPLIT_URL",
        variants: [{ key: "url_1", url: "/other" }],
        split_url_config: { variants: [{ url: "/a", weight: 100 }] },
      },
      ["variants", 0, "url"],
    ],
    [{ plannedSampleSize: 100 }, ["plannedSampleSize"]],
    [{ varients: [] }, ["varients"]],
    [{ bayesian_config: { prior_alfa: 2 } }, ["bayesian_config", "prior_alfa"]],
    [
      {
        experiment_type: "SPLIT_URL",
        split_url_config: {
          variants: [
            { url: "/a", weight: 50 },
            { url: "/b", weight: 49 },
          ],
        },
      },
      ["split_url_config", "variants"],
    ],
    [
      { experiment_type: "SPLIT_URL", split_url_config: { variants: [{ url: "//evil.example", weight: 100 }] } },
      ["split_url_config", "variants", 0, "url"],
    ],
    [
      { experiment_type: "SPLIT_URL", split_url_config: { variants: [{ url: "javascript:alert(1)", weight: 100 }] } },
      ["split_url_config", "variants", 0, "url"],
    ],
    [
      { experiment_type: "SPLIT_URL", split_url_config: { variants: [{ url: "/\t/evil.example", weight: 100 }] } },
      ["split_url_config", "variants", 0, "url"],
    ],
    [
      { experiment_type: "SPLIT_URL", split_url_config: { variants: [{ url: "/..//evil.example", weight: 100 }] } },
      ["split_url_config", "variants", 0, "url"],
    ],
    [
      { experiment_type: "SPLIT_URL", split_url_config: { variants: [{ url: "/\\evil.example", weight: 100 }] } },
      ["split_url_config", "variants", 0, "url"],
    ],
    [{ metrics: [{ name: "r", event_type: "x", kind: "RATIO" }] }, ["metrics", 0, "denominator_event_type"]],
    [{ metrics: [{ name: "m", evnt_type: "x" }] }, ["metrics", 0, "event_type"]],
    [{ alpha: 1 }, ["alpha"]],
    [{ feature_flag_key: "missing" }, ["feature_flag_key"]],
  ])("rejects %j and names the path", async (body, path) => {
    const { status, issues } = await refusal(create(body));
    expect(status).toBe(422);
    expect((issues as { loc: unknown[] }[]).map(({ loc }) => loc)).toContainEqual(["body", ...path]);
  });

  test("starts at once with status ACTIVE, and rejects an incomplete experiment", async () => {
    expect(await create({ status: "ACTIVE", variants: arms })).toMatchObject({
      status: "ACTIVE",
      started_at: "2026-03-01T12:00:00.000Z",
    });
    expect(
      await refusal(create({ status: "ACTIVE", variants: arms.slice(0, 1).map((arm) => ({ ...arm, weight: 1 })) })),
    ).toMatchObject({ status: 400 });
    expect(await refusal(create({ status: "PAUSED", variants: arms }))).toMatchObject({
      status: 400,
      detail: expect.stringMatching(/DRAFT to PAUSED/),
    });
  });

  test("uses the slug of a metric's name as its id, and rejects duplicate ids", async () => {
    const metric = (name: string) => ({ name, event_type: "x" });
    const { metrics } = await create({ metrics: [metric("retention_7"), metric("Größe (cm)")] });
    expect(metrics.map(({ id }) => id)).toEqual(["retention_7", "gro-e-cm"]);
    const { issues } = await refusal(create({ metrics: [metric("A b"), metric("a B")] }));
    expect(issues).toMatchObject([{ loc: ["body", "metrics", 1, "name"] }]);
  });

  test("creates the variants of a multivariate experiment from its factors", async () => {
    const { variants } = await create({
      experiment_type: "MULTIVARIATE",
      factors: [
        { name: "colour", levels: ["red", "blue"] },
        { name: "size", levels: ["S", "M", "L"] },
      ],
      design: "FULL_FACTORIAL",
    });
    expect(variants.map(({ key }) => key)).toEqual(["red_s", "red_m", "red_l", "blue_s", "blue_m", "blue_l"]);
    expect(variants[5]).toMatchObject({ name: "blue / L", configuration: { colour: "blue", size: "L" } });
  });

  test("creates the arms of a feature-flag experiment, with overrides as specified", async () => {
    const experiment = await create({
      experiment_type: "FEATURE_FLAG",
      status: "ACTIVE",
      default_value: false,
      overrides: [
        { user_id: "vip", value: true },
        { user_segment: "beta", value: true },
      ],
    });
    expect(experiment.variants.map(({ key }) => key)).toEqual(["off", "on"]);
    const writer = await server.withKey(["write"]);
    expect(
      await writer.request("POST /tracking/assign", { body: { experiment_id: experiment.id, user_id: "vip" } }),
    ).toMatchObject({ variant_key: "on", assigned: true });
  });
});

describe("the lifecycle", () => {
  const states = {
    DRAFT: async () => create({ variants: arms }),
    ACTIVE: async () => create({ variants: arms, status: "ACTIVE" }),
    PAUSED: async () => move((await states.ACTIVE()).id, "pause"),
    COMPLETED: async () => move((await states.ACTIVE()).id, "complete"),
    ARCHIVED: async () => move((await states.ACTIVE()).id, "archive"),
  } as const;
  const targets = { start: "ACTIVE", pause: "PAUSED", complete: "COMPLETED", archive: "ARCHIVED" } as const;
  const allowed: Record<string, string[]> = {
    DRAFT: ["start", "archive"],
    ACTIVE: ["pause", "complete", "archive"],
    PAUSED: ["start", "complete", "archive"],
    COMPLETED: ["archive"],
    ARCHIVED: [],
  };

  for (const from of Object.keys(states) as (keyof typeof states)[]) {
    for (const to of Object.keys(targets) as (keyof typeof targets)[]) {
      const isAllowed = allowed[from]!.includes(to);
      test(`${isAllowed ? "lets" : "does not let"} ${from} ${to}`, async () => {
        const { id } = (await states[from]()) as { id: string };
        if (isAllowed) {
          expect(await move(id, to)).toMatchObject({ status: targets[to] });
          return;
        }
        const { status, detail } = await refusal(move(id, to));
        expect([status, detail]).toEqual([400, `An experiment cannot go from ${from} to ${targets[to]}`]);
      });
    }
  }

  test.each(["complete", "archive"] as const)("accepts no other change after %s, but the same fields", async (how) => {
    const { id } = await create({ variants: arms, status: "ACTIVE", description: "Before" });
    const { status } = await move(id, how);
    expect(await refusal(put(id, { description: "After" }))).toMatchObject({
      status: 400,
      detail: `An experiment that is ${status} cannot change`,
    });
    expect(await put(id, { description: "Before" })).toMatchObject({ description: "Before", status });
  });

  test("also changes by PUT with a status; an equal status is accepted", async () => {
    const { id } = await create({ variants: arms });
    expect(await put(id, { status: "ACTIVE" })).toMatchObject({ status: "ACTIVE" });
    expect(await put(id, { status: "active" })).toMatchObject({ status: "ACTIVE" });
    expect(await refusal(put(id, { status: "DRAFT" }))).toMatchObject({ status: 400 });
  });

  test("allows deletion of a DRAFT only", async () => {
    const { id } = await create({ variants: arms });
    const remove = () => server.admin.request("DELETE /experiments/{experiment_id}", { params: { experiment_id: id } });
    await move(id, "start");
    expect(await refusal(remove())).toMatchObject({ status: 400 });
    const draft = await create({});
    await server.admin.request("DELETE /experiments/{experiment_id}", { params: { experiment_id: draft.id } });
    expect(await refusal(get(draft.id))).toMatchObject({ status: 404 });
  });
});

describe("changing", () => {
  test("allows structure in DRAFT only, texts also later, and equal values always", async () => {
    const { id, key } = await create({ variants: arms });
    expect(await put(key, { variants: [...arms.slice(0, 1), { key: "b", weight: 0.5 }] })).toMatchObject({
      variants: [{ key: "control" }, { key: "b" }],
    });
    await put(id, { variants: arms });
    await move(id, "start");
    expect(await put(id, { name: "Renamed", variants: arms, hypothesis: null })).toMatchObject({
      name: "Renamed",
      hypothesis: "",
    });
    for (const body of [
      { variants: [{ key: "control", weight: 1 }] },
      { targeting_rules: { countries: ["US"] } },
      { key: "other" },
    ]) {
      expect(await refusal(put(id, body))).toMatchObject({
        status: 400,
        detail: expect.stringMatching(/only in DRAFT/),
      });
    }
    await move(id, "complete");
    expect(await refusal(put(id, { name: "Too late" }))).toMatchObject({ status: 400 });
  });

  test("requires the owner or an ADMIN", async () => {
    const [owner, other] = [await server.as("DEVELOPER"), await server.as("DEVELOPER")];
    const { id } = await owner.request("POST /experiments/", { body: { name: "Mine", variants: arms } });
    const params = { experiment_id: id };
    expect(await refusal(other.request("POST /experiments/{experiment_id}/start", { params }))).toMatchObject({
      status: 403,
    });
    expect(await owner.request("POST /experiments/{experiment_id}/start", { params })).toMatchObject({
      status: "ACTIVE",
    });
    expect(await server.admin.request("POST /experiments/{experiment_id}/pause", { params })).toMatchObject({
      status: "PAUSED",
    });
  });
});

describe("reading", () => {
  test("hides DRAFTs from a VIEWER", async () => {
    const viewer = await server.as("VIEWER");
    const { id } = await create({ variants: arms });
    const read = () => viewer.request("GET /experiments/{experiment_id}", { params: { experiment_id: id } });
    expect(await refusal(read())).toMatchObject({ status: 404 });
    expect((await viewer.request("GET /experiments/")).total).toBe(0);
    await move(id, "start");
    expect((await read()).id).toBe(id);
    expect((await viewer.request("GET /experiments/")).total).toBe(1);
  });

  test("filters, searches, sorts and pages, with ties broken by id", async () => {
    for (const name of ["Bravo", "alpha", "Charlie"]) {
      await create({ name, variants: arms });
      server.advance(1000);
    }
    await move("charlie", "start");
    const list = async (query: object) =>
      (await server.admin.request("GET /experiments/", { query: query as never })).items.map(({ key }) => key);
    expect(await list({})).toEqual(["charlie", "alpha", "bravo"]);
    expect(await list({ sort_by: "key", sort_order: "asc" })).toEqual(["alpha", "bravo", "charlie"]);
    expect(await list({ status_filter: "ACTIVE" })).toEqual(["charlie"]);
    expect(await list({ search: "RAV" })).toEqual(["bravo"]);
    expect(await list({ skip: 1, limit: 1 })).toEqual(["alpha"]);
    for (const query of [{ sort_by: "password" }, { limit: 501 }, { sort_order: "up" }]) {
      expect(await refusal(list(query))).toMatchObject({ status: 422 });
    }
  });

  test("an unknown id or key is 404", async () => {
    for (const id of ["018f0000-0000-7000-8000-000000000000", "unknown"]) {
      expect(await refusal(get(id))).toMatchObject({ status: 404, detail: "Resource not found" });
    }
  });
});

describe("an experiment on a flag", () => {
  const flag = { key: "f", name: "F", status: "ACTIVE", rollout_percentage: 50 } as const;

  test("has the flag's arms, locks the flag while ACTIVE, and serves its winner to all users", async () => {
    await server.admin.request("POST /feature-flags/", { body: flag });
    const { id, variants } = await create({ feature_flag_key: "f" });
    expect(variants).toMatchObject([
      { key: "off", weight: 0.5, is_control: true },
      { key: "on", weight: 0.5 },
    ]);
    await move(id, "start");
    const rollout = (rollout_percentage: number) =>
      server.admin.request("PATCH /feature-flags/{id}/rollout", { params: { id: "f" }, body: { rollout_percentage } });
    expect(await refusal(rollout(60))).toMatchObject({ status: 409 });
    expect(await refusal(server.admin.request("DELETE /feature-flags/{id}", { params: { id: "f" } }))).toMatchObject({
      status: 409,
    });
    expect(await refusal(move(id, "complete", { winner: "nobody" }))).toMatchObject({ status: 422 });
    expect(await move(id, "complete", { winner: "on" })).toMatchObject({ status: "COMPLETED", winner: "on" });
    for (let index = 0; index < 20; index++) {
      expect(server.assay.engine.evaluate("f", { targetingKey: `u${index}` }, false).value).toBe(true);
    }
  });

  test("is the only ACTIVE one on its flag", async () => {
    await server.admin.request("POST /feature-flags/", { body: flag });
    await create({ key: "one", feature_flag_key: "f", status: "ACTIVE" });
    const { id } = await create({ key: "two", feature_flag_key: "f" });
    expect(await refusal(move(id, "start"))).toMatchObject({ status: 409, detail: expect.stringContaining('"one"') });
  });
});

test("a clone is a DRAFT with the same design that belongs to the caller", async () => {
  const { id } = await create({
    variants: arms,
    status: "ACTIVE",
    metrics: [{ name: "Sales", event_type: "purchase" }],
  });
  const developer = await server.as("DEVELOPER");
  const clone = await developer.request("POST /experiments/{experiment_id}/clone", { params: { experiment_id: id } });
  expect(clone).toMatchObject({
    name: "Checkout (copy)",
    key: "checkout-copy",
    status: "DRAFT",
    created_by: developer.user.id,
    version: 1,
    started_at: null,
  });
  expect(clone.metrics).toEqual((await get(id)).metrics);
});

describe("split URLs", () => {
  const split_url_config = {
    variants: [
      { url: "/old?x=1", weight: 50 },
      { url: "https://example.org/new", weight: 50 },
    ],
  };

  test("preview the target of a user, which is stable and uses the edge's cookie", async () => {
    const { id, key } = await create({ experiment_type: "SPLIT_URL", split_url_config });
    const preview = (user_id: string) =>
      server.admin.request("GET /experiments/{experiment_id}/split-url/preview", {
        params: { experiment_id: id },
        query: { user_id },
      });
    const seen = new Set<string>();
    for (let index = 0; index < 40; index++) {
      const answer = await preview(`u${index}`);
      expect(answer).toMatchObject({
        experiment_key: key,
        eligible: true,
        cookie_name: `exp_${key}`,
        cookie_value: answer.variant,
        cookie_max_age: 31_536_000,
      });
      expect(answer.url).toBe(answer.variant === "url_1" ? "/old?x=1" : "https://example.org/new");
      expect(await preview(`u${index}`)).toEqual(answer);
      seen.add(answer.variant);
    }
    expect(seen.size).toBe(2);
  });

  test("have no preview for other types, and require a user", async () => {
    const { id } = await create({ variants: arms });
    const preview = (query: object) =>
      refusal(
        server.admin.request("GET /experiments/{experiment_id}/split-url/preview", {
          params: { experiment_id: id },
          query: query as never,
        }),
      );
    expect(await preview({ user_id: "u" })).toMatchObject({ status: 404 });
    expect(await preview({})).toMatchObject({ status: 422 });
    expect(await preview({ user_id: "u", attributes: "nope" })).toMatchObject({ status: 422 });
  });
});
