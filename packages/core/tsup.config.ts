import { defineConfig } from "tsup";
import { library } from "../workspace/src/build.ts";

export default defineConfig(
  library(["src/index.ts", "src/definitions/index.ts", "src/provider/index.ts", "src/stats/index.ts"], {
    cjs: true,
    platform: "neutral",
  }),
);
