import type { Options } from "tsup";

/**
 * Returns the tsup options of declarations.
 * @param customConditions under which imports are resolved: none for built packages, "@assay/source" for their sources
 */
export function declarations(customConditions: string[]) {
  // `pnpm typecheck` checks the types, so that a build need not.
  return { compilerOptions: { composite: false, noCheck: true, ignoreDeprecations: "6.0", customConditions } };
}

/** Returns the tsup options of every package: ESM, optionally CJS, and declarations against built dependencies. */
export function library(entry: string[], options: { cjs?: boolean } & Options = {}): Options {
  const { cjs = false, ...rest } = options;
  return {
    entry,
    format: cjs ? ["esm", "cjs"] : ["esm"],
    target: "es2022",
    dts: declarations([]),
    outDir: "dist",
    clean: true,
    splitting: true,
    treeshake: true,
    plugins: cjs ? [requireInCommonJs] : [],
    ...rest,
  };
}

/**
 * Loads later files of the CommonJS build with `require`: Jest refuses `import()` in CommonJS unless Node runs with
 * `--experimental-vm-modules`.
 */
const requireInCommonJs: NonNullable<Options["plugins"]>[number] = {
  name: "require-in-commonjs",
  renderChunk(code) {
    if (this.format !== "cjs") return undefined;
    return { code: code.replace(/\bimport\(("[^"]+")\)/g, "Promise.resolve().then(() => require($1))") };
  },
};
