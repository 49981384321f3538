import { defineConfig } from "tsup";
import { declarations, library } from "../workspace/src/build.ts";

const folders = [
  "overrides",
  "schema",
  "page",
  "server",
  "stats",
  "stats/bayes",
  "stats/design",
  "stats/planning",
  "stats/shrinkage",
];
const entries = ["src/index.ts", ...folders.map((folder) => `src/${folder}/index.ts`)];
// The bundler or the runtime chooses one of these by the conditions under "imports" in package.json.
const platforms = ["server", "worker", "browser"].map((name) => `src/platform/${name}.ts`);
const dts = declarations(["@assay/source"]);

export default defineConfig(
  library([...entries, ...platforms], { cjs: true, platform: "neutral", external: ["#platform"], dts }),
);
