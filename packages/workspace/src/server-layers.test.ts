import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readPackages, targetOf } from "./package-graph.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const HOME = "packages/server/src/";

/** The layers of the server, bottom up. Each imports from earlier layers and itself. */
const LAYERS = [
  ["ground/"],
  ["storage/", "mail/", "outbound/", "secrets/"],
  ["model/"],
  ["identity/", "events/", "jobs/"],
  ["analysis/"],
  ["http/"],
  ["definitions/", "audit/"],
  ["areas/"],
];

/** The types that a layer takes from a layer above it. */
const TYPES_FROM_ABOVE = [
  "http/handler.ts -> services.ts",
  "http/pipeline.ts -> services.ts",
  "identity/ownership.ts -> collections.ts",
  "identity/rights.ts -> collections.ts",
  "storage/change.ts -> model/caller.ts",
];

/** The areas whose services work with the service of another area. They know it by its type alone. */
const AREAS: Record<string, string[]> = {
  ai: ["experiments", "interactions", "results"],
  auth: ["users"],
  experiments: ["feature-flags"],
  integrations: ["experiments", "results", "roles"],
  notifications: ["results"],
  ofrep: ["feature-flags", "openfeature"],
  openfeature: ["feature-flags"],
  proposals: ["notifications"],
  results: ["warehouse"],
  "rollout-schedules": ["feature-flags"],
  safety: ["feature-flags"],
  search: ["users"],
  wizard: ["experiments"],
};

const AREA_INDEX = /^areas\/[^/]+\/index\.ts$/;

interface Import {
  from: string;
  to: string;
  isType: boolean;
}

const [server] = readPackages(root, "packages").filter(({ folder }) => folder === "packages/server");
const imports: Import[] = server!.sources
  .filter(({ path }) => path.startsWith(HOME))
  .flatMap((file) =>
    file.imports
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => ({
        from: file.path.slice(HOME.length),
        to: targetOf(file, specifier).slice(HOME.length),
        isType: file.types.includes(specifier),
      })),
  );

/**
 * Returns the layer of a file. Files at the top of the source folder, outside all layers, assemble the server, as
 * `index.ts` assembles its area.
 */
function layerOf(path: string): number {
  if (AREA_INDEX.test(path)) return LAYERS.length;
  const index = LAYERS.findIndex((layer) => layer.some((place) => path === place || path.startsWith(place)));
  return index < 0 ? LAYERS.length : index;
}

const areaOf = (path: string) => /^areas\/([^/]+)\//.exec(path)?.[1];
const written = ({ from, to }: Import) => `${from} -> ${to}`;

test("each layer of the server imports from the layers below it, never from one above", () => {
  expect(imports.length).toBeGreaterThan(1000);
  const upwards = imports.filter(({ from, to }) => layerOf(to) > layerOf(from));
  const named = upwards.filter((one) => one.isType && TYPES_FROM_ABOVE.includes(written(one)));
  expect(upwards.filter((one) => !named.includes(one)).map(written)).toEqual([]);
  expect(named.map(written).sort()).toEqual(TYPES_FROM_ABOVE);
});

test("every area has an index.ts, which only areas.ts imports", () => {
  const areas = [...new Set(imports.map(({ from }) => areaOf(from)).filter((area) => area !== undefined))];
  const taken = imports.filter(({ to }) => AREA_INDEX.test(to));
  expect(taken.map(({ from }) => from).filter((from) => from !== "areas.ts")).toEqual([]);
  expect(taken.map(({ to }) => areaOf(to))).toEqual(areas.sort());
});

test("two folders of the server never import each other", () => {
  const folderOf = (path: string) => areaOf(path) ?? path.split("/")[0]!;
  const others = imports.filter((one) => !TYPES_FROM_ABOVE.includes(written(one)));
  const pairs = new Set(others.map(({ from, to }) => `${folderOf(from)} ${folderOf(to)}`));
  const mutual = [...pairs].filter((pair) => {
    const [from, to] = pair.split(" ");
    return from !== to && !from!.endsWith(".ts") && !to!.endsWith(".ts") && pairs.has(`${to} ${from}`);
  });
  expect(mutual).toEqual([]);
});

test("an area takes types from the areas that it is listed with, and from no other", () => {
  const between = imports.filter(({ from, to }) => areaOf(from) && areaOf(to) && areaOf(from) !== areaOf(to));
  expect(between.filter(({ isType }) => !isType).map(written)).toEqual([]);
  const found = new Map<string, Set<string>>();
  for (const { from, to } of between)
    found.set(areaOf(from)!, (found.get(areaOf(from)!) ?? new Set()).add(areaOf(to)!));
  expect(Object.fromEntries([...found].map(([area, others]) => [area, [...others].sort()]))).toEqual(AREAS);
});
