import { defineConfig } from "tsup";
import { library } from "../workspace/src/build.ts";

// Remote evaluation is a file of its own, which the main entry loads when it is asked for.
const entries = ["src/index.ts", "src/remote.ts", "src/remote-core.ts"];

export default defineConfig(library(entries, { cjs: true, platform: "neutral" }));
