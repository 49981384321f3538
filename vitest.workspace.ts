import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Vitest hands these to Node as well, where "import" would make a `require` answer modules; Vite adds it by itself.
const source = { conditions: ["@assay/source", "node", "default"] };

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
      setupFiles: fileURLToPath(new URL("vitest.setup.ts", import.meta.url)),
      expect: { poll: { timeout: 20_000 } },
      testTimeout: 60_000,
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
  "openfeature-web",
  "edge",
  "lmdb",
  "cli",
  "workspace",
  "simulations",
  "conformance",
];

export default defineConfig({
  test: {
    projects: [...packages.map((name) => project(name, `packages/${name}`)), project("examples", "examples")],
  },
});
