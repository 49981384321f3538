import { fileURLToPath } from "node:url";
import { contract } from "@assay/contract";
import { findDrift, generateFiles, writeFiles } from "./generated-files.ts";

// `generate` writes what is derived from the contract; `generate --check` only says what is out of date.
const root = fileURLToPath(new URL("../../../", import.meta.url));
const files = await generateFiles(contract);
const drifted = await findDrift(root, files);

if (process.argv.includes("--check")) {
  for (const path of drifted) console.error(`${path} is out of date; run pnpm generate`);
  process.exitCode = drifted.length > 0 ? 1 : 0;
} else {
  await writeFiles(root, files);
  for (const path of files.keys()) console.log(drifted.includes(path) ? `${path} written` : `${path} unchanged`);
}
