import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const FOLDER = fileURLToPath(new URL("../../peers/", import.meta.url));

/** Returns whether the peers are installed. */
export function hasPeers(): boolean {
  return existsSync(`${FOLDER}node_modules/unleash-client/package.json`);
}

/** Installs the peers by their lock file unless they are installed. @throws Error if npm fails */
export function installPeers(): void {
  if (hasPeers()) return;
  const { status } = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: FOLDER,
    stdio: "inherit",
  });
  if (status !== 0) throw new Error(`The peers in ${FOLDER} cannot be installed`);
}

/** Imports a module of the folder of peers, which is no part of the workspace. */
export function importPeer(path: string): Promise<unknown> {
  return import(pathToFileURL(FOLDER + path).href);
}

/** Returns the installed version of a package, of the peers or of the workspace; ours have none. */
export function versionOf(packageName: string): string {
  for (const home of [FOLDER, fileURLToPath(new URL("../../", import.meta.url))]) {
    const manifest = `${home}node_modules/${packageName}/package.json`;
    if (existsSync(manifest)) return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
  }
  throw new Error(`${packageName} is not installed`);
}
