import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Tests of the built site, which `pnpm docs:test` runs. They start a server from its source. */
const source = { conditions: ["@assay/source", "node", "default"] };

export default defineConfig({
  resolve: source,
  ssr: { resolve: source },
  test: { root: fileURLToPath(new URL(".", import.meta.url)), testTimeout: 120_000, hookTimeout: 120_000 },
});
