import { execFileSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What the values of properties are drawn by: FUZZ_SEED, or else the commit. */
function toSeed(): number {
  const { FUZZ_SEED } = process.env;
  if (FUZZ_SEED !== undefined) return Number(FUZZ_SEED);
  try {
    const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: import.meta.dirname, stdio: "pipe" });
    return Number.parseInt(commit.toString().slice(0, 7), 16);
  } catch {
    // No repository: sources that somebody downloaded.
    return Date.now() % 2 ** 31;
  }
}

const seed = toSeed();

/**
 * Whether the tests of a package use the builds of other packages, which load faster than their sources. `npm test` has
 * built them. Core imports no other package, and its `#platform` has sources only under their condition.
 */
const usesBuilt = (root: string) => process.env.ASSAY_TEST_BUILT !== undefined && root !== "packages/core";

/** One project a package and one for the examples. The platform is the one whose build its tests use. */
function project(name: string, root: string, platform: "node" | "worker" | "browser" = "node") {
  // Vitest hands these to Node as well, where "import" would make a `require` answer modules; Vite adds it by itself.
  const source = { conditions: [...(usesBuilt(root) ? [] : ["@assay/source"]), platform, "default"] };
  return {
    resolve: source,
    ssr: { resolve: source },
    test: {
      name,
      // Node loads builds as they are, like dependencies.
      server: { deps: { external: [/\/packages\/[^/]+\/dist\//] } },
      root: fileURLToPath(new URL(root, import.meta.url)),
      include: ["**/*.test.ts"],
      // Test files share loaded modules, which takes less time, and leave nothing behind in one.
      isolate: false,
      exclude: ["**/node_modules/**", "**/dist/**"],
      setupFiles: fileURLToPath(new URL("vitest.setup.ts", import.meta.url)),
      expect: { poll: { timeout: 20_000 } },
      testTimeout: 60_000,
      hookTimeout: 120_000,
      provide: { platform, seed },
    },
  };
}

/** Evaluation is tested again as bundles for workers and for browsers have it; nothing else in core differs there. */
function evaluationIn(platform: "worker" | "browser") {
  const { test, ...resolution } = project(`core in a ${platform}`, "packages/core", platform);
  const include = [
    "src/{bucketing,compiler,engine,platform,runtime,values}/**/*.test.ts",
    "vectors/{bucketing,participation}.test.ts",
  ];
  return { ...resolution, test: { ...test, include } };
}

/** Times in definitions must mean the same everywhere, so what reads them is tested in a time zone with half hours too. */
function timesElsewhere() {
  const { test, ...resolution } = project("core in St. John's", "packages/core");
  const include = ["src/compiler/**/*.test.ts", "src/values/instant.test.ts"];
  return { ...resolution, test: { ...test, include, env: { TZ: "America/St_Johns" } } };
}

const packages = [
  "core",
  "contract",
  "store",
  "analysis",
  "design",
  "server",
  "client",
  "sdk",
  "openfeature-server",
  "openfeature-web",
  "edge",
  "lmdb",
  "postgres",
  "redis",
  "clickhouse",
  "relay",
  "console",
  "cli",
  "workspace",
  "simulations",
  "benchmarks",
  "conformance",
];

/** Packages with tests of up to a minute, the longest last. */
const LONG = ["server", "console", "cli", "workspace", "simulations"];

/** Begins with the packages of long tests, so that at the end no core is idle while the last of them runs. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project }: TestSpecification) => LONG.indexOf(project.name);
    return (await super.sort(files)).sort((one, other) => rank(other) - rank(one));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    // Many tests wait for a process or a timer, so that two cores have time for three files.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    projects: [
      ...packages.map((name) => project(name, `packages/${name}`)),
      evaluationIn("worker"),
      evaluationIn("browser"),
      timesElsewhere(),
      project("examples", "examples"),
    ],
  },
});
