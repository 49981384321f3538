import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build, type Plugin } from "esbuild";
import { expect, test } from "vitest";

const fixture = fileURLToPath(new URL("bundled-server.fixture.ts", import.meta.url));
const isBuilt = existsSync(new URL("../../server/dist/index.js", import.meta.url)) || process.env.CI === "true";
if (!isBuilt) console.log("No bundle of the server is tested: it needs pnpm build");

/** Optional packages are missing, as in an application that has not installed them. */
const withoutDrivers: Plugin = {
  name: "without-drivers",
  setup({ onResolve }) {
    onResolve({ filter: /^(pg|@duckdb\/node-api|@modelcontextprotocol\/sdk(\/.*)?)$/ }, ({ path }) => ({
      errors: [{ text: `No package ${path}` }],
    }));
  },
};

test.runIf(isBuilt)(
  "a bundle of an application with the server builds without optional packages and keeps its analysis thread",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "assay-bundle-"));
    try {
      await build({
        entryPoints: [fixture],
        bundle: true,
        outdir: folder,
        outExtension: { ".js": ".mjs" },
        // Dynamic imports get their own files; esbuild cannot bundle zod and its dynamic importers into one.
        splitting: true,
        platform: "node",
        format: "esm",
        // Packages in CommonJS load modules of Node with `require`.
        banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
        plugins: [withoutDrivers],
        logLevel: "silent",
      });
      const { stdout, stderr } = await promisify(execFile)(process.execPath, ["bundled-server.fixture.mjs"], {
        cwd: folder,
      });
      expect(stderr).toBe("");
      expect(JSON.parse(stdout)).toEqual({
        threads: 1,
        sample_size: { control: 5_001, treatment: 5_001 },
        drivers: [
          "The package pg is not installed; install it next to @assay/server",
          "The package @duckdb/node-api is not installed; install it next to @assay/server",
        ],
        mcp: {
          status: 501,
          body: { detail: "The package @modelcontextprotocol/sdk is not installed; install it next to @assay/server" },
        },
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);
