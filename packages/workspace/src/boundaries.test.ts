import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { packageOf, readPackages, subPathOf, targetOf, type WorkspacePackage } from "./package-graph.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const packages = readPackages(root, "packages");
const examples = readPackages(root, "examples");
const names = new Set(packages.map(({ manifest }) => manifest.name));

/** The packages that each package may depend on: the arrows of the architecture, which only point left. */
const ARROWS: Record<string, string[]> = {
  "@assay/core": [],
  "@assay/contract": ["@assay/core"],
  "@assay/client": [],
  "@assay/sdk": ["@assay/core"],
  "@assay/openfeature-server": ["@assay/core", "@assay/sdk"],
  "@assay/openfeature-web": ["@assay/core", "@assay/sdk"],
  "@assay/edge": ["@assay/core", "@assay/sdk"],
  "@assay/store": [],
  "@assay/analysis": ["@assay/core"],
  "@assay/design": [],
  "@assay/server": ["@assay/core", "@assay/contract", "@assay/store", "@assay/analysis", "@assay/design"],
  "@assay/lmdb": ["@assay/store"],
  "@assay/redis": ["@assay/store"],
  "@assay/postgres": ["@assay/store"],
  "@assay/relay": ["@assay/core", "@assay/contract", "@assay/sdk"],
  "@assay/clickhouse": ["@assay/analysis"],
  "@assay/console": ["@assay/core", "@assay/client"],
  "@assay/cli": [
    "@assay/core",
    "@assay/contract",
    "@assay/server",
    "@assay/store",
    "@assay/lmdb",
    "@assay/postgres",
    "@assay/redis",
    "@assay/clickhouse",
    "@assay/relay",
    "@assay/client",
    "@assay/openfeature-server",
    "@assay/console",
  ],
};

/** Packages that promise their size or purity, with everything from outside that they may depend on. */
const OUTSIDE: Record<string, string[]> = {
  "@assay/core": [],
  "@assay/contract": ["fastest-levenshtein", "zod"],
  "@assay/client": [],
  "@assay/design": [],
  "@assay/sdk": [],
  "@assay/openfeature-server": ["@openfeature/server-sdk"],
  "@assay/openfeature-web": ["@openfeature/web-sdk"],
  "@assay/edge": [],
};

/** Entry points for Node alone. No other file of the package may import them. */
const FOR_NODE = ["packages/openfeature-server/src/file.ts"];

/** The root files that tests, benchmarks and configuration may import. */
const ROOT_TOOLS = ["vitest", "fast-check", "tsup", "typescript", "vite", "tinybench", "mitata"];

/**
 * Files that packages share by path on purpose: build configuration, the vectors of evaluators, floors of benchmarks,
 * fixtures of tests.
 */
const SHARED_FILES = [
  /^packages\/analysis\/src\/simulated-log\.fixture\.ts$/,
  /^packages\/workspace\/src\/(build|typescript\.fixture)\.ts$/,
  /^packages\/workspace\/src\/docs\/(blocks|commands)\.ts$/,
  /^packages\/core\/vectors\//,
  /^packages\/core\/bench\/floors\//,
  /^packages\/design\/src\/corpus\.fixture\.ts$/,
  /^packages\/lmdb\/src\/small-disk\.fixture\.ts$/,
  /^packages\/postgres\/src\/cluster\.fixture\.ts$/,
  /^packages\/redis\/src\/(cluster|server)\.fixture\.ts$/,
  /^packages\/server\/src\/areas\/warehouse\/clickhouse\.fixture\.ts$/,
  /^packages\/sdk\/src\/fake-server\.fixture\.ts$/,
];

const isOurs = (name: string | undefined) => name?.startsWith("@assay/") ?? false;

function dependenciesOf({ manifest }: WorkspacePackage): string[] {
  return Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
}

/** Returns the imports that break a rule, as `file -> specifier`. */
function breaches(
  files: WorkspacePackage["sources"],
  isBreach: (specifier: string, file: WorkspacePackage["sources"][number]) => boolean,
): string[] {
  return files.flatMap((file) =>
    file.imports.filter((specifier) => isBreach(specifier, file)).map((specifier) => `${file.path} -> ${specifier}`),
  );
}

test("every published package has its place in the architecture", () => {
  const published = packages.filter(({ manifest }) => !manifest.private).map(({ manifest }) => manifest.name);
  expect(published.length).toBeGreaterThan(5);
  expect(published.filter((name) => !(name in ARROWS))).toEqual([]);
});

