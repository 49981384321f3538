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

test("check finds a damaged flag, and repair puts it back from a backup", async () => {
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

  const found = await run(["check", ...words]);
  expect(found).toMatchObject({ code: 1, output: expect.stringContaining("1 records are damaged") });
  expect(found.output).toContain("feature-flags/doc/");
  const mended = await run(["repair", "--backup", backup, ...words]);
  expect(mended).toMatchObject({ code: 0, output: expect.stringContaining("1 records repaired, 0 records are still") });
  const again = await serve([...words, ...data]);
  const params = { id: "f" };
  expect(await again.admin.request("GET /feature-flags/{id}", { params })).toMatchObject({ status: "ACTIVE" });
}, 300_000);
