import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { examples } from "./examples/example.ts";
import { withExample, withROutput } from "./examples/page.ts";

// Writes the worked examples into docs/statistics, with R's results for the same data if R is installed.
const root = fileURLToPath(new URL("../../../", import.meta.url));
const hasR = spawnSync("Rscript", ["--version"]).status === 0;
for (const [page, example] of examples()) {
  const path = `${root}docs/statistics/${page}.md`;
  const before = await readFile(path, "utf8");
  const filled = withExample(before, example);
  const after = hasR ? withROutput(filled, root) : filled;
  if (after !== before) await writeFile(path, after);
  console.log(`${page} ${after === before ? "unchanged" : "written"}`);
}
if (!hasR) console.log("Rscript is not installed: its output was left as it is");
