import { cp } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./command.ts";
import { expectIn } from "./expect.ts";

/** The password of the administrator in every check. */
export const PASSWORD = "a-password-of-tests";
/** The output that every check of a server expects: a flag for half of the users, and one user of either half. */
const EVALUATED = "grace true SPLIT\nada false SPLIT\n";

/** Creates a flag on a server and evaluates it with the client installed in a folder. */
export async function evaluate(folder: string, url: string, env?: NodeJS.ProcessEnv): Promise<void> {
  await cp(join(import.meta.dirname, "evaluation.mjs"), join(folder, "evaluation.mjs"));
  expectIn(await run(`node evaluation.mjs ${url} ${PASSWORD}`, { cwd: folder, env }), EVALUATED);
}
