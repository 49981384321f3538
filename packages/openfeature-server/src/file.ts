import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { ItemStorage } from "@assay/sdk";

/**
 * Creates a storage of definitions in one file, for the provider's option `storage`. The file is replaced atomically,
 * so it is never half written. A provider with another key or server ignores it.
 * @example
 * new AssayServerProvider({ apiKey, baseUrl, storage: fileStorage("/var/cache/shop/flags.json") });
 */
export function fileStorage(path: string): ItemStorage {
  return {
    async getItem(key) {
      let text: string;
      try {
        text = await readFile(path, "utf8");
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
        throw error;
      }
      const [name, item] = Object.entries(JSON.parse(text) as Record<string, unknown>)[0] ?? [];
      return name === key ? item : null;
    },
    async setItem(key, value) {
      await mkdir(dirname(path), { recursive: true });
      // Several processes may share the file: each writes a temporary file and renames it.
      const beside = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
      try {
        await writeFile(beside, `{${JSON.stringify(key)}:${value}}`, { mode: 0o600 });
        await rename(beside, path);
      } catch (error) {
        await rm(beside, { force: true });
        throw error;
      }
    },
  };
}
