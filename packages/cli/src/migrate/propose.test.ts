import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@assay/client";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { PASSWORD, run, type Serving, serve, stopAll } from "../cli.fixture.ts";
import { constraint, everyone, feature } from "./unleash/sdk.fixture.ts";

let server: Serving;
let folder: string;

beforeAll(async () => {
  server = await serve(["--storage", "memory", "--protected", "default"]);
  const body = { username: "ada", email: "ada@example.org", password: PASSWORD, role: "DEVELOPER" as const };
  await server.admin.request("POST /users/", { body });
});
afterAll(stopAll);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-migrate-propose-"));
  return () => rm(folder, { recursive: true, force: true });
});

async function migrate(source: object, words: string[], caller: Record<string, string>) {
  await writeFile(join(folder, "features.json"), JSON.stringify(source));
  return run(["migrate", "unleash", join(folder, "features.json"), ...words], { ASSAY_URL: server.url, ...caller });
}
const ADA = { ASSAY_USERNAME: "ada", ASSAY_PASSWORD: PASSWORD };
const readOpen = async () =>
  (await server.admin.request("GET /proposals", { query: { status: "OPEN" } })).items.reverse();
async function approveAll() {
  for (const { id } of await readOpen())
    await server.admin.request("POST /proposals/{id}/approve", { params: { id }, body: {} });
}

test("a migration proposes what does not need another proposal, and the rest after approval", async () => {
  const source = {
    features: [
      feature("checkout", [{ ...everyone(), segments: [1] }]),
      feature("child", [everyone()], { dependencies: [{ feature: "checkout" }] }),
    ],
    segments: [{ id: 1, name: "Staff", constraints: [constraint("userId", "IN", ["ada"])] }],
  };
  const refused = await migrate(source, [], ADA);
  expect(refused).toMatchObject({ code: 2, output: expect.stringContaining("specify --propose") });
  expect(await readOpen()).toEqual([]);

  const { code, output } = await migrate(source, ["--propose"], ADA);
  const [proposal, ...others] = await readOpen();
  expect(others).toEqual([]);
  expect(proposal).toMatchObject({ resource_name: "Staff", reason: "Migrated from Unleash" });
  expect({ code, output }).toEqual({
    code: 1,
    output: [
      "segment Staff: exactly, proposed",
      `  Proposal ${proposal!.id}`,
      "flag checkout: exactly, not proposed",
      "  It needs the segment Staff, which is only proposed; run the command again when that is applied",
      "flag child: exactly, not proposed",
      "  It needs the flag checkout, which is not proposed",
      "Unleash: 3 exactly, 0 nearly, 0 not migrated",
      "",
    ].join("\n"),
  });
  expect((await migrate(source, ["--propose"], ADA)).output).toContain(`${proposal!.id}, which was open already\n`);
  await approveAll();
  await migrate(source, ["--propose"], ADA);
  await approveAll();
  const last = await migrate(source, ["--propose", "--json"], ADA);
  const [open] = await readOpen();
  expect(last.code).toBe(0);
  expect(JSON.parse(last.output).at(-1)).toMatchObject({
    action: "proposed",
    proposal: { id: open!.id, is_new: true },
  });
  await approveAll();
  expect((await migrate(source, [], ADA)).output).toContain("flag child: exactly, unchanged\n");
});

test("an API key proposes too, and the server refuses its changes otherwise", async () => {
  const ada = createClient({ baseUrl: server.url, username: "ada", password: PASSWORD });
  const { key } = await ada.request("POST /api-keys", { body: { name: "ci", scopes: ["read", "admin"] } });
  const source = { features: [feature("by-key", [everyone()])] };
  const direct = await migrate(source, [], { ASSAY_API_KEY: key! });
  expect(direct).toMatchObject({ code: 1, output: expect.stringContaining('The environment "default" is protected') });
  expect(await migrate(source, ["--propose"], { ASSAY_API_KEY: key! })).toMatchObject({
    code: 0,
    output: expect.stringContaining("flag by-key: exactly, proposed\n"),
  });
  expect(await readOpen()).toMatchObject([{ resource_type: "feature_flag", author_name: "ada" }]);
});
