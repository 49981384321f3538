/**
 * Measures how costs grow, and writes docs/benchmarks/growth.md: `pnpm bench:growth [--only=NAME] [--quick]`.
 */
import { parseArgs } from "node:util";
import type { Growth } from "./growth/growth.ts";
import { growths } from "./growths.ts";
import { describeMachine } from "./measure/machine.ts";
import { installPeers } from "./peers/installed.ts";
import { growthFilesOf, keepGrowth, readGrowths, writeDocs } from "./report/files.ts";

const { values } = parseArgs({ options: { only: { type: "string" }, quick: { type: "boolean", default: false } } });
const asked = growths.filter(({ name }) => values.only === undefined || name === values.only);
if (asked.length === 0) throw new Error(`There is no "${values.only}"; choose ${growths.map(({ name }) => name)}`);
const isPossible = ({ needs }: Growth) => needs === undefined || Boolean(process.env[needs]);
const chosen = asked.filter(isPossible);
for (const { title, needs } of asked.filter((growth) => !isPossible(growth))) {
  console.log(`${title} is not measured: set ${needs} to the address of a database`);
}
if (chosen.some(({ comparesPeers }) => comparesPeers)) installPeers();

const words = [values.only && `--only=${values.only}`, values.quick && "--quick"].filter(Boolean);
// Before anything is measured, so that the load is that of others.
const machine = describeMachine();
const command = ["pnpm bench:growth", ...words].join(" ");
for (const growth of chosen) {
  console.log(`\n${growth.title}`);
  const curves = await growth.run({ isQuick: values.quick, say: (line) => console.log(`  ${line}`) });
  const date = new Date().toISOString().slice(0, 10);
  await keepGrowth(growth.name, { command, date, machine, curves });
}
await writeDocs(growthFilesOf(growths, await readGrowths(growths)));
process.exit();
