import { pathToFileURL } from "node:url";
import { build as esbuild } from "esbuild";
import { build as vite } from "vite";
import webpack from "webpack";

// Bundles worker.mjs with each bundler as its users do, and runs what it wrote.
const entry = new URL("worker.mjs", import.meta.url).pathname;
const BUNDLERS = {
  esbuild: (folder) =>
    esbuild({
      entryPoints: [entry],
      bundle: true,
      format: "esm",
      conditions: ["workerd", "worker", "browser"],
      outdir: folder,
      outExtension: { ".js": ".mjs" },
    }),
  vite: (folder) =>
    vite({
      logLevel: "error",
      build: { outDir: folder, lib: { entry, formats: ["es"], fileName: () => "worker.mjs" } },
    }),
  webpack: (folder) =>
    new Promise((resolve, reject) => {
      const output = { path: folder, filename: "worker.mjs", library: { type: "module" }, module: true };
      const experiments = { outputModule: true };
      webpack({ mode: "production", target: "web", entry, output, experiments }, (error, stats) => {
        if (error || stats.hasErrors()) reject(error ?? new Error(stats.toString()));
        else resolve();
      });
    }),
};
for (const [name, build] of Object.entries(BUNDLERS)) {
  const folder = new URL(`out/${name}`, import.meta.url).pathname;
  await build(folder);
  const { start } = await import(pathToFileURL(`${folder}/worker.mjs`).href);
  console.log(name, await start());
}
