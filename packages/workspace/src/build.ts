import type { Options } from "tsup";

/** Returns the tsup options of every package: ESM, optionally CJS, and declarations against built dependencies. */
export function library(entry: string[], options: { cjs?: boolean } & Options = {}): Options {
  const { cjs = false, ...rest } = options;
  return {
    entry,
    format: cjs ? ["esm", "cjs"] : ["esm"],
    target: "es2022",
    dts: { compilerOptions: { composite: false, ignoreDeprecations: "6.0", customConditions: [] } },
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
