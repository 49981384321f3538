import { defineConfig, type Options } from "tsup";
import { library } from "../workspace/src/build.ts";

type Plugin = NonNullable<Options["esbuildPlugins"]>[number];

/**
 * Puts the program of the threads, with all it imports, into the package as a text: no bundler can lose it. A thread that
 * starts others passes the text on.
 */
const inlineThread: Plugin = {
  name: "inline-thread",
  setup({ esbuild, onLoad }) {
    onLoad({ filter: THREAD }, async ({ path }) => {
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
        plugins: [passedThread],
      });
      return { contents: startingFrom(JSON.stringify(outputFiles[0]?.text)) };
    });
  },
};

const passedThread: Plugin = {
  name: "passed-thread",
  setup({ onLoad }) {
    onLoad({ filter: THREAD }, () => ({ contents: startingFrom("workerData.program", "Worker, workerData") }));
  },
};

const THREAD = /\/analysis\/src\/thread\.ts$/;

/** Returns the module that starts threads from a program, an expression. */
function startingFrom(program: string, imports = "Worker"): string {
  return `import { ${imports} } from "node:worker_threads";
const program = ${program};
export const startThread = (data, transferList = []) =>
  new Worker(program, {
    eval: true,
    execArgv: [],
    workerData: { ...data, program },
    transferList,
    resourceLimits: { maxYoungGenerationSizeMb: 12 },
    name: "assay-" + data.role,
  });`;
}

export default defineConfig(library(["src/index.ts"], { esbuildPlugins: [inlineThread] }));
