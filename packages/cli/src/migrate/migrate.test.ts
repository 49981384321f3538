import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { PASSWORD, run, type Serving, serve, stopAll } from "../cli.fixture.ts";
import { applyPlan } from "./apply.ts";
import { complete } from "./mapping/complete.ts";
import { makePlan } from "./plan.ts";
import { PRODUCTS } from "./products.ts";
import type { ReportLine } from "./report.ts";
import { constraint, everyone, feature, rollout, variant } from "./unleash/sdk.fixture.ts";

let server: Serving;
let folder: string;
let file: string;
let names: Record<"checkout" | "gradual" | "child" | "segment" | "custom", string>;

beforeAll(async () => {
  server = await serve(["--storage", "memory"]);
  folder = await mkdtemp(join(tmpdir(), "assay-migrate-"));
});
afterAll(async () => {
  await stopAll();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  const id = Math.random().toString(36).slice(2);
  names = {
    checkout: `checkout-${id}`,
    gradual: `gradual-${id}`,
    child: `child-${id}`,
    segment: `Staff ${id}`,
    custom: `custom-${id}`,
  };
  file = join(folder, `${id}.json`);
  await write();
});

/** Writes a payload; the percentage is that of the gradual rollout. */
async function write(percentage = 25) {
  const features = [
    feature(names.child, [everyone()], { dependencies: [{ feature: names.checkout }] }),
    feature(names.checkout, [{ ...everyone(), segments: [1] }], { description: "The new checkout" }),
    feature(names.gradual, [rollout(percentage)]),
    feature(names.custom, [{ name: "byTenant" }]),
  ];
  const segments = [{ id: 1, name: names.segment, constraints: [constraint("userId", "IN", ["ada"])] }];
  const query = { environment: "production" };
  await writeFile(file, JSON.stringify({ version: 2, features, segments, query }));
}

const migrate = (words: string[] = [], environment: Record<string, string> = {}) =>
  run(["migrate", "unleash", file, ...words], {
    ASSAY_URL: server.url,
    ASSAY_USERNAME: "admin",
    ASSAY_PASSWORD: PASSWORD,
    ...environment,
  });
const flag = (id: string) => server.admin.request("GET /feature-flags/{id}", { params: { id } });
const change = (id: string, body: object) =>
  server.admin.request("PATCH /feature-flags/{id}", { params: { id }, body });

/** What became of each document, by its key. */
async function actions(words: string[] = []): Promise<Record<string, ReportLine["action"]>> {
  const { output } = await migrate([...words, "--json"]);
  return Object.fromEntries((JSON.parse(output) as ReportLine[]).map(({ key, action }) => [key, action]));
}

test("a dry run needs no server, and prints what maps exactly, what nearly and what not", async () => {
  const { code, output } = await run(["migrate", "unleash", file, "--dry-run", "--environment", "production"]);
  expect(code).toBe(0);
  expect(output).toContain(`segment ${names.segment}: exactly, to create\n`);
  expect(output).toContain(`flag ${names.checkout}: exactly, to create\n`);
  expect(output).toMatch(
    new RegExp(
      `flag ${names.gradual}: nearly, to create\\n  strategy-1: [\\d,]+ of 10,000 sample users change arms \\(\\d+\\.\\d %\\)\\n`,
    ),
  );
  expect(output).toContain(
    `flag ${names.custom}: not migrated\n  The strategy byTenant is computed by your application's own code\n`,
  );
  expect(output.trimEnd()).toMatch(/Unleash: 3 exactly, 1 nearly, 1 not migrated$/);
});

test("a dry run with credentials compares with the server, and changes nothing", async () => {
  const { output } = await migrate(["--dry-run"]);
  expect(output).toContain(`flag ${names.checkout}: exactly, to create\n`);
  await expect(flag(names.checkout)).rejects.toMatchObject({ status: 404 });
});

test("creates segments, flags after their prerequisites, and nothing twice", async () => {
  const { code, output } = await migrate();
  expect(code).toBe(0);
  expect(output).toContain(`flag ${names.checkout}: exactly, created\n`);
  const { description, rules, status, version } = await flag(names.checkout);
  expect({ description, rules, status }).toMatchObject({
    description: expect.stringMatching(/^The new checkout\n\nMigrated from Unleash \([0-9a-f]{12}\)$/),
    rules: [{ when: { operator: "IN_SEGMENT", value: names.segment } }],
    status: "ACTIVE",
  });
  const explained = async (user_id: string) => {
    const body = { user_id, flag_key: names.child };
    return (await server.admin.request("POST /feature-flags/explain", { body })).flags[0]!.value;
  };
  expect([await explained("ada"), await explained("bob")]).toEqual([true, false]);
  const { output: again } = await migrate();
  expect(again).toContain(`flag ${names.checkout}: exactly, unchanged\n`);
  expect(again).not.toMatch(/created|updated/);
  expect((await flag(names.checkout)).version).toBe(version);
});

