import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Loads a file that a package has but does not export. */
export async function importInternal<T>(packageName: string, path: string): Promise<T> {
  const require = createRequire(import.meta.url);
  let folder = dirname(require.resolve(packageName));
  while (!folder.endsWith(packageName)) folder = dirname(folder);
  return require(join(folder, path)) as T;
}
