import { type Client, createClient } from "@assay/client";
import { compare, readDefinitions, type Step } from "@assay/client/definitions";
import { createAssay, silentLogger } from "@assay/server";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { PASSWORD, run, serve, stopAll } from "../cli.fixture.ts";
import { apply } from "../definitions/apply.ts";
import { refuse } from "./promotion.ts";

const ADMIN = { username: "admin", password: PASSWORD };
const all = () => true;

let assay: ReturnType<typeof createAssay>;
let connect: (environment: string, credentials?: object) => Client;
let staging: Client;
let production: Client;

beforeEach(async () => {
  const environments = ["production", "staging"];
  const options = { environments, admin: ADMIN, passwordCost: 16, rateLimit: false, jobs: false } as const;
  assay = createAssay({ ...options, logger: silentLogger });
  await assay.ready;
  const { fetch } = assay;
  connect = (environment, credentials = ADMIN) => createClient({ fetch, environment, retries: 0, ...credentials });
  [staging, production] = [connect("staging"), connect("production")];
});
afterEach(() => assay.close());

async function stepsOf(isWanted: (key: string) => boolean = all): Promise<Step[]> {
  return compare(await readDefinitions(staging, isWanted), await readDefinitions(production, isWanted), refuse);
}

/** Promotes from staging to production, as the user of a client. */
const promoteAs = async (client: Client, isWanted: (key: string) => boolean = all) =>
  apply(client, await stepsOf(isWanted), "Promoted from staging");
const flagIn = (client: Client, id: string) => client.request("GET /feature-flags/{id}", { params: { id } });
const summary = ({ kind, key, action, refusal }: Step) => [kind, key, action, refusal];

/** Makes a segment, two flags of which one depends on all others, and an experiment in staging. */
async function fill(): Promise<void> {
  const { id } = await staging.request("POST /segments", { body: { name: "testers", user_ids: ["ada"] } });
  await staging.request("POST /feature-flags/", { body: { key: "base", name: "Base", status: "ACTIVE" } });
  await staging.request("POST /feature-flags/", {
    body: {
      key: "checkout",
      name: "Checkout",
      status: "ACTIVE",
      rollout_percentage: 50,
      targeting_rules: { user_segments: [id] },
      prerequisites: [{ flag_key: "base" }],
      tags: ["shop"],
      metadata: { team: "shop" },
    },
  });
  await staging.request("POST /experiments/", {
    body: {
      key: "button",
      name: "Button",
      hypothesis: "Green sells more",
      status: "ACTIVE",
      variants: [
        { key: "red", weight: 70 },
        { key: "green", weight: 30 },
      ],
      metrics: [{ name: "Paid", event_type: "purchase", role: "PRIMARY" }],
    },
  });
  await staging.request("POST /experiments/", {
    body: { key: "on-flag", name: "On a flag", feature_flag_key: "checkout" },
  });
}

