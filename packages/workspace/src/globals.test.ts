import { createRequire } from "node:module";
import { createContext, runInContext } from "node:vm";
import { build, type Platform } from "esbuild";
import { expect, test } from "vitest";

/** Bundles a module with all its imports from source into one script. */
async function bundle(specifier: string, platform: Platform): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: `export * from ${JSON.stringify(specifier)}`, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: "iife",
    globalName: "loaded",
    platform,
    conditions: ["@assay/source"],
    logLevel: "silent",
  });
  return outputFiles[0]!.text;
}

test.each<[string, Platform]>([
  ["@assay/core", "browser"],
  ["@assay/core/overrides", "browser"],
  ["@assay/core/page", "browser"],
  ["@assay/core/stats", "browser"],
  ["@assay/core/stats/bayes", "browser"],
  ["@assay/core/stats/design", "browser"],
  ["@assay/core/stats/planning", "browser"],
  ["@assay/core/stats/shrinkage", "browser"],
  ["@assay/sdk", "browser"],
  ["@assay/sdk/internal", "browser"],
  ["@assay/sdk/sender", "browser"],
  ["@assay/sdk/stream", "browser"],
  ["@assay/client", "browser"],
  ["@assay/design", "browser"],
  ["@assay/edge", "browser"],
  ["@assay/openfeature-web", "browser"],
  ["@assay/openfeature-web/remote", "browser"],
  ["@assay/openfeature-server", "node"],
  ["@assay/openfeature-server/testing", "node"],
])(
  "%s loads where there is no TextEncoder, URL, fetch or crypto, as in Jest with jsdom",
  async (specifier, platform) => {
    // The language alone; for servers also the modules of Node, which the SDK of OpenFeature imports.
    const context = createContext(platform === "node" ? { require: createRequire(import.meta.url) } : {});
    runInContext(await bundle(specifier, platform), context);
    expect(runInContext("Object.keys(loaded).length", context)).toBeGreaterThan(0);
  },
);