test("documents of every kind are as the migration made them, so that a second run finds them unchanged", async () => {
  const colours = [
    variant("red", 1, { payload: { type: "json", value: '{"z":1,"a":[2]}' } }),
    variant("blue", 2, { payload: { type: "json", value: '{"z":2}' } }),
  ];
  const period = constraint("currentTime", "DATE_AFTER", "2026-03-01T12:00:00Z");
  const features = [
    feature(names.checkout, [everyone(period)], { variants: colours }),
    feature(
      names.gradual,
      [rollout(25, { stickiness: "sessionId", constraints: [constraint("country", "IN", ["US"])] })],
      { enabled: false },
    ),
    feature(names.child, [everyone()], {
      dependencies: [{ feature: names.checkout, variants: ["red"] }],
      description: "  Child\n",
    }),
  ];
  await writeFile(file, JSON.stringify({ features, segments: [{ id: 2, name: names.segment, constraints: [] }] }));
  expect(Object.values(await actions())).toEqual(["create", "create", "create", "create"]);
  expect(Object.values(await actions())).toEqual(["none", "none", "none", "none"]);
});

test("an experiment becomes a DRAFT on its flag, and a second run leaves it as it is", async () => {
  const variations = ["none", "red", "blue"];
  const rules = [{ key: `test-${names.gradual}`, name: "Colours", variations, coverage: 0.5, hashAttribute: "id" }];
  await writeFile(file, JSON.stringify({ features: { [names.gradual]: { defaultValue: "none", rules } } }));
  const migrateAgain = () =>
    run(["migrate", "growthbook", file], { ASSAY_URL: server.url, ASSAY_USERNAME: "admin", ASSAY_PASSWORD: PASSWORD });
  expect((await migrateAgain()).output).toContain(`experiment test-${names.gradual}: exactly, created\n`);
  const params = { experiment_id: `test-${names.gradual}` };
  const experiment = await server.admin.request("GET /experiments/{experiment_id}", { params });
  expect(experiment).toMatchObject({ status: "DRAFT", name: "Colours", feature_flag_key: names.gradual });
  expect(experiment.variants.map(({ key, is_control }) => [key, is_control])).toEqual([
    ["0", true],
    ["1", false],
    ["2", false],
  ]);
  await server.admin.request("PATCH /experiments/{experiment_id}", { params, body: { name: "Renamed" } as never });
  expect((await migrateAgain()).output).toMatch(/experiment \S+: exactly, unchanged\n/);
  expect(await server.admin.request("GET /experiments/{experiment_id}", { params })).toMatchObject({ name: "Renamed" });
});

test("a change in the source updates what nobody changed in Assay", async () => {
  await migrate();
  await write(50);
  expect(await actions()).toMatchObject({
    [names.gradual]: "update",
    [names.checkout]: "none",
    [names.segment]: "none",
  });
  expect(await flag(names.gradual)).toMatchObject({ rollout_percentage: 50 });
  expect(await actions()).toMatchObject({ [names.gradual]: "none" });
});

test("a flag that someone changed stays, also one that was switched off, unless --force replaces it", async () => {
  await migrate();
  await change(names.gradual, { status: "INACTIVE" });
  await write(50);
  const { code, output } = await migrate();
  expect(code).toBe(0);
  expect(output).toContain(
    `flag ${names.gradual}: nearly, kept as it is in Assay\n  Someone changed it in Assay since it was migrated\n`,
  );
  expect(await flag(names.gradual)).toMatchObject({ status: "INACTIVE", rollout_percentage: 25 });
  expect(await actions(["--force"])).toMatchObject({ [names.gradual]: "update" });
  expect(await flag(names.gradual)).toMatchObject({ status: "ACTIVE", rollout_percentage: 50 });
});

test("a change that someone makes while the plan is carried out stays", async () => {
  await migrate();
  await write(50);
  const migration = complete(PRODUCTS.unleash!.read([JSON.parse(await readFile(file, "utf8"))], {}));
  const steps = await makePlan(migration, "Unleash", server.admin, true);
  await change(names.gradual, { rollout_percentage: 1 });
  expect(await applyPlan(steps, "Unleash", server.admin)).toMatchObject([
    {
      kind: "flag",
      key: names.gradual,
      action: "refused",
      reason: expect.stringContaining("Someone changed or deleted it since"),
    },
  ]);
  expect(await flag(names.gradual)).toMatchObject({ rollout_percentage: 1 });
});

