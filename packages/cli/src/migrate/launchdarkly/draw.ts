import { createHash } from "node:crypto";

/** Returns the number in [0, 1) by which LaunchDarkly draws: https://launchdarkly.com/docs/home/releases/percentage-rollouts */
export function hash(prefix: string, id: string): number {
  const digits = createHash("sha1").update(`${prefix}.${id}`).digest("hex").slice(0, 15);
  return Number.parseInt(digits, 16) / 2 ** 60;
}
