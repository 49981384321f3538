import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { run, whileServing } from "./ground/command.ts";
import { evaluate, PASSWORD } from "./ground/evaluate.ts";
import { expectIn } from "./ground/expect.ts";
import { inEmptyFolder, installPacked, type Tarballs } from "./ground/packed.ts";

const HERE = import.meta.dirname;

/** Runs the first row of Getting started in a copy of the repository. */
export async function checkGettingStarted(copy: string): Promise<void> {
  const guide = await readFile(join(copy, "docs/getting-started.md"), "utf8");
  const [, command = ""] = /^\| -+ .*\n\| [^|]* \| `([^`]+)`/m.exec(guide) ?? [];
  expectIn(await run(command, { cwd: copy }), "retention_7");
}

/** Checks that `npm start` in a copy of the repository serves. */
export async function checkStart(copy: string, client: string, env: NodeJS.ProcessEnv): Promise<void> {
  await inEmptyFolder((data) =>
    whileServing(
      `npm start -- --port 0 --data ${data}`,
      { cwd: copy, env: { ...env, ASSAY_ADMIN_PASSWORD: PASSWORD } },
      /ready at (http:\S+)/,
      (url) => evaluate(client, url, env),
    ),
  );
}

/** Checks that the command line, installed from npm packages, serves and shows its demo. */
export async function checkCommandLine(folder: string, tarballs: Tarballs, env: NodeJS.ProcessEnv): Promise<void> {
  await installPacked(folder, tarballs, {}, env);
  await whileServing(
    "npx assay serve --port 0",
    { cwd: folder, env: { ...env, ASSAY_ADMIN_PASSWORD: PASSWORD } },
    /ready at (http:\S+)/,
    (url) => evaluate(folder, url, env),
  );
  expectIn(await run("npx assay demo", { cwd: folder, env }), "retention_7");
}

/** Checks that a copied example, installed by npm, runs. */
export async function checkCopiedExample(root: string, folder: string, tarballs: Tarballs): Promise<void> {
  const home = join(root, "examples/client-script");
  for (const file of ["package.json", "main.ts"]) await cp(join(home, file), join(folder, file));
  await installPacked(folder, tarballs);
  expectIn(await run("npm start", { cwd: folder }), "new-checkout for ada: false SPLIT");
}

/** The environments of Jest: jsdom alone lacks TextEncoder and fetch; the other one takes them from Node. */
const JEST_ENVIRONMENTS = ["jest-environment-jsdom", "jest-fixed-jsdom"];

/** Checks that the web provider evaluates under a version of Jest, in every environment with jsdom. */
export async function checkJest(version: number, folder: string, tarballs: Tarballs): Promise<void> {
  await cp(join(HERE, "jest"), folder, { recursive: true });
  const sdk = { "@openfeature/core": "^1.12.0", "@openfeature/web-sdk": "^1.10.0" };
  const jest = { jest: `^${version}.0.0`, "jest-environment-jsdom": `^${version}.0.0`, "jest-fixed-jsdom": "^0.0.11" };
  await installPacked(folder, tarballs, { ...sdk, ...jest });
  for (const environment of JEST_ENVIRONMENTS) {
    // As Jest runs by default; only its support of ECMAScript modules needs an option of Node.
    await run(`npx jest commonjs --env=${environment}`, { cwd: folder });
    const env = { NODE_OPTIONS: "--experimental-vm-modules" };
    await run(`npx jest module --env=${environment}`, { cwd: folder, env });
  }
}
