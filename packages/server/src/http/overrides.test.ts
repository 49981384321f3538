import { signOverrides } from "@assay/core/overrides";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../testing.fixture.ts";

const secret = "a secret of tests only";
let server: TestServer;
let key: string;

beforeEach(async () => {
  server = await createTestServer({ overrides: { secret } });
  ({ key } = await server.withKey(["read", "write"]));
  await server.admin.request("POST /feature-flags/", {
    body: { key: "checkout", name: "checkout", status: "INACTIVE" },
  });
  const variants = ["light", "dark"].map((name) => ({ key: name, value: name }));
  await server.admin.request("POST /feature-flags/", {
    body: { key: "theme", name: "theme", status: "ACTIVE", value_type: "STRING", variants },
  });
  await server.admin.request("POST /experiments/", {
    body: {
      key: "trial",
      name: "trial",
      status: "ACTIVE",
      variants: ["control", "treatment"].map((name) => ({ key: name, name, weight: 0.5 })),
    },
  });
});
afterEach(() => server.assay.close());

const tokenOf = (overrides: object) => signOverrides(overrides, { secret, now: server.now });
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  server.send("POST", path, { body, headers: { "x-api-key": key, ...headers } });

describe("a token forces", () => {
  test("flags in evaluate, bulk-evaluate, the specified evaluation and for a user", async () => {
    const headers = { "x-assay-override": await tokenOf({ flags: { checkout: true }, variants: { theme: "dark" } }) };
    const evaluated = await post("/openfeature/evaluate", { flagKey: "checkout", userId: "ada" }, headers);
    expect(evaluated.json).toEqual({ flagKey: "checkout", value: true, variant: "on", reason: "TARGETING_MATCH" });
    const bulk = await post(
      "/openfeature/bulk-evaluate",
      [{ flagKey: "theme", userId: "ada" }, { flagKey: "no" }] as object,
      headers,
    );
    expect(bulk.json).toMatchObject([{ value: "dark", variant: "dark" }, { errorCode: "FLAG_NOT_FOUND" }]);
    const explained = await post("/feature-flags/checkout/evaluate?explain=true", { user_id: "ada" }, headers);
    expect(explained.json).toMatchObject({ enabled: true, trace: [{ step: "OVERRIDE" }] });
    const all = await server.send("GET", "/feature-flags/user/ada", { headers: { "x-api-key": key, ...headers } });
    expect(all.json).toMatchObject({ checkout: true });
  });

  test("flags over OFREP, for this request only and only flags that the key may see", async () => {
    const headers = { "x-assay-override": await tokenOf({ flags: { checkout: true } }) };
    const body = { context: { targetingKey: "ada" } };
    const one = await post("/ofrep/v1/evaluate/flags/checkout", body, headers);
    expect(one.json).toMatchObject({ value: true, variant: "on", metadata: { forced: true } });
    const all = await post("/ofrep/v1/evaluate/flags", body, headers);
    expect(all.json.flags).toContainEqual(expect.objectContaining({ key: "checkout", value: true }));
    expect((await post("/ofrep/v1/evaluate/flags/checkout", body)).json).toMatchObject({ reason: "DISABLED" });
    const browser = await server.withKey(["read"], { kind: "CLIENT" });
    const hidden = await post("/ofrep/v1/evaluate/flags/checkout", body, { ...headers, "x-api-key": browser.key });
    expect(hidden.status).toBe(404);
  });

  test("arms of experiments, for that request only, and they are excluded from the analysis", async () => {
    const drawn = (await post("/tracking/assign", { experiment_key: "trial", user_id: "ada" })).json;
    const arm = drawn.variant_key === "control" ? "treatment" : "control";
    const headers = { cookie: `assay_override=${await tokenOf({ experiments: { trial: arm } })}` };
    const forced = await post("/tracking/assign", { experiment_key: "trial", user_id: "ada" }, headers);
    expect(forced.json).toMatchObject({ variant_key: arm, assigned: true, reason: "OVERRIDE", assignment_date: null });
    expect((await post("/tracking/assign", { experiment_key: "trial", user_id: "ada" })).json).toEqual(drawn);

    // Another user takes part, and one more only reads.
    await post("/tracking/assign", { experiment_key: "trial", user_id: "grace" });
    await post("/tracking/assign?peek=true", { experiment_key: "trial", user_id: "edsger" }, headers);
    const params = { experiment_id: "trial" };
    const results = await server.admin.request("GET /results/{experiment_id}", { params });
    expect(results).toMatchObject({ forced: 1, crossover: 0 });
    expect(results.sample_size.control + results.sample_size.treatment).toBe(1);
  });

  test("nothing for an unknown arm, and an arm of an experiment that does not run without a record", async () => {
    const body = { experiment_key: "trial", user_id: "ada" };
    const none = { "x-assay-override": await tokenOf({ experiments: { trial: "blue" } }) };
    expect((await post("/tracking/assign", body, none)).json).toMatchObject({ reason: "ASSIGNED" });
    await server.admin.request("POST /experiments/{experiment_id}/pause", { params: { experiment_id: "trial" } });
    const paused = { "x-assay-override": await tokenOf({ experiments: { trial: "treatment" } }) };
    const grace = { experiment_key: "trial", user_id: "grace" };
    expect((await post("/tracking/assign", grace, paused)).json).toMatchObject({ variant_key: "treatment" });
    expect((await post("/tracking/assign", grace)).json).toMatchObject({ assigned: false, reason: "NOT_RUNNING" });
  });
});

describe("an invalid token", () => {
  test("in the header is a 400 with the reason, in the format of each protocol", async () => {
    const token = await tokenOf({ flags: { checkout: true } });
    const body = { flagKey: "checkout", userId: "ada" };
    const changed = await post("/openfeature/evaluate", body, { "x-assay-override": `${token.slice(0, -4)}AAAA` });
    expect(changed).toMatchObject({
      status: 400,
      json: { detail: "The override token is not signed with our secret" },
    });
    server.advance(3_600_000);
    const expired = { "x-assay-override": token };
    expect(await post("/openfeature/evaluate", body, expired)).toMatchObject({
      status: 400,
      json: { detail: "The override token has expired" },
    });
    const context = { context: { targetingKey: "ada" } };
    expect(await post("/ofrep/v1/evaluate/flags/checkout", context, expired)).toMatchObject({
      status: 400,
      json: { key: "checkout", errorDetails: "The override token has expired" },
    });
    expect((await post("/tracking/assign", { experiment_key: "trial", user_id: "ada" }, expired)).status).toBe(400);
  });

  test("in the cookie is ignored", async () => {
    const headers = { cookie: "assay_override=rubbish" };
    const { json } = await post("/openfeature/evaluate", { flagKey: "checkout", userId: "ada" }, headers);
    expect(json).toMatchObject({ reason: "DISABLED" });
  });
});

test("without a secret every token is ignored; a short secret is rejected at start", async () => {
  await using other = Object.assign(await createTestServer(), {
    async [Symbol.asyncDispose]() {
      await other.assay.close();
    },
  });
  const { key } = await other.withKey(["read"]);
  await other.admin.request("POST /feature-flags/", { body: { key: "checkout", name: "checkout" } });
  const headers = { "x-api-key": key, "x-assay-override": await tokenOf({ flags: { checkout: true } }) };
  const { json } = await other.send("POST", "/openfeature/evaluate", {
    body: { flagKey: "checkout", userId: "ada" },
    headers,
  });
  expect(json).toMatchObject({ value: false, reason: "DISABLED" });
  await expect(createTestServer({ overrides: { secret: "short" } })).rejects.toThrow("16 characters");
});
