import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { folderImports } from "./folder-graph.ts";
import { readPackages } from "./package-graph.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const core = readPackages(root, "packages").find(({ manifest }) => manifest.name === "@assay/core")!;
const imports = folderImports(core, { "#platform": "platform" });

/** The folders of core that each folder may import, types included. This list alone decides. */
const ARROWS: Record<string, string[]> = {
  format: [],
  values: ["format"],
  platform: ["values"],
  bucketing: ["platform"],
  compiler: ["bucketing", "values", "format"],
  runtime: ["bucketing", "platform", "values", "format"],
  engine: ["compiler", "runtime", "values", "format"],
  overrides: ["values", "format"],
  schema: ["platform", "values", "format"],
  page: ["engine"],
  server: ["compiler", "runtime"],
  stats: [],
};

/** The files of a feature, whose halves have the same name: the compiler creates its program, the runtime links it. */
const HALVES = ["experiment.ts", "flag.ts", "segment.ts"];

test("every folder of core has its place", () => {
  const folders = core.sources.map(({ path }) => path.slice("packages/core/src/".length).split("/"));
  const names = new Set(folders.filter(({ length }) => length > 1).map(([name]) => name!));
  expect([...names].sort()).toEqual(Object.keys(ARROWS).sort());
});

test("imports between the folders of core follow the arrows", () => {
  expect(imports.length).toBeGreaterThan(50);
  const wrong = imports.filter(({ from, to }) => !ARROWS[from]?.includes(to));
  expect(wrong.map(({ where }) => where)).toEqual([]);
});

test("the arrows lead down only, so that no folder imports itself by way of others", () => {
  const reached = (folder: string): string[] => (ARROWS[folder] ?? []).flatMap((next) => [next, ...reached(next)]);
  for (const folder of Object.keys(ARROWS)) expect(reached(folder)).not.toContain(folder);
});

test("every arrow is used", () => {
  const used = new Set(imports.map(({ from, to }) => `${from} -> ${to}`));
  const allowed = Object.entries(ARROWS).flatMap(([from, folders]) => folders.map((to) => `${from} -> ${to}`));
  expect(allowed.filter((arrow) => !used.has(arrow))).toEqual([]);
});

test("a file name means one thing", () => {
  const names = core.sources.map(({ path }) => path).filter((path) => !path.startsWith("packages/core/src/stats/"));
  const homes = new Map<string, string[]>();
  for (const path of names) homes.set(basename(path), [...(homes.get(basename(path)) ?? []), path]);
  const twice = [...homes].filter(([name, paths]) => paths.length > 1 && name !== "index.ts" && !HALVES.includes(name));
  expect(twice).toEqual([]);
  for (const name of HALVES) {
    expect(homes.get(name)).toEqual([`packages/core/src/compiler/${name}`, `packages/core/src/runtime/${name}`]);
  }
});
