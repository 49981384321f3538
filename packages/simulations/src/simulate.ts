import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { isProven } from "./finding.ts";
import { createLab, type Evidence } from "./lab.ts";
import { proofs } from "./proofs.ts";
import { toReport, withSections } from "./report.ts";

// The full run: `pnpm simulate`. With names of proofs as arguments it runs only these, and writes only their sections.
const folder = fileURLToPath(new URL("../../../docs/statistics/", import.meta.url));
const page = `${folder}simulations.md`;
const selected = process.argv.slice(2);
const evidence: Evidence[] = [];
for (const [name, proof] of Object.entries(proofs)) {
  if (selected.length > 0 && !selected.includes(name)) continue;
  const started = performance.now();
  const found = await proof(createLab());
  evidence.push(found);
  const failed = found.findings.filter((finding) => !isProven(finding));
  console.log(`${name}: ${found.findings.length} findings, ${((performance.now() - started) / 1000).toFixed(1)} s`);
  for (const { claim, value, interval } of selected.length > 0 ? found.findings : failed) {
    console.log(`  ${claim}: ${value.toFixed(5)} [${interval.map((end) => end.toFixed(5)).join(", ")}]`);
  }
  if (failed.length > 0) process.exitCode = 1;
  for (const { claim } of failed) console.error(`  does not hold: ${claim}`);
}
await mkdir(folder, { recursive: true });
const report = selected.length === 0 ? toReport(evidence) : withSections(await readFile(page, "utf8"), evidence);
await writeFile(page, report);
for (const { file, chart } of evidence.flatMap(({ pictures = [] }) => pictures)) await writeFile(folder + file, chart);
