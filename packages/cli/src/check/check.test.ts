import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { run, serve, stopAll } from "../cli.fixture.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "assay-check-"));
});
afterEach(async () => {
  await stopAll();
  await rm(directory, { recursive: true });
});

test("check finds a damaged flag and a damaged audit entry, and repair puts both back from a backup", async () => {
  const files = join(directory, "files");
  const words = ["--storage", `fs:${files}`];
  const data = ["--data", join(directory, "data")];
  const server = await serve([...words, ...data]);
  await server.admin.request("POST /feature-flags/", { body: { key: "f", name: "F", status: "ACTIVE" } });
  server.child.kill("SIGTERM");
  await server.exit;
  const backup = join(directory, "backup");
  expect((await run(["backup", backup, ...words])).code).toBe(0);
  const names = await readdir(files, { recursive: true });
  const flag = join(
    files,
    names.find((name) => name.includes("feature-flags") && name.includes("doc") && name.endsWith("@"))!,
  );
  await writeFile(flag, (await readFile(flag, "utf8")).replace("ACTIVE", "actIVE"));

  const journals = names.filter((name) => /journals,.*@$/.test(name)).map((name) => join(files, name));
  for (const journal of journals) {
    await writeFile(journal, (await readFile(journal, "utf8")).replace("feature_flag.create", "feature_flag.cReate"));
  }

  const found = await run(["check", ...words]);
  expect(found).toMatchObject({ code: 1, output: expect.stringContaining("2 records are damaged") });
  expect(found.output).toContain("feature-flags/doc/");
  expect(found.output).toMatch(/^\S*audit\S*#\d+: This record/m);
  const named = await run(["repair", ...words]);
  expect(named).toMatchObject({ code: 1, output: expect.stringContaining("0 records repaired, 2 records are still") });
  const none = await run(["repair", "--backup", join(directory, "none"), ...words]);
  expect(none).toMatchObject({ code: 1, output: expect.stringContaining("There is no file") });
  const mended = await run(["repair", "--backup", backup, ...words]);
  expect(mended).toMatchObject({ code: 0, output: expect.stringContaining("2 records repaired, 0 records are still") });
  const again = await serve([...words, ...data]);
  const params = { id: "f" };
  expect(await again.admin.request("GET /feature-flags/{id}", { params })).toMatchObject({ status: "ACTIVE" });
}, 300_000);
