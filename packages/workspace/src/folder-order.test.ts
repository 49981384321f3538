import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readPackages, type SourceFile, targetOf } from "./package-graph.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const packages = readPackages(root, "packages");

/** Files that start a program, list its commands, or export a package. They assemble the folders, so they belong to none of them. */
const ENTRIES =
  /^packages\/[^/]+\/src\/index\.ts$|^packages\/(cli\/src\/(assay|commands)|simulations\/src\/simulate)\.ts$/;

/** Type-only imports against the order; `*` stands for one name. `docs/architecture.md` lists them for people. */
const TYPES_AGAINST = [
  "server/src/areas/*/index.ts -> server/src/area.ts",
  "server/src/http/handler.ts -> server/src/services.ts",
  "server/src/http/pipeline.ts -> server/src/services.ts",
  "server/src/identity/ownership.ts -> server/src/collections.ts",
  "server/src/identity/rights.ts -> server/src/collections.ts",
  "server/src/storage/change.ts -> server/src/model/caller.ts",
];

interface Arrow {
  from: string;
  to: string;
  file: string;
  target: string;
  isType: boolean;
}

/**
 * Returns the folder of a file. A file next to a folder of its name, such as `proofs.ts` next to `proofs/`, is the list
 * of that folder and belongs to it.
 */
function folderOf(path: string, folders: ReadonlySet<string>): string {
  const own = path.replace(/\.ts$/, "");
  return folders.has(own) ? own : dirname(path);
}

/** Returns the imports between the folders of a package, at every depth. */
function arrowsOf(sources: readonly SourceFile[]): Arrow[] {
  const folders = new Set(sources.map(({ path }) => dirname(path)));
  return sources
    .filter(({ path }) => !ENTRIES.test(path))
    .flatMap((file) =>
      file.imports
        .filter((specifier) => specifier.startsWith("."))
        .map((specifier) => ({ target: targetOf(file, specifier), isType: file.types.includes(specifier) }))
        .map(({ target, isType }) => ({
          from: folderOf(file.path, folders),
          to: folderOf(target, folders),
          file: file.path,
          target,
          isType,
        })),
    )
    .filter(({ from, to }) => from !== to);
}

/** Returns the line of the list that allows a type-only import against the order. */
function namedBy({ file, target, isType }: Arrow): string | undefined {
  const written = `${file} -> ${target}`.replaceAll("packages/", "");
  if (!isType) return undefined;
  return TYPES_AGAINST.find((line) => new RegExp(`^${line.replace("*", "[^/]+")}$`).test(written));
}

/** Returns the folders that a folder imports, directly or through others. */
function reachedFrom(folder: string, arrows: readonly Arrow[], seen = new Set<string>()): Set<string> {
  for (const { from, to } of arrows) {
    if (from !== folder || seen.has(to)) continue;
    seen.add(to);
    reachedFrom(to, arrows, seen);
  }
  return seen;
}

test.each(packages.map(({ folder, sources }) => [basename(folder), arrowsOf(sources)] as const))(
  "in %s, a folder never imports a folder, its own subfolders included, that imports it",
  (_name, arrows) => {
    const values = arrows.filter((arrow) => namedBy(arrow) === undefined);
    const folders = [...new Set(values.map(({ from }) => from))];
    expect(folders.filter((folder) => reachedFrom(folder, values).has(folder))).toEqual([]);
  },
);

test("every type-only import against the order is in the list, and every line of the list is used", () => {
  const used = packages.flatMap(({ sources }) => arrowsOf(sources).map(namedBy)).filter((line) => line !== undefined);
  expect([...new Set(used)].sort()).toEqual(TYPES_AGAINST);
});
