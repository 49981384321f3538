import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Growth } from "../growth/growth.ts";
import type { Group } from "../measure/group.ts";
import { growthPicture, type StoredGrowth, toGrowthPage } from "./growth-page.ts";
import { toPage } from "./page.ts";
import { type StoredScale, toScalePage } from "./scale-page.ts";
import { pictureOf } from "./section.ts";
import type { StoredRun } from "./stored-run.ts";

const MEASURED = fileURLToPath(new URL("../../measured/", import.meta.url));
const DOCS = fileURLToPath(new URL("../../../../docs/", import.meta.url));

/** Returns what was measured last, by name of the group. */
export function readRuns(groups: readonly Group[]): Promise<Map<string, StoredRun>> {
  return readAll(groups.map(({ name }) => [name, `${name}.json`]));
}

/** Returns the curves that were measured last, by name of the question. */
export function readGrowths(growths: readonly Growth[]): Promise<Map<string, StoredGrowth>> {
  return readAll(growths.map(({ name }) => [name, `growth-${name}.json`]));
}

async function readAll<T>(files: readonly (readonly [name: string, file: string])[]): Promise<Map<string, T>> {
  const found = new Map<string, T>();
  for (const [name, file] of files) {
    const text = await readFile(MEASURED + file, "utf8").catch(() => null);
    if (text !== null) found.set(name, JSON.parse(text) as T);
  }
  return found;
}

/** Keeps what was measured, with four significant digits. */
export async function keepRun(name: string, run: StoredRun): Promise<void> {
  const { measurements, ...facts } = run;
  const rounded = measurements.map((one) => ({ ...one, rounds: one.rounds.map(round) }));
  await keep(`${name}.json`, facts, "measurements", rounded);
}

/** Keeps curves, with four significant digits. */
export async function keepGrowth(name: string, run: StoredGrowth): Promise<void> {
  const { curves, ...facts } = run;
  const rounded = curves.map(({ subject, points }) => ({ subject, points: points.map(([x, y]) => [x, round(y)]) }));
  await keep(`growth-${name}.json`, facts, "curves", rounded);
}

/** Keeps the costs of all shapes, with four significant digits. */
export async function keepScale({ costs, ...facts }: StoredScale): Promise<void> {
  const rounded = costs.map((cost) =>
    Object.fromEntries(
      Object.entries(cost).map(([name, value]) => [name, typeof value === "number" ? round(value) : value]),
    ),
  );
  await keep("scale.json", facts, "costs", rounded);
}

/** Returns the costs of all shapes that were measured last. */
export async function readScale(): Promise<StoredScale> {
  return JSON.parse(await readFile(`${MEASURED}scale.json`, "utf8")) as StoredScale;
}

/** Writes one line for each row, so that a new run is easy to compare with the one before. */
async function keep(file: string, facts: object, name: string, rows: readonly object[]): Promise<void> {
  await mkdir(MEASURED, { recursive: true });
  const head = JSON.stringify(facts, null, 2).slice(0, -2);
  const lines = rows.map((row) => `    ${JSON.stringify(row)}`).join(",\n");
  await writeFile(MEASURED + file, `${head},\n  "${name}": [\n${lines}\n  ]\n}\n`);
}

/** Returns the page and its charts by path from `docs/`. */
export function filesOf(groups: readonly Group[], runs: ReadonlyMap<string, StoredRun>): Map<string, string> {
  const files = new Map([["benchmarks.md", toPage(groups, runs)]]);
  for (const group of groups) {
    const run = runs.get(group.name);
    if (!run) continue;
    const { file, chart } = pictureOf(group, run);
    files.set(file, chart);
  }
  return files;
}

/** Returns the page about growth and its charts by path from `docs/`. */
export function growthFilesOf(
  growths: readonly Growth[],
  stored: ReadonlyMap<string, StoredGrowth>,
): Map<string, string> {
  const files = new Map([["benchmarks/growth.md", toGrowthPage(growths, stored)]]);
  for (const growth of growths) {
    const run = stored.get(growth.name);
    if (!run) continue;
    const { file, chart } = growthPicture(growth, run);
    files.set(`benchmarks/${file}`, chart);
  }
  return files;
}

/** Returns the page about scale by path from `docs/`. */
export function scaleFilesOf(stored: StoredScale): Map<string, string> {
  return new Map([["benchmarks/scale.md", toScalePage(stored)]]);
}

/** Writes files to `docs/`. */
export async function writeDocs(files: ReadonlyMap<string, string>): Promise<void> {
  await mkdir(`${DOCS}benchmarks`, { recursive: true });
  for (const [path, text] of files) await writeFile(DOCS + path, text);
}

/** Returns the text of a file in `docs/`. */
export function readDoc(path: string): Promise<string> {
  return readFile(DOCS + path, "utf8");
}

function round(figure: number): number {
  return Number(figure.toPrecision(4));
}
