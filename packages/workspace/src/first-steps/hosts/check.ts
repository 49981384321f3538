import { cp, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { run, step, together } from "../ground/command.ts";
import { inEmptyFolder, installApp, type Tarballs } from "../ground/packed.ts";
import { develop } from "./development.ts";
import type { Host } from "./host.ts";
import { expectApi, expectPage } from "./requests.ts";
import { whileRunning } from "./running.ts";
import { openStream } from "./stream.ts";

/** Checks hosts, two at a time, and prints how long each takes. */
export async function checkHosts(
  root: string,
  hosts: Host[],
  tarballs: Tarballs,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const waiting = [...hosts];
  const work = async () => {
    for (let host = waiting.shift(); host; host = waiting.shift()) {
      const one = host;
      await step(one.title, () => checkHost(root, one, tarballs, env)).catch((error: unknown) => {
        waiting.length = 0;
        throw new Error(`${one.title}: ${error instanceof Error ? error.message : error}`, { cause: error });
      });
    }
  };
  await together(work(), work());
}

/**
 * Checks an example of a host: it installs from packed packages, builds, serves a page and the API from one server, and
 * ends although a stream is open.
 */
async function checkHost(root: string, host: Host, tarballs: Tarballs, env: NodeJS.ProcessEnv): Promise<void> {
  const ownEnv = { ...env, ...host.env };
  const example = join(root, "examples", host.example);
  await inEmptyFolder(async (folder) => {
    await cp(example, folder, { recursive: true });
    await installApp(folder, tarballs, { "@assay/client": "*", ...host.dependencies }, env);
    if (host.check) return host.check(folder, ownEnv);
    for (const { files = {}, build } of [{ build: host.build ?? [] }, ...(host.otherBuilds ?? [])]) {
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
      for (const command of build) await run(command, { cwd: folder, env: ownEnv });
      await drive(folder, host, ownEnv);
    }
    if (!host.development) return;
    // Files that other builds have replaced are those of the example again; package.json names the tarballs.
    await cp(example, folder, { recursive: true, filter: (path) => basename(path) !== "package.json" });
    await develop(folder, host.development, host.mount, ownEnv);
  });
}

async function drive(folder: string, { start = "npm start", mount }: Host, env: NodeJS.ProcessEnv): Promise<void> {
  await whileRunning(start, { folder, mount, env }, async ({ url, base, password, evaluate }) => {
    await expectPage(url, "The old checkout");
    await evaluate();
    await expectPage(url, "The new checkout");
    const stream = await openStream(base, await expectApi(base, password));
    await stream.expectChange(password);
  });
}
