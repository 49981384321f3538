import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

interface Manifest {
  name: string;
  version: string;
  private?: boolean;
}

/**
 * Checks that all published packages have one version with an entry in their changelogs, and that no changeset is left.
 * @returns the version and the number of packages
 * @throws Error if something is missing
 */
export async function expectReleasable(root: string): Promise<string> {
  const left = (await readdir(join(root, ".changeset"))).filter((name) => name.endsWith(".md") && name !== "README.md");
  if (left.length > 0) throw new Error(`These changesets are left: ${left.join(", ")}`);
  const versions = new Map<string, string>();
  for (const folder of await readdir(join(root, "packages"))) {
    const read = (file: string) => readFile(join(root, "packages", folder, file), "utf8");
    const manifest: Manifest = JSON.parse(await read("package.json"));
    if (manifest.private) continue;
    const changelog = await read("CHANGELOG.md").catch(() => "");
    if (!changelog.includes(`\n## ${manifest.version}\n`)) {
      throw new Error(`${manifest.name}: CHANGELOG.md has no entry for ${manifest.version}`);
    }
    versions.set(manifest.name, manifest.version);
  }
  const [version, ...others] = new Set(versions.values());
  if (version === undefined || others.length > 0) throw new Error(`Not one version: ${[...versions].join("; ")}`);
  return `${version} of ${versions.size} packages`;
}
