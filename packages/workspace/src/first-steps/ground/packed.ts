import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { run } from "./command.ts";

/** The packages as published to npm: the paths of tarballs by name. */
export type Tarballs = Record<string, string>;

interface Manifest {
  name: string;
  private?: boolean;
  dependencies?: Record<string, string>;
}

const INSTALL = "npm install --no-audit --no-fund";

const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, "package.json"), "utf8"));

/** Runs some work in an empty folder and removes the folder afterwards. */
export async function inEmptyFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "assay-first-steps-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Packs every published package as it is built. */
export async function pack(root: string, target: string, pnpm: string): Promise<Tarballs> {
  const tarballs: Tarballs = {};
  for (const entry of await readdir(join(root, "packages"))) {
    const cwd = join(root, "packages", entry);
    const { name, private: isPrivate } = await readManifest(cwd);
    if (isPrivate) continue;
    const written = await run(`${pnpm} pack --json --pack-destination ${target}`, { cwd });
    const { filename }: { filename: string } = JSON.parse(written.slice(written.indexOf("{")));
    tarballs[name] = `file:${filename}`;
  }
  return tarballs;
}

/**
 * Makes a folder an app that depends on the tarballs, as if they came from the registry, and on its own dependencies.
 */
export async function installPacked(
  folder: string,
  tarballs: Tarballs,
  dependencies: Record<string, string> = {},
  env: NodeJS.ProcessEnv = {},
): Promise<void> {
  const manifest = await readManifest(folder).catch(() => ({ name: "app", private: true }));
  const all = { ...(manifest as Manifest).dependencies, ...dependencies, ...tarballs };
  await writeFile(join(folder, "package.json"), JSON.stringify({ ...manifest, dependencies: all }, null, 2));
  await run(INSTALL, { cwd: folder, env });
}

/**
 * Installs an app with the dependencies that it names. The tarballs take the place of the registry for ours, so nothing
 * else is installed, and npm hoists as it does for users.
 * @param more packages that the app does not name
 */
export async function installApp(
  folder: string,
  tarballs: Tarballs,
  more: Record<string, string>,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const manifest = await readManifest(folder);
  const named = Object.entries({ ...manifest.dependencies, ...more });
  const dependencies = Object.fromEntries(named.map(([name, range]) => [name, tarballs[name] ?? range]));
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({ ...manifest, dependencies, overrides: tarballs }, null, 2),
  );
  await run(INSTALL, { cwd: folder, env });
}

/** The results of installing, building and running, which are not part of a clone. */
const MADE_HERE = /(^|\/)(node_modules|dist|\.git|\.next|coverage)$|^data$/;

/** Copies a repository as a clone would, with uncommitted changes. */
export async function copyRepository(root: string, target: string): Promise<void> {
  await cp(root, target, { recursive: true, filter: (path) => !MADE_HERE.test(relative(root, path)) });
}
