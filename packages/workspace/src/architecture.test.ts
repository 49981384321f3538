import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Returns every source of every package, and the pages beside docs/architecture.md. */
async function filesOf(): Promise<string[]> {
  const packages = await readdir(`${root}packages`);
  const folders = ["docs", ...packages.map((name) => `packages/${name}/src`)];
  const lists = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(root + folder, { recursive: true })).map((path) => `/${folder}/${path}`),
    ),
  );
  return [...lists.flat(), "/README.md", "/CONTRIBUTING.md"];
}

test("every file that docs/architecture.md names is there", async () => {
  const page = await readFile(`${root}docs/architecture.md`, "utf8");
  const named = [...page.matchAll(/`([\w./-]+\.(?:ts|md|mjs))`/g)].map(([, path]) => path!);
  expect(named.length).toBeGreaterThan(30);
  const files = await filesOf();
  expect(named.filter((path) => !files.some((file) => file.endsWith(`/${path}`)))).toEqual([]);
});
