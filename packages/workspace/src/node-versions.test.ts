import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { VERSIONS } from "./first-steps/nodes.ts";

const root = new URL("../../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");

interface Manifest {
  private?: boolean;
  engines?: { node?: string };
}

const folders = readdirSync(new URL("packages/", root)).filter((name) =>
  existsSync(new URL(`packages/${name}/package.json`, root)),
);
const range = (JSON.parse(read("package.json")) as Manifest).engines?.node ?? "";

test("every published package names the versions of Node that the repository does", () => {
  const manifests = folders.map((name): [string, Manifest] => [
    name,
    JSON.parse(read(`packages/${name}/package.json`)),
  ]);
  const published = manifests.filter(([, manifest]) => !manifest.private);
  expect(published.length).toBeGreaterThan(5);
  expect(published.filter(([, { engines }]) => engines?.node !== range)).toEqual([]);
});

test("CI runs all versions of Node that the packages name, each on its own and in the first steps", () => {
  const [, matrix = ""] = /^ +node: \[(.*)\]$/m.exec(read(".github/workflows/ci.yml")) ?? [];
  expect(matrix.split(", ")).toEqual(VERSIONS);
  // Only even versions count: odd ones live for half a year.
  const [newest = ""] = VERSIONS.slice(-1);
  const named = range.split(" || ").flatMap((part) => {
    const [, operator, major] = /^(\^|>=)(\d+)\.\d+\.0$/.exec(part) ?? [];
    const first = Number(major);
    return operator === "^"
      ? [first]
      : Array.from({ length: (Number(newest) - first) / 2 + 1 }, (_, at) => first + at * 2);
  });
  expect(named.map(String)).toEqual(VERSIONS);
});

test.each(["README.md", "docs/getting-started.md", "CONTRIBUTING.md"])(
  "%s says which versions of Node will do",
  (page) => {
    const lowest = range.split(" || ").map((part) => part.replace(/^(\^|>=)/, "").replace(/(\.0)+$/, ""));
    expect(read(page)).toContain(`Node ${lowest.slice(0, -1).join(", ")} or ${lowest.at(-1)} and newer`);
  },
);
