import { createServer } from "node:net";
import { whileServing } from "../ground/command.ts";
import { evaluate, PASSWORD } from "../ground/evaluate.ts";
import { inEmptyFolder } from "../ground/packed.ts";

export interface Running {
  /** The address of the app, and the one of the server inside. */
  url: string;
  base: string;
  /** The password of the administrator. */
  password: string;
  /** Creates a flag and evaluates it with the installed client. */
  evaluate(): Promise<void>;
}

/** Starts an app with empty data, does some work and stops the app. */
export async function whileRunning(
  command: string,
  { folder, mount = "/assay", env }: { folder: string; mount?: string; env: NodeJS.ProcessEnv },
  work: (app: Running) => Promise<void>,
): Promise<void> {
  const port = await freePort();
  await inEmptyFolder((data) => {
    const own = { HOST: "127.0.0.1", PORT: `${port}`, DATA: data, ADMIN_PASSWORD: PASSWORD };
    return whileServing(command, { cwd: folder, env: { ...own, ...env } }, `http://127.0.0.1:${port}`, async (url) => {
      const base = url + mount;
      await work({ url, base, password: PASSWORD, evaluate: () => evaluate(folder, base, env) });
    });
  });
}

/** Returns a port that is free now, because some hosts take 0 for their default. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
