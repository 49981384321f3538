import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Client, createClient } from "@assay/client";
import { readDefinitions, type Step } from "@assay/client/definitions";
import { createAssay, silentLogger } from "@assay/server";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { PASSWORD } from "../cli.fixture.ts";
import { apply } from "../definitions/apply.ts";
import { findChanges } from "../pull/changes.ts";
import { writeChanges } from "../pull/write.ts";
import { fill } from "../tree/definitions.fixture.ts";
import { FILE_FIELDS } from "../tree/fields.ts";
import { describeProblem } from "../tree/problem.ts";
import { readTree } from "../tree/read.ts";
import { makePlan } from "./plan.ts";

const ADMIN = { username: "admin", password: PASSWORD };
let assay: ReturnType<typeof createAssay>;
let client: Client;
let folder: string;

beforeEach(async () => {
  const environments = ["production", "empty"];
  assay = createAssay({
    ...{ environments, admin: ADMIN, passwordCost: 16, rateLimit: false, jobs: false },
    logger: silentLogger,
  });
  await assay.ready;
  client = connect("production");
  folder = await mkdtemp(join(tmpdir(), "assay-push-"));
});
afterEach(async () => {
  await assay.close();
  await rm(folder, { recursive: true, force: true });
});

function connect(environment: string): Client {
  return createClient({ fetch: assay.fetch, retries: 0, environment, ...ADMIN });
}

const stored = (from = client) => readDefinitions(from, () => true, FILE_FIELDS);

async function pull(format: "yaml" | "json" = "yaml", deletes = false) {
  const { files, problems } = await readTree(folder);
  expect(problems).toEqual([]);
  const changes = findChanges(files, await stored(), { format, deletes });
  await writeChanges(folder, changes);
  return Object.fromEntries(changes.map(({ file, action }) => [file, action]));
}

async function planOf(to = client, deletes = false) {
  const tree = await readTree(folder);
  expect(tree.problems).toEqual([]);
  return makePlan(tree, await stored(to), deletes);
}

async function push(to = client, deletes = false): Promise<Step[]> {
  const { steps, problems } = await planOf(to, deletes);
  expect(problems).toEqual([]);
  await apply(to, steps, "From a test");
  return steps;
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), text);
}

const read = (file: string) => readFile(join(folder, file), "utf8");
const edit = async (file: string, from: string, to: string) => {
  const text = await read(file);
  expect(text).toContain(from);
  await write(file, text.replace(from, to));
};
const summary = ({ kind, key, action, refusal }: Step) => [kind, key, action, refusal];
const flagOf = (id: string) => client.request("GET /feature-flags/{id}", { params: { id } });

describe.each(["yaml", "json"] as const)("a tree of %s", (format) => {
  test("changes nothing when it is pushed after a pull, and creates the same elsewhere", async () => {
    await fill(client);
    await pull(format);
    expect((await planOf()).steps).toEqual([]);
    const empty = connect("empty");
    await push(empty);
    const without = (all: Awaited<ReturnType<typeof stored>>) =>
      all.map(({ kind, key, fields }) => ({ kind, key, fields })).sort((a, b) => (a.key < b.key ? -1 : 1));
    expect(without(await stored(empty))).toEqual(without(await stored()));
    expect((await planOf(empty)).steps).toEqual([]);
    expect(await pull(format)).toEqual({});
  });
});

test("a pull writes a readable file for each definition, and schemas for editors", async () => {
  await fill(client);
  const actions = await pull();
  expect(Object.keys(actions).sort()).toEqual([
    "experiments/bare.yaml",
    "experiments/button.yaml",
    "experiments/grid.yaml",
    "experiments/on-flag.yaml",
    "experiments/pages.yaml",
    "flags/Theme.yaml",
    "flags/checkout.yaml",
    "flags/deferring.yaml",
    "flags/plain.yaml",
    "flags/theme~2.yaml",
    "flags/z-base.yaml",
    "segments/Beta %2F testers.yaml",
    "segments/a-both.yaml",
  ]);
  expect(await read("flags/z-base.yaml")).toBe(`# yaml-language-server: $schema=../.schemas/flag.json

key: z-base
name: z-base
description: |-
  The base
  of others: yes
status: ACTIVE
rollout_percentage: 40
`);
  const schema = JSON.parse(await read(".schemas/flag.json"));
  expect(schema).toMatchObject({ type: "object", required: ["key", "name"], additionalProperties: false });
  expect(schema.properties.status.enum).toEqual(["ACTIVE", "INACTIVE", "ARCHIVED"]);
  expect((await readdir(join(folder, ".schemas"))).sort()).toEqual(["experiment.json", "flag.json", "segment.json"]);
});

