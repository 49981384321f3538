import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const FOLDER = fileURLToPath(new URL("../../peers/", import.meta.url));
const OWN = fileURLToPath(new URL("../../", import.meta.url));

/** Returns whether the peers are installed, in the versions that `peers/package.json` names. */
export function hasPeers(): boolean {
  const { devDependencies } = JSON.parse(readFileSync(`${FOLDER}package.json`, "utf8")) as {
    devDependencies: Record<string, string>;
  };
  return Object.entries(devDependencies).every(([name, version]) => installedVersion(FOLDER, name) === version);
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

/**
 * Returns the installed version of a package, of the peers or of the workspace.
 * @throws Error if it is not installed
 */
export function versionOf(packageName: string): string {
  const version = installedVersion(FOLDER, packageName) ?? installedVersion(OWN, packageName);
  if (version === undefined) throw new Error(`${packageName} is not installed`);
  return version;
}

function installedVersion(folder: string, packageName: string): string | undefined {
  const manifest = `${folder}node_modules/${packageName}/package.json`;
  if (!existsSync(manifest)) return undefined;
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}