describe.each(packages.map((entry) => [entry.manifest.name, entry] as const))("%s", (name, entry) => {
  // Private packages measure and check the others. No package depends on them, so they may use all.
  const mayUse = entry.manifest.private ? [...names] : [name, ...(ARROWS[name] ?? [])];

  test("depends on those of our packages that are left of it, and on no other", () => {
    expect(dependenciesOf(entry).filter((dependency) => isOurs(dependency) && !mayUse.includes(dependency))).toEqual(
      [],
    );
    const used = breaches(entry.sources, (specifier) => {
      const target = packageOf(specifier);
      return isOurs(target) && !mayUse.includes(target ?? "");
    });
    expect(used).toEqual([]);
  });

  test("imports only what its package.json names", () => {
    const declared = [name, ...dependenciesOf(entry), ...(name === "@assay/workspace" ? ROOT_TOOLS : [])];
    const isUndeclared = (known: string[]) => (specifier: string) => {
      const target = packageOf(specifier);
      return target !== undefined && !known.includes(target);
    };
    expect(breaches(entry.sources, isUndeclared(declared))).toEqual([]);
    const inTests = [...declared, ...ROOT_TOOLS, ...Object.keys(entry.manifest.devDependencies ?? {})];
    expect(breaches(entry.tools, isUndeclared(inTests))).toEqual([]);
  });

  test("imports other packages by their published entry points, never a file inside them", () => {
    const mayShare = (file: WorkspacePackage["sources"][number]) =>
      entry.manifest.private === true || entry.tools.includes(file);
    const files = [...entry.sources, ...entry.tools];
    const outside = breaches(files, (specifier, file) => {
      if (!specifier.startsWith(".")) return false;
      const target = targetOf(file, specifier);
      const isShared = SHARED_FILES.some((pattern) => pattern.test(target)) && mayShare(file);
      return !target.startsWith(`${entry.folder}/`) && !isShared;
    });
    expect(outside).toEqual([]);
    expect(breaches(files, isUnpublished)).toEqual([]);
  });

  test.runIf(name in OUTSIDE)("has no dependency beyond its promise, and needs no Node", () => {
    const allowed = OUTSIDE[name] ?? [];
    expect(dependenciesOf(entry).filter((dependency) => !isOurs(dependency) && !allowed.includes(dependency))).toEqual(
      [],
    );
    const sources = entry.sources.filter(({ path }) => !FOR_NODE.includes(path));
    const isForNode = (specifier: string, file: WorkspacePackage["sources"][number]) =>
      specifier.startsWith("node:") || (specifier.startsWith(".") && FOR_NODE.includes(targetOf(file, specifier)));
    expect(breaches(sources, isForNode)).toEqual([]);
  });

  test.skipIf(entry.manifest.private)("publishes the entry points that it has in the workspace", () => {
    const { exports = {}, imports = {}, publishConfig } = entry.manifest;
    expect(Object.keys(publishConfig?.exports ?? {})).toEqual(Object.keys(exports));
    const published = { exports: publishConfig?.exports, imports: publishConfig?.imports ?? imports };
    expect(Object.keys(published.imports)).toEqual(Object.keys(imports));
    expect(JSON.stringify(published)).not.toContain("src/");
  });
});

describe("the examples", () => {
  test("use our packages as anyone would: by published entry points that their package.json names", () => {
    for (const example of examples) {
      const declared = Object.keys({ ...example.manifest.dependencies, ...example.manifest.devDependencies });
      const files = [...example.sources, ...example.tools];
      expect(breaches(files, (specifier) => isOurs(packageOf(specifier)) && isUnpublished(specifier))).toEqual([]);
      const reachedOver = breaches(files, (specifier, file) => {
        if (!specifier.startsWith(".")) {
          return isOurs(packageOf(specifier)) && !declared.includes(packageOf(specifier) ?? "");
        }
        // Their tests share a helper for servers. The examples that users copy are self-contained.
        const home = example.tools.includes(file) ? "examples/" : `${example.folder}/`;
        return !targetOf(file, specifier).startsWith(home);
      });
      expect(reachedOver).toEqual([]);
    }
  });
});

/** Returns whether a specifier names an entry point that our packages do not publish. */
function isUnpublished(specifier: string): boolean {
  const target = packages.find(({ manifest }) => manifest.name === packageOf(specifier));
  if (!target) return false;
  const { exports, publishConfig } = target.manifest;
  return !(subPathOf(specifier) in (publishConfig?.exports ?? exports ?? {}));
}
