/**
 * Prints the bytes that an evaluation allocates: `SUBJECT SCENARIO`. Nothing is collected meanwhile, because the young space is
 * large enough.
 */
import { assay, assayBare } from "./ours.ts";
import { matchingUsers, SCENARIOS } from "./scenario.ts";

const CALLS = 100_000;
const { gc } = globalThis;
if (!gc) throw new Error("Start this with --expose-gc");

const [subject, scenario] = process.argv.slice(2);
const { load } = [assay, assayBare].find(({ name }) => name === subject)!;
const { flags } = SCENARIOS.find(({ name }) => name === scenario)!;
const engine = await load(flags);
const contexts = matchingUsers(1_024).map(engine.toContext);
const evaluate = engine.one(flags[0]!) as (context: unknown) => unknown;
const loop = (times: number) => {
  for (let index = 0; index < times; index++) evaluate(contexts[index & 1_023]);
};
loop(CALLS);
gc();
const before = process.memoryUsage().heapUsed;
loop(CALLS);
process.stdout.write(String((process.memoryUsage().heapUsed - before) / CALLS));