test("a flag that was in Assay before stays, and so does what depends on it", async () => {
  await server.admin.request("POST /feature-flags/", { body: { key: names.checkout, name: "Ours" } });
  const { output } = await migrate();
  expect(output).toContain(
    `flag ${names.checkout}: exactly, kept as it is in Assay\n  It was in Assay before, and differs\n`,
  );
  expect(output).toContain(
    `flag ${names.child}: exactly, kept as it is in Assay\n  It needs the flag ${names.checkout}, which differs\n`,
  );
  expect(await flag(names.checkout)).toMatchObject({ name: "Ours", status: "INACTIVE" });
  await expect(flag(names.child)).rejects.toMatchObject({ status: 404 });
});

test("a segment of the same name stays, and no flag uses it for other members", async () => {
  await server.admin.request("POST /segments", { body: { name: names.segment, user_ids: ["everyone"] } });
  expect(await actions()).toMatchObject({
    [names.segment]: "keep",
    [names.checkout]: "keep",
    [names.child]: "keep",
    [names.gradual]: "create",
  });
  expect(await actions(["--force"])).toMatchObject({
    [names.segment]: "update",
    [names.checkout]: "create",
    [names.child]: "create",
  });
});

test("an archived segment, which has no members, stays, and no flag uses it until --force restores it", async () => {
  const segments = [{ id: 1, name: names.segment, constraints: [constraint("userId", "IN", ["ada"])] }];
  const full = await readFile(file, "utf8");
  await writeFile(file, JSON.stringify({ segments }));
  expect(await actions()).toEqual({ [names.segment]: "create" });
  const params = { id: names.segment };
  await server.admin.request("PUT /segments/{id}", { params, body: { status: "ARCHIVED" } });
  await writeFile(file, full);
  expect(await actions()).toMatchObject({ [names.segment]: "keep", [names.checkout]: "keep" });
  expect(await actions(["--force"])).toMatchObject({ [names.segment]: "update", [names.checkout]: "create" });
  expect(await server.admin.request("GET /segments/{id}", { params })).toMatchObject({ status: "ACTIVE" });
});

test("what needs a refused document is refused too", async () => {
  // The API accepts no control characters in names.
  const name = `${names.segment}\u0007`;
  const segments = [{ id: 1, name, constraints: [constraint("userId", "IN", ["ada"])] }];
  const parent = feature(names.checkout, [{ ...everyone(), segments: [1] }]);
  const child = feature(names.child, [everyone()], { dependencies: [{ feature: names.checkout }] });
  await writeFile(file, JSON.stringify({ features: [parent, child, feature(names.gradual, [rollout(25)])], segments }));
  const { code, output } = await migrate();
  expect(code).toBe(1);
  expect(output).toContain(`flag ${names.checkout}: exactly, refused by the server\n  It needs the segment ${name}`);
  expect(output).toContain(
    `flag ${names.child}: exactly, refused by the server\n  It needs the flag ${names.checkout}`,
  );
  expect(output).toContain(`flag ${names.gradual}: nearly, created\n`);
});

test("what the server refuses is listed, the rest is migrated, and the exit code is 1", async () => {
  await migrate();
  const body = {
    key: `x-${names.gradual}`,
    name: "X",
    feature_flag_key: names.gradual,
    metrics: [{ name: "buy", event_type: "buy" }],
  };
  await server.admin.request("POST /experiments/", { body: body as never });
  await server.admin.request("POST /experiments/{experiment_id}/start", { params: { experiment_id: body.key } });
  await write(50);
  const { code, output } = await migrate();
  expect(code).toBe(1);
  expect(output).toContain(
    `flag ${names.gradual}: nearly, refused by the server\n  The flag's rollout_percentage cannot change while experiment`,
  );
});

test("a viewer may compare, but create nothing", async () => {
  const username = `viewer-${names.child}`;
  const password = "a-password-of-a-viewer";
  await server.admin.request("POST /users/", {
    body: { username, email: `${username}@example.com`, password, role: "VIEWER" } as never,
  });
  const viewer = { ASSAY_USERNAME: username, ASSAY_PASSWORD: password };
  expect((await migrate(["--dry-run"], viewer)).output).toContain("to create");
  const { code, output } = await migrate([], viewer);
  expect(code).toBe(1);
  expect(output).toContain(`flag ${names.checkout}: exactly, refused by the server`);
  await expect(flag(names.checkout)).rejects.toMatchObject({ status: 404 });
});

