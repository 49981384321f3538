import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Host } from "./host.ts";
import { whileRunning } from "./running.ts";

/** Milliseconds for a page or a route to be compiled, and for an edit to be shown. */
const RELOAD_MS = 300_000;
/** Milliseconds for one request. */
const REQUEST_MS = 30_000;

/**
 * Checks that a server survives the reloads of development: after edits of the page and of the module that makes the
 * server, the page shows the edit, and the flag as it was.
 */
export async function develop(
  folder: string,
  { start, page, server }: NonNullable<Host["development"]>,
  mount: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  await whileRunning(start, { folder, mount, env }, async ({ url, base, evaluate }) => {
    await expectSoon(`${base}/healthz`, '{"status":"ok"}');
    await evaluate();
    await expectSoon(url, "The new checkout");
    const file = join(folder, page);
    await writeFile(file, (await readFile(file, "utf8")).replace("The new checkout", "The newest checkout"));
    await appendFile(join(folder, server), "\n// Edited.\n");
    await expectSoon(url, "The newest checkout");
    await expectSoon(`${base}/healthz`, '{"status":"ok"}');
  });
}

async function expectSoon(url: string, text: string): Promise<void> {
  let found = "";
  for (const last = Date.now() + RELOAD_MS; !found.includes(text); await pause(200)) {
    if (Date.now() > last) throw new Error(`Expected ${JSON.stringify(text)} in:\n${found}`);
    // A request that meets a reload may never be answered.
    found = await fetch(url, { signal: AbortSignal.timeout(REQUEST_MS) }).then(
      (response) => response.text(),
      (error: unknown) => String(error),
    );
  }
}
