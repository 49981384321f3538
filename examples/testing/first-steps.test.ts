import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFile(new URL(path, root), "utf8");

interface Manifest {
  name: string;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const folders = (await readdir(new URL("examples/", root))).filter(
  (name) => name !== "testing" && existsSync(fileURLToPath(new URL(`examples/${name}/package.json`, root))),
);

test.each(folders)("npm can install a copy of examples/%s, with the versions that are tested here", async (name) => {
  const { dependencies, devDependencies }: Manifest = JSON.parse(await read(`examples/${name}/package.json`));
  const workspace = await read("pnpm-workspace.yaml");
  const expected = (dependency: string, range: string) => {
    if (dependency.startsWith("@assay/")) return "*";
    const [, version] = new RegExp(`^  "?${dependency}"?: (\\S+)$`, "m").exec(workspace) ?? [];
    // Examples outside of the workspace are installed alone.
    return version === undefined && workspace.includes(`"!examples/${name}"`) ? range : `^${version}`;
  };
  const ranges = Object.entries({ ...dependencies, ...devDependencies });
  expect(ranges.length).toBeGreaterThan(1);
  expect(ranges).toEqual(ranges.map(([dependency, range]) => [dependency, expected(dependency, range)]));
  expect(ranges.filter(([, range]) => !/^(\*|[\^~]\d+\.\d+\.\d+)$/.test(range))).toEqual([]);
});

test("what the guides say to run at the root are scripts that install by themselves", async () => {
  const { scripts = {} }: Manifest = JSON.parse(await read("package.json"));
  const pages = ["README.md", "docs/getting-started.md", ...folders.map((name) => `examples/${name}/README.md`)];
  const named = new Set<string>();
  for (const page of pages.filter((path) => existsSync(fileURLToPath(new URL(path, root))))) {
    for (const [, script = ""] of (await read(page)).matchAll(/npm (?:run )?(setup|start|test|demo)\b/g))
      named.add(script);
  }
  expect([...named].sort()).toEqual(["demo", "setup", "start", "test"]);
  expect(scripts.setup).toMatch(/^npx -y pnpm@\S+ install --frozen-lockfile && /);
  for (const name of named)
    if (name !== "setup") expect(scripts[name]).toMatch(/^(node \S+\/quiet\.mjs )?npm run setup && /);
});
