export { runCli } from "./assay.ts";
