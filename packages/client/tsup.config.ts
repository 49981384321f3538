import { defineConfig } from "tsup";
import { library } from "../workspace/src/build.ts";

export default defineConfig(
  library(["src/index.ts", "src/methods.ts", "src/definitions/index.ts"], { cjs: true, platform: "neutral" }),
);
