/**
 * Measures Assay beside its peers and floors, and writes docs/benchmarks.md: `pnpm bench [--only=GROUP] [--quick]
 * [--beside=CHECKOUT]`. With another checkout it only prints. Ends with 1 if a target was not measured, or missed without an explanation.
 */
import { parseArgs } from "node:util";
import { groups } from "./groups.ts";
import { describeMachine } from "./measure/machine.ts";
import { written } from "./measure/number.ts";
import { isFine } from "./measure/target.ts";
import { installPeers } from "./peers/installed.ts";
import { filesOf, keepRun, readRuns, writeDocs } from "./report/files.ts";
import { tablesOf, verdictsOf } from "./report/section.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    quick: { type: "boolean", default: false },
    beside: { type: "string", multiple: true, default: [] },
  },
});
const chosen = groups.filter(({ name }) => values.only === undefined || name === values.only);
if (chosen.length === 0)
  throw new Error(`There is no group "${values.only}"; choose ${groups.map(({ name }) => name)}`);
installPeers();

const words = [values.only && `--only=${values.only}`, values.quick && "--quick"].filter(Boolean);
// Before anything is measured, so that the load is that of others.
const machine = describeMachine();
const command = ["pnpm bench", ...words].join(" ");
for (const group of chosen) {
  console.log(`\n${group.title}`);
  const say = (line: string) => console.log(`  ${line}`);
  const run = await group.run({ isQuick: values.quick, beside: values.beside, say });
  if (values.beside.length > 0) {
    // The page is about this checkout and its peers, and shows no folders of a machine.
    for (const table of tablesOf(run.measurements)) console.log(`\n${table}`);
    continue;
  }
  const stored = { command, date: new Date().toISOString().slice(0, 10), machine, ...run };
  await keepRun(group.name, stored);
  for (const verdict of verdictsOf(group, stored)) {
    const { target, outcome, value } = verdict;
    const bound = `${target.bound.kind === "atLeast" ? "at least" : "at most"} ${written(target.bound.value)}`;
    say(`${outcome.padEnd(12)} ${(value === null ? "" : written(value)).padStart(9)}  ${target.claim}: ${bound}`);
    if (!isFine(verdict)) process.exitCode = 1;
  }
}
if (values.beside.length === 0) await writeDocs(filesOf(groups, await readRuns(groups)));
process.exit();
