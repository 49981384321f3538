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
    ...rest,
  };
}