describe("a promotion", () => {
  test("creates what the target lacks, references first, and nothing that is on or runs", async () => {
    await fill();
    expect((await stepsOf()).map(summary)).toEqual([
      ["segment", "testers", "create", null],
      ["flag", "base", "create", null],
      ["flag", "checkout", "create", null],
      ["experiment", "button", "create", null],
      ["experiment", "on-flag", "create", null],
    ]);
    await promoteAs(production);
    expect(await stepsOf()).toEqual([]);
    expect(await flagIn(production, "checkout")).toMatchObject({
      status: "INACTIVE",
      targeting_rules: { user_segments: ["testers"] },
      tags: ["shop"],
      metadata: { team: "shop" },
    });
    const get = (experiment_id: string) =>
      production.request("GET /experiments/{experiment_id}", { params: { experiment_id } });
    expect(await get("on-flag")).toMatchObject({
      feature_flag_key: "checkout",
      variants: [{ key: "off" }, { key: "on" }],
    });
    expect(await get("button")).toMatchObject({
      status: "DRAFT",
      hypothesis: "Green sells more",
      variants: [
        { key: "red", weight: 70 },
        { key: "green", weight: 30 },
      ],
    });
  });

  test("changes the fields that differ, and leaves the state of a flag and what only the target has", async () => {
    await fill();
    await promoteAs(production);
    const params = { id: "base" };
    await production.request("PUT /feature-flags/{id}", { params, body: { status: "ACTIVE", rollout_percentage: 5 } });
    await production.request("POST /feature-flags/", { body: { key: "only-here", name: "Only here" } });
    const targeting_rules = { user_segments: ["testers"] };
    await staging.request("PUT /feature-flags/{id}", { params, body: { name: "Ground", targeting_rules } });
    expect(await stepsOf()).toEqual([
      {
        kind: "flag",
        key: "base",
        action: "update",
        refusal: null,
        target: { id: expect.any(String), version: 2 },
        changes: [
          { field: "name", from: "Base", to: "Ground" },
          { field: "targeting_rules", from: null, to: targeting_rules },
        ],
      },
    ]);
    await promoteAs(production);
    expect(await flagIn(production, "base")).toMatchObject({
      name: "Ground",
      targeting_rules,
      status: "ACTIVE",
      rollout_percentage: 5,
    });
    await flagIn(production, "only-here");
  });

  test("takes only what is chosen", async () => {
    await fill();
    await promoteAs(production, (key: string) => key === "base");
    expect((await production.request("GET /feature-flags/")).map(({ key }) => key)).toEqual(["base"]);
  });

  test("leaves an experiment that runs in the target", async () => {
    await fill();
    await promoteAs(production);
    const params = { experiment_id: "button" };
    const rename = { params, body: { description: "Changed" } };
    await staging.request("PUT /experiments/{experiment_id}", rename);
    expect((await stepsOf()).map(({ refusal }) => refusal)).toEqual([null]);
    await production.request("POST /experiments/{experiment_id}/start", { params });
    const refusal = "it is ACTIVE there, and only a DRAFT is changed";
    expect((await stepsOf()).map(summary)).toEqual([["experiment", "button", "update", refusal]]);
    await promoteAs(production);
    const kept = await production.request("GET /experiments/{experiment_id}", { params });
    expect(kept.description).toBe("");
  });

  test("needs the rights of a change in the target, and is in its audit trail", async () => {
    await fill();
    const vera = { username: "vera", password: PASSWORD };
    await staging.request("POST /users/", { body: { ...vera, email: "vera@example.org", role: "ANALYST" } });
    await expect(promoteAs(connect("production", vera))).rejects.toThrow("segment testers: ");
    expect(await production.request("GET /feature-flags/")).toEqual([]);
    await promoteAs(production);
    await staging.request("PUT /feature-flags/{id}", { params: { id: "base" }, body: { name: "Ground" } });
    await promoteAs(production);
    const { items } = await production.request("GET /audit-logs", { query: { resource_type: "feature_flag" } });
    expect(items.map(({ action, resource_name, reason }) => [action, resource_name, reason])).toContainEqual([
      "feature_flag.update",
      expect.stringMatching(/base|Ground/),
      "Promoted from staging",
    ]);
  });

  test("loses no change that someone made in the target since it was compared", async () => {
    await fill();
    await promoteAs(production);
    const change = async (client: Client, description: string) => {
      const body = { description };
      await client.request("PUT /segments/{id}", { params: { id: "testers" }, body });
      await client.request("PUT /feature-flags/{id}", { params: { id: "base" }, body });
      await client.request("PUT /experiments/{experiment_id}", { params: { experiment_id: "button" }, body });
    };
    await change(staging, "From staging");
    const steps = await stepsOf();
    expect(steps.map(summary)).toHaveLength(3);
    await change(production, "By someone else");
    for (const step of steps) {
      const { kind, key } = step;
      await expect(apply(production, [step], "Promoted from staging")).rejects.toThrow(
        `${kind} ${key}: Someone changed or deleted it since it was read; run the command again`,
      );
    }
    expect(await flagIn(production, "base")).toMatchObject({ description: "By someone else" });
    const [segment] = (await production.request("GET /segments")).items;
    expect(segment).toMatchObject({ description: "By someone else" });
    const experiments = await readDefinitions(production, (key) => key === "button");
    expect(experiments[0]!.fields).toMatchObject({ description: "By someone else" });
  });

  test("changes nothing of a flag that was deleted and created again since it was compared", async () => {
    await fill();
    await promoteAs(production);
    const params = { id: "base" };
    await staging.request("PUT /feature-flags/{id}", { params, body: { name: "Ground" } });
    const steps = await stepsOf((key) => key === "base");
    await production.request("DELETE /experiments/{experiment_id}", { params: { experiment_id: "on-flag" } });
    await production.request("DELETE /feature-flags/{id}", { params: { id: "checkout" } });
    await production.request("DELETE /feature-flags/{id}", { params });
    await production.request("POST /feature-flags/", { body: { key: "base", name: "Another" } });
    await expect(apply(production, steps, "Promoted from staging")).rejects.toThrow(
      "flag base: Someone changed or deleted it",
    );
    expect(await flagIn(production, "base")).toMatchObject({ name: "Another" });
  });

  test("keeps ids inside of values, and the ids of metrics that others refer to", async () => {
    const value = { variants: [{ id: "inner" }], metrics: [{ id: "m" }] };
    await staging.request("POST /feature-flags/", {
      body: { key: "valued", name: "Valued", variants: [{ key: "only", weight: 100, value }] },
    });
    const metrics = [{ id: "own", name: "Paid", event_type: "purchase", kind: "MEAN" as const }];
    const variance_reduction = { method: "REGRESSION" as const, covariates: ["own"] };
    await staging.request("POST /experiments/", {
      body: { key: "covered", name: "Covered", metrics, variance_reduction },
    });
    await promoteAs(production);
    expect((await flagIn(production, "valued")).variants).toMatchObject([{ value }]);
    const params = { experiment_id: "covered" };
    const covered = await production.request("GET /experiments/{experiment_id}", { params });
    expect(covered).toMatchObject({ metrics: [{ id: "own" }], variance_reduction: { covariates: ["own"] } });
    expect(await stepsOf()).toEqual([]);
  });

  test("stops at what the target refuses, and names it", async () => {
    await fill();
    const steps = await stepsOf((key) => key === "checkout");
    await expect(apply(production, steps, "Promoted from staging")).rejects.toThrow(/^flag checkout: .*(base|testers)/);
  });
});

