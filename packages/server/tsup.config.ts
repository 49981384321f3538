import { defineConfig } from "tsup";
import { library } from "../workspace/src/build.ts";

export default defineConfig(
  library([
    "src/index.ts",
    "src/storage/index.ts",
    "src/storage/conformance/index.ts",
    "src/rollouts.ts",
    "src/fastify.ts",
    "src/analysis/worker.ts",
  ]),
);
