/**
 * Prints what serves a population, by a model of the costs that `pnpm bench:scale` measured:
 * `pnpm simulate:scale [--users 1000000000] [--events 30] [--active 0.2] [--peak 3] …`.
 */
import { parseArgs } from "node:util";
import { readScale } from "./report/files.ts";
import { modelOf } from "./report/scale-page.ts";
import { TRAFFIC } from "./scale/model.ts";

const names = Object.keys(TRAFFIC) as (keyof typeof TRAFFIC)[];
const { values } = parseArgs({
  options: Object.fromEntries(["users", ...names].map((name) => [name, { type: "string" as const }])),
});
const numberOf = (name: string) => {
  const number = Number(values[name]);
  if (!(number > 0)) throw new RangeError(`--${name} must be a number above 0`);
  return number;
};
const traffic = { ...TRAFFIC };
for (const name of names) if (values[name] !== undefined) traffic[name] = numberOf(name);
const { costs } = await readScale();
console.log(modelOf(costs, values.users === undefined ? undefined : [numberOf("users")], traffic));
