import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const PACKAGES = fileURLToPath(new URL("../../", import.meta.url));
/** The maximum share of the server in the source lines of all packages. */
const MAX_SHARE = 0.45;

const SOURCE = /\.(ts|tsx|mjs)$/;
/** Files that do not count: tests and what only they load, benchmarks and generated files. */
const NO_SOURCE = /\.(test|test-d|fixture|generated|child|bench)\.|(^|\/)(bench|conformance|test)\//;

/** Returns the number of source lines in `packages/<name>/src`. */
async function linesOf(name: string): Promise<number> {
  const folder = `${PACKAGES}${name}/src/`;
  const paths = await readdir(folder, { recursive: true }).catch(() => []);
  const sources = paths.filter((path) => SOURCE.test(path) && !NO_SOURCE.test(`${name}/${path}`));
  const texts = await Promise.all(sources.map((path) => readFile(folder + path, "utf8")));
  return texts.reduce((sum, text) => sum + text.split("\n").length - 1, 0);
}

test("the server has less than 45 % of the source lines of all packages", async () => {
  const names = await readdir(PACKAGES);
  const lines = new Map(await Promise.all(names.map(async (name) => [name, await linesOf(name)] as const)));
  const server = lines.get("server") ?? 0;
  expect(server).toBeGreaterThan(10_000);
  const share = server / [...lines.values()].reduce((sum, count) => sum + count, 0);
  const advice =
    `packages/server/src has ${(100 * share).toFixed(1)} % of the source lines (${server}). Move a folder that is pure, ` +
    "without requests and storage, to a package: to core, contract or analysis, or to one of its own as packages/design is.";
  expect(share, advice).toBeLessThan(MAX_SHARE);
});
