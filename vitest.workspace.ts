import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = { conditions: ["@assay/source", "node", "import", "module", "default"] };

/** One project a package and one for the examples; tests run from source, no build needed. */
function project(name: string, root: string) {
  return {
    resolve: source,
    ssr: { resolve: source },
    test: {
      name,
      root: fileURLToPath(new URL(root, import.meta.url)),
      include: ["**/*.test.ts"],
      exclude: ["**/node_modules/**", "**/dist/**"],
      testTimeout: 30_000,
      hookTimeout: 60_000,
    },
  };
}

const packages = [
  "core",
  "contract",
  "server",
  "client",
  "openfeature-server",
  "edge",
  "lmdb",
  "cli",
  "workspace",
  "simulations",
];

export default defineConfig({
  test: {
    projects: [...packages.map((name) => project(name, `packages/${name}`)), project("examples", "examples")],
  },
});