test("assay promote prints the difference, and promotes what is chosen", async () => {
  const { url } = await serve(["--storage", "memory", "--environments", "production,staging"]);
  const client = createClient({ baseUrl: url, ...ADMIN, environment: "staging" });
  for (const key of ["one", "two"]) await client.request("POST /feature-flags/", { body: { key, name: key } });
  const user = { ASSAY_URL: url, ASSAY_USERNAME: "admin", ASSAY_PASSWORD: PASSWORD };
  const between = ["--from", "staging", "--to", "production"];
  expect(await run(["promote", ...between, "--dry-run"], user)).toEqual({
    code: 0,
    output: "flag one: create\nflag two: create\n2 differ in production; nothing is changed\n",
  });
  expect(await run(["promote", ...between, "one", "two"], user)).toEqual({
    code: 0,
    output: "flag one: create\nflag two: create\nPromoted 2 to production\n",
  });
  expect(await run(["promote", ...between], user)).toEqual({ code: 0, output: "Nothing differs in production\n" });
  const missing = 'assay: There is no flag, segment or experiment "three" in staging\n';
  expect(await run(["promote", ...between, "three"], user)).toEqual({ code: 2, output: missing });
  await stopAll();
});

test.each([
  [["--to", "b"], "Specify the environment: --from NAME"],
  [["--from", "a"], "Specify the environment: --to NAME"],
  [["--from", "a", "--to", "a"], "--from and --to name the same environment"],
  [
    ["--from", "a", "--to", "b"],
    "Specify the user: --username (or ASSAY_USERNAME), with the password in ASSAY_PASSWORD",
  ],
])("assay promote %j fails with one line and exit code 2", async (words, line) => {
  expect(await run(["promote", ...words])).toEqual({ code: 2, output: `assay: ${line}\n` });
});
