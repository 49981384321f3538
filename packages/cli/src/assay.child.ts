import { runCli } from "./assay.ts";

// The entry point of tests, in place of `bin/assay.mjs`, which needs a build.
await runCli(process.argv.slice(2));
