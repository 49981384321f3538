import { defineConfig } from "tsup";
import { library } from "../workspace/src/build.ts";

// Vite has written the page to dist/app.
export default defineConfig(library(["src/index.ts", "src/report.ts"], { clean: false }));