test("a pull keeps comments and the order of fields, and leaves a file that says the same as it is", async () => {
  await client.request("POST /feature-flags/", { body: { key: "one", name: "One", tags: ["a"], status: "ACTIVE" } });
  const text = "# Owned by us\nname: 'One' # the name\ntags: [a]\nkey: one\n";
  await write("flags/any-name.yaml", text);
  expect(await pull()).toEqual({});
  expect(await read("flags/any-name.yaml")).toBe(text);
  const params = { id: "one" };
  await client.request("PUT /feature-flags/{id}", { params, body: { tags: ["b"], description: "New" } });
  expect(await pull()).toEqual({ "flags/any-name.yaml": "update" });
  expect(await read("flags/any-name.yaml")).toBe(
    "# Owned by us\nname: 'One' # the name\ntags:\n  - b\nkey: one\ndescription: New\n",
  );
  await client.request("PUT /feature-flags/{id}", { params, body: { tags: [], description: null } });
  await pull();
  expect(await read("flags/any-name.yaml")).toBe("# Owned by us\nname: 'One' # the name\nkey: one\n");
});

test("a pull keeps a file of what the server does not have, unless it shall delete it", async () => {
  await write("flags/mine.yaml", "key: mine\nname: Mine\n");
  expect(await pull()).toEqual({ "flags/mine.yaml": "keep" });
  expect(await pull("yaml", true)).toEqual({ "flags/mine.yaml": "delete" });
  expect(await readdir(join(folder, "flags"))).toEqual([]);
});

test("a push creates what files have, references first, and says the same the second time", async () => {
  await write("flags/a.yaml", "key: a\nname: A\nstatus: active\nprerequisites: [{ flag_key: b }]\n");
  await write(
    "flags/b.json",
    '{ "$schema": "x", "key": "b", "name": "B", "targeting_rules": { "user_segments": ["s"] } }',
  );
  await write("segments/s.yml", "name: s\nconditions:\n  - { attribute: plan, operator: equals, value: pro }\n");
  await write(
    "experiments/e.yaml",
    "key: e\nname: E\nvariants: [{ key: x }, { id: y, weight: 0.25 }]\nmetrics: [{ name: Paid, event_type: buy }]\n",
  );
  await write("experiments/on.yaml", "key: on\nname: On\nfeature_flag_key: a\n");
  expect((await push()).map(summary)).toEqual([
    ["segment", "s", "create", null],
    ["flag", "b", "create", null],
    ["flag", "a", "create", null],
    ["experiment", "e", "create", null],
    ["experiment", "on", "create", null],
  ]);
  expect(await flagOf("a")).toMatchObject({ status: "ACTIVE", rollout_percentage: 100 });
  expect((await planOf()).steps).toEqual([]);
});

test("a push shows each field that differs, clears a field that left its file, and keeps the reason", async () => {
  await fill(client);
  await pull();
  await edit("flags/checkout.yaml", "  team: shop\n", "  team: cart\n");
  await edit("flags/checkout.yaml", "bucket_by: company\n", "");
  const { steps } = await planOf();
  expect(steps).toMatchObject([
    {
      ...{ kind: "flag", key: "checkout", action: "update", refusal: null },
      changes: [
        { field: "bucket_by", from: "company", to: null },
        { field: "metadata", from: { team: "shop" }, to: { team: "cart" } },
      ],
    },
  ]);
  await push();
  expect(await flagOf("checkout")).toMatchObject({ bucket_by: null, metadata: { team: "cart", level: 3 } });
  const { items } = await client.request("GET /feature-flags/{id}/history", { params: { id: "checkout" } });
  expect(items[0]).toMatchObject({ reason: "From a test" });
});