test("an API key migrates flags; segments need a user, and a plan without one compares with no server", async () => {
  const { key = "" } = await server.admin.request("POST /api-keys", {
    body: { name: names.child, scopes: ["read", "admin"] },
  });
  const withKey = (...words: string[]) =>
    run(["migrate", "unleash", file, ...words], { ASSAY_URL: server.url, ASSAY_API_KEY: key ?? "" });
  const { code, output } = await withKey();
  expect({ code, output }).toMatchObject({ code: 2, output: expect.stringContaining("Only users create segments") });
  expect((await withKey("--dry-run")).output).toContain(`flag ${names.checkout}: exactly, to create\n`);
  await writeFile(file, JSON.stringify({ features: [feature(names.gradual, [rollout(25)])] }));
  expect((await withKey()).output).toContain(`flag ${names.gradual}: nearly, created\n`);
  expect((await withKey("--dry-run")).output).toContain(`flag ${names.gradual}: nearly, unchanged\n`);
});

test("reads a URL with a token, and counts the users of a file", async () => {
  await writeFile(join(folder, "users"), "ada\nbob\ncarol\n");
  const seen: unknown[] = [];
  const source = createServer((request, response) => {
    seen.push(request.headers.authorization);
    if (request.url?.startsWith("/none")) response.writeHead(401);
    response.end(JSON.stringify({ features: [feature(names.gradual, [rollout(50)])] }));
  });
  await new Promise<void>((resolve) => source.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
  const words = ["--dry-run", "--users", join(folder, "users")];
  const token = { ASSAY_MIGRATE_TOKEN: "secret-token" };
  const { output } = await run(["migrate", "unleash", `${url}/api/client/features`, ...words], token);
  expect(output).toMatch(/strategy-1: [0-3] of 3 sample users change arms/);
  expect(seen).toEqual(["secret-token"]);
  expect(await run(["migrate", "unleash", `${url}/none?key=hidden`, ...words], token)).toEqual({
    code: 1,
    output: `assay: Cannot read ${url}/none: it answered 401\n`,
  });
  source.close();
});

test("the example of the documentation prints what the documentation shows", async () => {
  const features = [
    feature("new-checkout", [{ ...everyone(), segments: [1] }]),
    feature("new-prices", [rollout(25, { groupId: "new-prices" })]),
    feature("by-tenant", [{ name: "byTenant" }]),
  ];
  const segments = [{ id: 1, name: "Staff", constraints: [constraint("userId", "IN", ["ada"])] }];
  await writeFile(file, JSON.stringify({ features, segments }));
  const page = await readFile(new URL("../../../../docs/migrating.md", import.meta.url), "utf8");
  expect(page).toContain(`\n\`\`\`\n${(await migrate()).output}\`\`\`\n`);
});

const mistakes: [words: string[], code: number, line: string | RegExp][] = [
  [[], 2, "Specify a task: unleash, "],
  [["optimizely", "x.json"], 2, 'Unknown task "optimizely": unleash, '],
  [["unleash"], 2, "Specify the file or URL to migrate"],
  [["unleash", "/nowhere.json", "--dry-run"], 2, "Cannot read /nowhere.json: ENOENT"],
  [["unleash", "package.json", "--dry-run"], 1, "This has neither features nor segments of Unleash"],
  [["unleash", "README.md", "--dry-run"], 1, "README.md has no JSON: "],
  [["unleash", "package.json", "--dry-run", "--sure"], 2, "Unknown option '--sure'"],
];

test.each(mistakes)("migrate %j fails with %i and one line", async (words, code, line) => {
  const result = await run(["migrate", ...words]);
  expect(result.code).toBe(code);
  expect(result.output).toContain(`assay: ${line}`);
  expect(result.output.trimEnd().split("\n")).toHaveLength(1);
});

test("a file without users is refused", async () => {
  expect(await migrate(["--dry-run", "--users", "/dev/null"])).toEqual({
    code: 2,
    output: "assay: /dev/null has no user ids; write one a line\n",
  });
});

test("another environment than that of the payload is refused, and applying needs credentials", async () => {
  expect(await migrate(["--environment", "staging"])).toEqual({
    code: 1,
    output: 'assay: The source has no environment "staging", only: production\n',
  });
  const { code, output } = await run(["migrate", "unleash", file]);
  expect({ code, output }).toMatchObject({ code: 2, output: expect.stringContaining("Only users create segments") });
});
