import { fileURLToPath } from "node:url";
import { contract } from "@assay/contract";
import { toApiReports } from "./api-report.ts";
import { findDrift, generateFiles, writeFiles } from "./generated-files.ts";

// `generate` writes the files derived from the contract, then the API reports of every package, which read some of
// them. `generate --check` only lists outdated files.
const root = fileURLToPath(new URL("../../../", import.meta.url));
const checks = process.argv.includes("--check");

for (const toFiles of [() => generateFiles(contract), () => toApiReports(root)]) {
  const files = await toFiles();
  const drifted = await findDrift(root, files);
  if (checks) {
    for (const path of drifted) console.error(`${path} is out of date; run pnpm generate`);
    if (drifted.length > 0) process.exitCode = 1;
  } else {
    await writeFiles(root, files);
    for (const path of files.keys()) console.log(drifted.includes(path) ? `${path} written` : `${path} unchanged`);
  }
}
