import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Group, GroupRun } from "../measure/group.ts";
import { written } from "../measure/number.ts";
import type { Target } from "../measure/target.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const SIZE_LIMIT = fileURLToPath(new URL("../../../../node_modules/size-limit/bin.js", import.meta.url));

/** Reads the sizes that \`pnpm size\` checks. It ends with an error if one is over its limit, and prints all the same. */
async function run(): Promise<GroupRun> {
  const run = promisify(execFile)(process.execPath, [SIZE_LIMIT, "--json"], { cwd: ROOT });
  const { stdout } = await run.catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? "" }));
  const sizes = JSON.parse(stdout) as { name: string; size: number }[];
  const measurements = sizes.map(({ name, size }) => ({
    case: "gzipped import",
    subject: name,
    unit: "bytes" as const,
    rounds: [size],
  }));
  return { measurements, versions: {} };
}

const atMost = (subject: string, kB: number, miss?: Target["miss"]): Target => ({
  claim: `${subject}: kB, gzipped, with all dependencies`,
  bound: { kind: "atMost", value: kB },
  reached: ({ spread }) => spread("gzipped import", subject).median / 1_000,
  miss,
});

const withEvaluator =
  (part: string, rest: string): Target["miss"] =>
  ({ spread }) =>
    `${written(spread("gzipped import", part).median / 1_000)} kB of it evaluate the whole targeting language (${part}). ${rest}`;
const WHOLE = withEvaluator(
  "core/page",
  "The rest is the poller, exposures, the cache of definitions, and the part of the queue that takes events; what sends them is loaded with the first one.",
);
const EDGE = withEvaluator("core programs in workers", "The rest reads requests, fetches the program and answers.");

export const sizes: Group = {
  name: "sizes",
  title: "Sizes",
  setting: `What a bundler puts into a page or worker, minified and gzipped, with all dependencies but the OpenFeature SDK.
For providers in pages, it is what a page loads at first; \`with everything\` adds what it loads later.
\`pnpm size\` checks the same imports against their own limits, which no change may raise unnoticed.`,
  chart: { axis: "bytes", cases: ["gzipped import"] },
  targets: [
    atMost("openfeature-web", 10),
    atMost("openfeature-web", 9, WHOLE),
    atMost("openfeature-web/remote", 7),
    atMost("edge flags", 7.5, EDGE),
    atMost("edge split URL", 8),
    atMost("client", 6),
    atMost("core/stats", 12),
  ],
  run,
};
