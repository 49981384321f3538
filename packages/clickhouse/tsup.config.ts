import { defineConfig } from "tsup";
import { library } from "../workspace/src/build.ts";

export default defineConfig(library(["src/index.ts"]));
