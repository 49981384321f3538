import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { init, integrations, type LDContext } from "@launchdarkly/node-server-sdk";
import { migrated } from "../mapping/equality.fixture.ts";
import { readLaunchDarkly } from "./read.ts";

export type Fields = Record<string, unknown>;
export type User = Fields & { key?: string; organization?: Fields };

/**
 * Reads a file of flags (https://launchdarkly.com/docs/sdk/features/flags-from-files) into both engines, and compares
 * them for each user.
 */
export async function withBoth(
  file: { flags: Record<string, Fields>; segments?: Record<string, Fields> },
  work: (engines: Both) => Promise<void> | void,
) {
  const folder = await mkdtemp(join(tmpdir(), "assay-launchdarkly-"));
  const path = join(folder, "flags.json");
  await writeFile(path, JSON.stringify(file));
  const quiet = { error() {}, warn() {}, info() {}, debug() {} };
  const source = new integrations.FileDataSourceFactory({ paths: [path] });
  const client = init("sdk-key-of-tests", {
    updateProcessor: source.getFactory(),
    sendEvents: false,
    diagnosticOptOut: true,
    logger: quiet,
  });
  try {
    await client.waitForInitialization({ timeout: 10 });
    await work({
      theirs: (key, user) => client.variation(key, toLaunchDarkly(user), DEFAULT),
      ours: migrated(readLaunchDarkly, file),
    });
  } finally {
    client.close();
    await rm(folder, { recursive: true, force: true });
  }
}

export interface Both {
  theirs(key: string, user: User): Promise<unknown>;
  ours: ReturnType<typeof migrated>;
}

export const DEFAULT = "the caller's default";

export function toLaunchDarkly({ organization, key = "none", ...attributes }: User): LDContext {
  const user = { key, ...attributes };
  if (!organization) return { kind: "user", ...user } as LDContext;
  return { kind: "multi", user, organization } as unknown as LDContext;
}

export function toContext({ organization, key = "none", ...attributes }: User) {
  const more = Object.entries(organization ?? {}).map(([name, value]) => [`organization.${name}`, value]);
  return { targetingKey: key, ...attributes, ...Object.fromEntries(more) };
}

export const clause = (attribute: string, op: string, values: unknown[], more: Fields = {}) => ({
  attribute,
  op,
  values,
  ...more,
});
export const rule = (variation: number, ...clauses: Fields[]) => ({ id: `r${variation}`, variation, clauses });
export const flag = (key: string, more: Fields = {}) => ({
  key,
  on: true,
  version: 1,
  salt: `salt-${key}`,
  variations: ["red", "green", "blue"],
  offVariation: 2,
  fallthrough: { variation: 0 },
  targets: [],
  rules: [],
  prerequisites: [],
  ...more,
});
export const rollout = (weights: number[], more: Fields = {}) => ({
  rollout: { contextKind: "user", variations: weights.map((weight, variation) => ({ variation, weight })), ...more },
});
