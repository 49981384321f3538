import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run, step } from "../first-steps/ground/command.ts";
import { inEmptyFolder, pack } from "../first-steps/ground/packed.ts";
import { expectReleasable } from "./version.ts";

// Releases the packages: versions and changelogs from the changesets, build, checks, and npm publish with provenance.
//   pnpm release --dry-run   does all but publish, in a clone of the last commit, and changes nothing here
//   pnpm release             for .github/workflows/release.yml: npm gives provenance only to a workflow

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const isDry = process.argv.includes("--dry-run");

if (isDry) {
  await inEmptyFolder(async (folder) => {
    const clone = join(folder, "assay");
    await run(`git clone --quiet --no-hardlinks "${root}" "${clone}"`, { cwd: folder });
    await release(clone);
  });
} else {
  if (process.env.GITHUB_ACTIONS !== "true") throw new Error("Only the workflow publishes: use pnpm release --dry-run");
  const changed = await run("git status --porcelain", { cwd: root });
  if (changed !== "") throw new Error(`Commit these changes first:\n${changed}`);
  await release(root);
}

async function release(cwd: string): Promise<void> {
  const { packageManager } = JSON.parse(await readFile(join(cwd, "package.json"), "utf8"));
  const pnpm = `npx -y ${packageManager}`;
  await step("Install", () => run(`${pnpm} install --frozen-lockfile --prefer-offline`, { cwd }));
  await step("Versions and changelogs", async () => {
    await run(`${pnpm} exec changeset version`, { cwd });
    console.log(`  ${await expectReleasable(cwd)}`);
  });
  await step("Build", () => run(`${pnpm} build`, { cwd }));
  await step("publint", () => run(`${pnpm} publint`, { cwd }));
  await inEmptyFolder(async (target) => {
    const tarballs = await pack(cwd, target, pnpm);
    for (const [name, tarball] of Object.entries(tarballs)) {
      const file = tarball.slice("file:".length);
      const how = isDry ? "--dry-run" : "--provenance";
      await step(`npm publish ${how}: ${name}`, () => run(`npm publish ${how} --access public "${file}"`, { cwd }));
    }
  });
}
