import { defineConfig, type Options } from "tsup";
import { library } from "../workspace/src/build.ts";

type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

/** Puts the program of the threads, with all it imports, into the package as a text: no bundler can lose it. */
const inlineThread: Plugin = {
  name: "inline-thread",
  setup({ esbuild, onLoad }) {
    onLoad({ filter: /\/analysis\/src\/thread\.ts$/ }, async ({ path }) => {
      const { outputFiles } = await esbuild.build({
        entryPoints: [path.replace("thread.ts", "worker.ts")],
        bundle: true,
        write: false,
        minifySyntax: true,
        minifyWhitespace: true,
        platform: "node",
        target: "es2022",
        format: "cjs",
        conditions: ["@assay/source"],
      });
      const program = JSON.stringify(outputFiles[0]?.text);
      const start = `(role) => new Worker(${program}, { eval: true, execArgv: [], workerData: role, resourceLimits: { maxYoungGenerationSizeMb: 12 }, name: "assay-" + role })`;
      return { contents: `import { Worker } from "node:worker_threads";\nexport const startThread = ${start};` };
    });
  },
};

export default defineConfig(library(["src/index.ts"], { esbuildPlugins: [inlineThread] }));
