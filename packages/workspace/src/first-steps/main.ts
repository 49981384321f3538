import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkCommandLine, checkCopiedExample, checkGettingStarted, checkJest, checkStart } from "./checks.ts";
import { run, step, together } from "./ground/command.ts";
import { copyRepository, inEmptyFolder, installPacked, pack, type Tarballs } from "./ground/packed.ts";
import { checkHosts } from "./hosts/check.ts";
import type { Host } from "./hosts/host.ts";
import { HOSTS } from "./hosts/hosts.ts";
import { findNodes, type NodeVersion, VERSIONS } from "./nodes.ts";
import { checkProjects, checkServerSize } from "./projects/check.ts";
import { checkStrangers } from "./strangers/check.ts";

// Runs the first steps of new users: a clone with npm only, packages from a registry, and framework integrations, on
// every version of Node that the packages support. It needs `pnpm build` and the registry of npm.
//   pnpm first-steps            on all versions
//   pnpm first-steps "22 24"    on these
//   pnpm first-steps 24 "nuxt hono"    only these hosts, folders of examples
//   pnpm first-steps 24 strangers      only docs/first-steps.md, word for word

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const versions = (process.argv[2] ?? process.env.ASSAY_CI_NODES)?.split(" ") ?? VERSIONS;
/** The suites of data and connections, which newer versions of Node have broken so far. */
const SUITES = ["lmdb", "openfeature-server", "openfeature-web"];

/** Many frameworks do not run on Node 20; docs/first-steps.md says so. */
const HOSTS_RUN_ON = "24";
const names = process.argv[3]?.split(" ");

await inEmptyFolder(async (target) => {
  const [{ env: newer } = { env: {} }] = await findNodes([HOSTS_RUN_ON]);
  if (names?.includes("strangers")) {
    await copyRepository(root, target);
    return checkStrangers(target, newer);
  }
  const { packageManager } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const tarballs = await pack(root, target, `npx -y ${packageManager}`);
  const checkAll = (hosts: Host[]) => checkHosts(root, hosts, tarballs, newer);
  if (names) return checkAll(HOSTS.filter(({ example }) => names.includes(example)));
  const nodes = await findNodes(versions);
  const readers = async () => {
    await checkGuides(newer);
    await checkInstalled(nodes, tarballs);
  };
  const runtimes = async () => {
    await checkVersions(nodes, tarballs);
    await checkStarts(nodes, tarballs);
  };
  // Each uses one core, and they take about the same time.
  await together(readers(), runtimes());
  await checkAll(HOSTS);
});

/** Follows the guides in a copy of the repository. @param env where `node` is a version that all of them run on */
function checkGuides(env: NodeJS.ProcessEnv): Promise<void> {
  return inEmptyFolder(async (copy) => {
    await copyRepository(root, copy);
    await step("Getting started, word for word", () => checkGettingStarted(copy));
    await checkStrangers(copy, env);
  });
}

/** Checks that a copy of the repository starts on each version of Node. */
function checkStarts(nodes: NodeVersion[], tarballs: Tarballs): Promise<void> {
  return inEmptyFolder((copy) =>
    inEmptyFolder(async (client) => {
      await copyRepository(root, copy);
      await installPacked(client, tarballs);
      for (const { name, env } of nodes) await step(`Node ${name}: npm start`, () => checkStart(copy, client, env));
    }),
  );
}

/** Checks packages that npm has installed, outside of a workspace. */
async function checkInstalled(nodes: NodeVersion[], tarballs: Tarballs): Promise<void> {
  await inEmptyFolder((folder) => step("A copied example", () => checkCopiedExample(root, folder, tarballs)));
  await step("The size of the server", () => checkServerSize(tarballs));
  await checkProjects(tarballs, nodes);
  for (const version of [29, 30]) {
    await inEmptyFolder((folder) => step(`Jest ${version} with jsdom`, () => checkJest(version, folder, tarballs)));
  }
}

/** Checks each version of Node with the suites that it may break, and with the packed command line. */
async function checkVersions(nodes: NodeVersion[], tarballs: Tarballs): Promise<void> {
  for (const { name, isOwn, env } of nodes) {
    const built = { ...env, ASSAY_TEST_BUILT: "1" };
    const suites = `npx vitest run ${SUITES.map((suite) => `--project ${suite}`).join(" ")}`;
    // This version has already run all tests.
    if (!isOwn) await step(`Node ${name}: tests of ${SUITES.join(", ")}`, () => run(suites, { cwd: root, env: built }));
    await inEmptyFolder((folder) =>
      step(`Node ${name}: the packed command line`, () => checkCommandLine(folder, tarballs, env)),
    );
  }
}
