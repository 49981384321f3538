import { runCli } from "./assay.ts";

// What tests start in place of `bin/assay.mjs`, which needs a build.
await runCli(process.argv.slice(2));
