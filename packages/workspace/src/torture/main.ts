import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SECTIONS, type Section } from "./sections.ts";

// Runs the tests of faults, hostile input and access in their long form, and prints one table. `npm test` runs the
// short form of the same tests.
//   pnpm torture                on everything
//   pnpm torture access         on the sections whose name contains a word

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const words = process.argv.slice(2);
const sections = SECTIONS.filter(({ name }) => words.every((word) => name.includes(word)));

interface Outcome {
  section: string;
  passed: number;
  failed: number;
  skipped: number;
  seconds: number;
  /** The sentences that the tests print about what they did. */
  figures: string[];
}

/** Runs the tests of a section alone, one file after the other, so that they can measure times. */
async function runSection({ name, files }: Section, folder: string): Promise<Outcome> {
  const started = performance.now();
  const report = join(folder, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const child = spawn("npx", ["vitest", "run", "--no-file-parallelism", ...reporters, ...files], {
    cwd: root,
    env: { ...process.env, TORTURE: "1", FUZZ_ROUNDS: "20" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.on("data", (chunk) => {
    printed += chunk;
    process.stdout.write(chunk);
  });
  await once(child, "close");
  const counts = await readFile(report, "utf8").then(JSON.parse, () => ({ numFailedTests: 1 }));
  await rm(report, { force: true });
  return {
    section: name,
    passed: counts.numPassedTests ?? 0,
    // A file that cannot be loaded has no test that fails.
    failed: Math.max(counts.numFailedTests, child.exitCode === 0 ? 0 : 1),
    skipped: counts.numPendingTests ?? 0,
    seconds: Math.round((performance.now() - started) / 1000),
    figures: printed.split("\n").filter((line) => /^\S*\d[\d,]* (kills|requests|rounds)[,;]/.test(line)),
  };
}

const folder = await mkdtemp(join(tmpdir(), "assay-torture-"));
const outcomes: Outcome[] = [];
for (const section of sections) outcomes.push(await runSection(section, folder));
await rm(folder, { recursive: true });

console.table(outcomes.map(({ figures: _, ...counts }) => counts));
for (const { figures } of outcomes) for (const line of figures) console.log(line);
const failed = outcomes.filter((one) => one.failed > 0);
if (sections.length === 0) console.error(`No section is named ${words.join(" ")}`);
process.exitCode = sections.length === 0 || failed.length > 0 ? 1 : 0;