test("status and rollout of a flag stay as they are unless its file gives them", async () => {
  await write("flags/a.yaml", "key: a\nname: A\n");
  await push();
  const params = { id: "a" };
  await client.request("PUT /feature-flags/{id}", { params, body: { status: "ACTIVE", rollout_percentage: 10 } });
  expect((await planOf()).steps).toEqual([]);
  await write("flags/a.yaml", "key: a\nname: A\nrollout_percentage: 20\n");
  await push();
  expect(await flagOf("a")).toMatchObject({ status: "ACTIVE", rollout_percentage: 20 });
});

test("a push deletes only when it shall, what refers to others first", async () => {
  await fill(client);
  await write("flags/plain.yaml", "key: plain\nname: plain\n");
  const { steps, unlisted } = await planOf();
  expect(steps).toEqual([]);
  expect(unlisted).toContain("flag checkout");
  expect((await push(client, true)).every(({ action }) => action === "delete")).toBe(true);
  expect((await stored()).map(({ key }) => key)).toEqual(["plain"]);
});

test("a push loses no change that someone made since the plan", async () => {
  await fill(client);
  await pull();
  await edit("flags/plain.yaml", "name: plain", "name: Changed");
  const { steps } = await planOf();
  await client.request("PUT /feature-flags/{id}", { params: { id: "plain" }, body: { description: "Theirs" } });
  await expect(apply(client, steps, "x")).rejects.toThrow(
    "flag plain: Someone changed or deleted it since it was read",
  );
  expect(await flagOf("plain")).toMatchObject({ name: "plain", description: "Theirs" });
  await rm(join(folder, "flags/plain.yaml"));
  const deletion = await planOf(client, true);
  await client.request("PUT /feature-flags/{id}", { params: { id: "plain" }, body: { description: "Again" } });
  await expect(apply(client, deletion.steps, "x")).rejects.toThrow("flag plain: Someone changed or deleted it");
  expect(await flagOf("plain")).toMatchObject({ description: "Again" });
});

test("a plan names the fields that running experiments lock, as the server refuses them", async () => {
  await fill(client);
  await client.request("PUT /experiments/{experiment_id}", {
    params: { experiment_id: "on-flag" },
    body: { metrics: [{ name: "Paid", event_type: "purchase" }] },
  });
  for (const experiment_id of ["button", "on-flag"])
    await client.request("POST /experiments/{experiment_id}/start", { params: { experiment_id } });
  await pull();
  expect((await planOf()).steps).toEqual([]);
  await edit("experiments/button.yaml", "hypothesis: Green sells more", "hypothesis: Blue");
  expect((await planOf()).steps.map(summary)).toEqual([["experiment", "button", "update", null]]);
  await edit("experiments/button.yaml", "key: green", "key: blue");
  await edit("flags/checkout.yaml", "bucket_by: company", "bucket_by: team");
  await rm(join(folder, "experiments/on-flag.yaml"));
  const { steps } = await planOf(client, true);
  expect(steps.map(summary)).toEqual([
    ["flag", "checkout", "update", 'bucket_by cannot change while experiment "on-flag" is ACTIVE on it'],
    ["experiment", "button", "update", "it is ACTIVE, and variants can change only in DRAFT"],
    ["experiment", "on-flag", "delete", "it is ACTIVE, and only a DRAFT can be deleted"],
  ]);
  // The server refuses each of them too.
  for (const step of steps) await expect(apply(client, [{ ...step, refusal: null }], "x")).rejects.toThrow(step.key);
  await client.request("POST /experiments/{experiment_id}/complete", { params: { experiment_id: "button" } });
  expect((await planOf()).steps.map(summary)).toContainEqual(["experiment", "button", "update", "it is COMPLETED"]);
});

