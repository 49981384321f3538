import { fileURLToPath } from "node:url";
import { build, type Metafile } from "esbuild";
import { expect, test } from "vitest";

const ENTRY = fileURLToPath(new URL("../../cli/src/assay.ts", import.meta.url));

/** Returns the packages that a module imports as soon as it is loaded, also through others of its package. */
function packagesOf(outputs: Metafile["outputs"]): string[] {
  const entry = Object.values(outputs).find(({ entryPoint }) => entryPoint?.endsWith("cli/src/assay.ts"));
  const loaded = new Set([entry!]);
  const packages = new Set<string>();
  // Iterating a Set visits members added during the loop.
  for (const { imports } of loaded) {
    for (const { path, kind, external } of imports) {
      if (kind !== "import-statement" || path.startsWith("node:")) continue;
      if (external) packages.add(path);
      else loaded.add(outputs[path]!);
    }
  }
  return [...packages];
}

test("assay --help loads no command: only the package that reads the command line", async () => {
  const { metafile } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    write: false,
    metafile: true,
    splitting: true,
    outdir: "out",
    format: "esm",
    platform: "node",
    packages: "external",
    logLevel: "silent",
  });
  expect(packagesOf(metafile.outputs)).toEqual(["citty"]);
});
