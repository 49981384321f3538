import { defineConfig } from "tsup";
import { library } from "../workspace/src/build.ts";

export default defineConfig(
  library(["src/index.ts", "src/internal.ts", "src/sender.ts", "src/stream.ts"], { cjs: true, platform: "neutral" }),
);