test("all problems of all files are named with file, line and field, before anything is written", async () => {
  await write(
    "flags/a.yaml",
    "key: a\ndescripton: A\nrules:\n  - when:\n      attribute: plan\n      operator: EQUAL\n    serve: {}\n",
  );
  await write("flags/b.yaml", "key: b\nname: B\nrollout_percentage: .inf\n");
  await write("flags/c.yaml", "key: c\nname: [\n");
  await write("flags/d.json", '{\n  "key": "d",\n  "name": "D",\n  "rollout_percentage": 120\n}');
  await write("flags/e.yaml", "key: d2\nname: E\nvariants:\n  - { key: x, value: 1 }\n  - { key: y, value: one }\n");
  await write("flags/f.yaml", "key: f\nname: F\nvariants:\n  - { key: x, weight: 10, value: 1 }\n");
  await write("flags/g.yaml", "");
  const values = "variants:\n  - key: x\n    value:\n      size: big\n";
  await write("flags/h.yaml", `key: h\nname: H\nvalue_schema: { properties: { size: { type: number } } }\n${values}`);
  await write("flags/i.yaml", `key: i\nname: I\nvalue_schema: { propertes: {} }\n${values}`);
  await write("flags/j.yaml", "key: j\nname: J\nvalue_schema: {}\n");
  await write("segments/one.yaml", "name: one\n");
  await write("segments/two.yaml", "\n\nname: one\n");
  await write("segments/three.yaml", "name: three\nconditions:\n  attribute: a\n  operator: MATCHES\n  value: '('\n");
  const { problems } = await readTree(folder);
  expect(problems.map(describeProblem)).toEqual([
    "segments/three.yaml:5: conditions.value: Unsupported pattern: unclosed group at position 2",
    "segments/two.yaml:3: name: segments/one.yaml is this segment already",
    "flags/a.yaml:1: name: Field required",
    expect.stringMatching(
      /^flags\/a\.yaml:6: rules\.0\.when\.operator: Invalid option; did you mean EQUALS\? Expected /,
    ),
    "flags/a.yaml:7: rules.0.serve.variant: Field required",
    'flags/a.yaml:2: descripton: Unknown field; did you mean "description"?',
    "flags/b.yaml:3: rollout_percentage: Not a value of JSON",
    "flags/c.yaml:3: Not YAML: Flow sequence in block collection must be sufficiently indented and end with a ]",
    "flags/d.json:4: rollout_percentage: Too big: expected number to be <=100",
    "flags/e.yaml:5: variants.1.value: Expected a value of type NUMBER",
    "flags/f.yaml:3: variants: Weights must sum to 1, or to 100 as percentages, not to 10",
    "flags/g.yaml:1: Invalid input: expected object, received null",
    "flags/h.yaml:7: variants.0.value.size: Must be a number",
    'flags/i.yaml:3: value_schema.propertes: Unknown keyword "propertes"',
    "flags/j.yaml:3: value_schema: Only for flags of type OBJECT",
  ]);
});

test("references to what neither the files nor the server have are problems", async () => {
  await client.request("POST /segments", { body: { name: "there" } });
  await write("flags/a.yaml", "key: a\nname: A\nprerequisites:\n  - flag_key: none\n");
  await write("flags/b.yaml", "key: b\nname: B\ntargeting_rules:\n  user_segments: [there, gone]\n");
  await write("experiments/c.yaml", "key: c\nname: C\nfeature_flag_key: nowhere\n");
  const expected = [
    'flags/a.yaml:4: prerequisites.0.flag_key: There is no flag "none"',
    'flags/b.yaml:4: targeting_rules.user_segments.1: There is no segment "gone"',
    'experiments/c.yaml:3: feature_flag_key: There is no flag "nowhere"',
  ];
  expect((await planOf()).problems.map(describeProblem)).toEqual(expected);
  expect((await planOf(client, true)).problems.map(describeProblem)).toContain(
    'flags/b.yaml:4: targeting_rules.user_segments.0: There is no segment "there"',
  );
});
