import { cp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run, step } from "../ground/command.ts";
import { expectIn } from "../ground/expect.ts";
import { inEmptyFolder, installApp, installPacked, type Tarballs } from "../ground/packed.ts";

/** The compilers and the ways in which they resolve modules. `preserve` is what apps with a bundler use. */
const COMPILERS = {
  typescript59: "npm:typescript@~5.9.3",
  typescript6: "npm:typescript@^6",
  typescript7: "npm:typescript@^7",
};
const MODULES = ["node16", "nodenext", "preserve"];
const OPTIONS = "--noEmit --strict --exactOptionalPropertyTypes --skipLibCheck false --types node --target es2022";

const BUNDLERS = { esbuild: "^0.28.0", vite: "^8.0.0", webpack: "^5.100.0" };
const OPENFEATURE = {
  "@openfeature/core": "^1.12.0",
  "@openfeature/web-sdk": "^1.10.0",
  "@openfeature/server-sdk": "^1.23.0",
};
/** The libraries with types that those of the packages refer to. */
const LIBRARIES = {
  "@clickhouse/client": "^1.11.0",
  "@types/node": "^20.19.0",
  "@types/pg": "^8.0.0",
  ioredis: "^5.0.0",
  pg: "^8.12.0",
};

/** The files that `npm install @assay/server` may write: 25 MB. */
const MAX_SERVER_BYTES = 25_000_000;

/** Checks that projects with the packed packages compile, bundle and run. */
export async function checkProjects(
  tarballs: Tarballs,
  nodes: { name: string; env: NodeJS.ProcessEnv }[],
): Promise<void> {
  await inEmptyFolder(async (folder) => {
    await cp(join(import.meta.dirname, "app"), folder, { recursive: true });
    const packages = { ...COMPILERS, ...BUNDLERS, ...OPENFEATURE, ...LIBRARIES };
    await step("Projects: install", () => installPacked(folder, tarballs, packages));
    // The same program as CommonJS: TypeScript compiles its imports to `require`.
    await writeFile(join(folder, "commonjs.cts"), await readFile(join(folder, "esm.mts"), "utf8"));
    for (const compiler of Object.keys(COMPILERS)) {
      await step(`Projects: ${compiler} with ${MODULES.join(", ")}`, () => compile(folder, compiler));
    }
    await step("Projects: bundles of esbuild, Vite and webpack", async () => {
      const written = await run("node bundle.mjs", { cwd: folder });
      for (const bundler of Object.keys(BUNDLERS)) expectIn(written, `${bundler} bundle: true`);
    });
    for (const { name, env } of nodes) {
      await step(`Projects: Node ${name} imports and requires`, async () =>
        expectIn(await run("node run.mjs", { cwd: folder, env }), "both module systems: ok"),
      );
    }
  });
}

async function compile(folder: string, compiler: string): Promise<void> {
  for (const module of MODULES) {
    await run(`node node_modules/${compiler}/bin/tsc ${OPTIONS} --module ${module} esm.mts commonjs.cts server.mts`, {
      cwd: folder,
    });
  }
}

/** Checks the size of what `npm install @assay/server` installs. */
export async function checkServerSize(tarballs: Tarballs): Promise<void> {
  await inEmptyFolder(async (folder) => {
    await writeFile(join(folder, "package.json"), '{ "dependencies": { "@assay/server": "*" } }');
    await installApp(folder, tarballs, {}, {});
    const entries = await readdir(join(folder, "node_modules"), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const sizes = await Promise.all(files.map(async (file) => (await stat(join(file.parentPath, file.name))).size));
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    if (bytes > MAX_SERVER_BYTES) throw new Error(`npm install @assay/server takes ${bytes} bytes`);
  });
}
