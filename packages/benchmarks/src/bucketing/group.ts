import { createHash, hash, randomUUID } from "node:crypto";
import { createBucketer } from "@assay/core";
import { createBlock } from "../../../core/bench/floors/block.ts";
import type { Group, GroupRun, RunOptions } from "../measure/group.ts";
import { interleave } from "../measure/interleave.ts";
import { toMeasurements } from "../measure/measurement.ts";
import { createTimer } from "../measure/timer.ts";
import { importPeer, versionOf } from "../peers/installed.ts";

const CASE = "hash of a UUID and a key";
const ASSAY = "Assay, prepared key";
const FLOOR = "one MD5 block (floor)";
const KEY = "new-checkout";

/** A library: the MD5 of a text in hexadecimal digits. */
type Md5 = (text: string) => string;

async function run({ isQuick }: RunOptions): Promise<GroupRun> {
  const { libraries } = (await importPeer("bucketing/libraries.ts")) as { libraries(): Promise<Record<string, Md5>> };
  const others = await libraries();
  const users = Array.from({ length: 1_024 }, () => randomUUID());
  const digits = createHash("md5").update(`${users[0]}:${KEY}`).digest("hex");
  const prepared = createBucketer(KEY);
  if (Math.floor(prepared(users[0]!) * 2 ** 32) !== Buffer.from(digits, "hex").readUInt32LE(0)) {
    throw new Error("Our hash is not the one of node:crypto");
  }
  const wrong = Object.entries(others).find(([, md5]) => md5(`${users[0]}:${KEY}`) !== digits);
  if (wrong) throw new Error(`The hash of ${wrong[0]} is not the one of node:crypto`);
  const block = createBlock();
  const calls: Record<string, (user: string) => unknown> = {
    [FLOOR]: () => block(),
    [ASSAY]: prepared,
    "node:crypto, hash": (user) => hash("md5", `${user}:${KEY}`, "hex"),
    "node:crypto, createHash": (user) => createHash("md5").update(`${user}:${KEY}`).digest("hex"),
    ...Object.fromEntries(Object.entries(others).map(([name, md5]) => [name, (user: string) => md5(`${user}:${KEY}`)])),
  };
  const subjects = [];
  for (const [name, call] of Object.entries(calls)) {
    subjects.push({ name, ...(await createTimer(call, users, isQuick ? 15 : 50)) });
  }
  const figures = await interleave(subjects, isQuick ? 7 : 21);
  const packages = Object.keys(others);
  return {
    measurements: toMeasurements(CASE, "ns", figures),
    versions: Object.fromEntries(packages.map((one) => [one, versionOf(one)])),
  };
}

export const bucketing: Group = {
  name: "bucketing",
  title: "Bucketing",
  setting: `The MD5 of a UUID and the key of a flag, which decides about the bucket of a user. The floor is the compression
function alone, on a block that is already there. Libraries return all digits; each is checked against \`node:crypto\`.`,
  chart: { axis: "nanoseconds of CPU", cases: [CASE] },
  targets: [
    {
      claim: `${CASE}: time, compared with the floor`,
      bound: { kind: "atMost", value: 1.2 },
      reached: ({ ratio }) => ratio(CASE, ASSAY, FLOOR),
      miss: "The characters of the id have to be written into the words of the block; the floor changes one word.",
    },
    {
      claim: `${CASE}: times as fast as the fastest library`,
      bound: { kind: "atLeast", value: 3 },
      reached: ({ ratio, least }) => ratio(CASE, least(CASE, [ASSAY, FLOOR]), ASSAY),
      miss: "`hash` of node:crypto is native code, which pages and workers do not have.",
    },
  ],
  run,
};
