import { defineConfig } from "tsup";
import { library } from "../workspace/src/build.ts";

const entries = ["index", "definitions/index", "overrides/index", "provider/index", "stats/index"].map(
  (name) => `src/${name}.ts`,
);
// Which of the two is taken is for whoever bundles, or runs, to say: see "imports" in package.json.
const blocks = ["src/bucketing/md5.ts", "src/bucketing/md5-compact.ts"];
const dts = { compilerOptions: { composite: false, ignoreDeprecations: "6.0", customConditions: ["@assay/source"] } };

export default defineConfig(
  library([...entries, ...blocks], { cjs: true, platform: "neutral", external: ["#md5"], dts }),
);
