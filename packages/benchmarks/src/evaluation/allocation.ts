import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const CHILD = fileURLToPath(new URL("allocation.child.ts", import.meta.url));
const FLAGS = ["--expose-gc", "--max-semi-space-size=512", "--min-semi-space-size=256"];

/** Measures the bytes that one evaluation by our engine allocates, in a separate process. */
export async function measureAllocation(subject: string, scenario: string): Promise<number> {
  const words = [...FLAGS, "--import", "tsx", CHILD, subject, scenario];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  return Number(stdout);
}
