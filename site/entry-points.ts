import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** What people import from the packages. */
export interface EntryPoint {
  /** As in an import, such as `@assay/core/stats`. */
  name: string;
  /** The file in the repository, such as `packages/core/src/stats/index.ts`. */
  file: string;
}

const PACKAGES = new URL("../packages/", import.meta.url);

/** Schemas of all routes, whose types are megabytes; the API reference has the same content. */
const WITHOUT = ["@assay/contract"];

/** Returns the entry points of the published packages. */
export function entryPoints(): EntryPoint[] {
  return readdirSync(fileURLToPath(PACKAGES)).flatMap((folder) => {
    const manifest = JSON.parse(readFileSync(new URL(`${folder}/package.json`, PACKAGES), "utf8"));
    if (manifest.private || WITHOUT.includes(manifest.name)) return [];
    return Object.entries<Record<string, string> | string>(manifest.exports ?? {}).flatMap(([path, conditions]) => {
      const source = typeof conditions === "object" ? conditions["@assay/source"] : undefined;
      if (typeof source !== "string" || !source.endsWith(".ts")) return [];
      return { name: manifest.name + path.slice(1), file: `packages/${folder}/${source.slice(2)}` };
    });
  });
}
