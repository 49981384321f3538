import { readAssets } from "./assets.ts";

/**
 * The built files of the console by their path, for `createAssay({ console: consoleAssets })`. Empty in a checkout that
 * is not built.
 */
export const consoleAssets: ReadonlyMap<string, Uint8Array<ArrayBuffer>> = readAssets(
  // The same folder from `src` and from `dist`.
  new URL("../dist/app/", import.meta.url),
);
