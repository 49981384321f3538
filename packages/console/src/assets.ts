import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Reads the files of a built page, by their path with `/`. Empty if the folder does not exist. */
export function readAssets(folder: URL): Map<string, Uint8Array<ArrayBuffer>> {
  const root = fileURLToPath(folder);
  if (!existsSync(root)) return new Map();
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(root.length).replaceAll("\\", "/"), new Uint8Array(readFileSync(path))];
    }),
  );
}
