import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Area, toOpenApi } from "@assay/contract";
import { toApiReference } from "./api-reference.ts";
import { toClientTypes } from "./client-types.ts";
import { toMethodTable } from "./method-table.ts";
import { toOperations } from "./operation.ts";
import type { OpenApi } from "./schema.ts";

/** The contents of files by path, from the root of the repository. */
export type GeneratedFiles = Map<string, string>;

const NOTICE = "// Generated from the contract by `pnpm generate`; do not edit.\n\n";

/** Returns every file that is derived from a contract. */
export async function generateFiles(contract: Area): Promise<GeneratedFiles> {
  // `OpenApi` types the parts that the contract leaves as plain JSON.
  const document = toOpenApi(contract) as unknown as OpenApi;
  const operations = toOperations(contract, document);
  return new Map([
    ["packages/contract/openapi.json", `${JSON.stringify(document, null, 2)}\n`],
    ["packages/client/src/openapi.generated.ts", NOTICE + (await toClientTypes(document, operations))],
    ["packages/client/src/methods.generated.ts", NOTICE + toMethodTable(operations)],
    ["docs/api.md", toApiReference(document, operations)],
  ]);
}

/** Returns the paths of files under `root` that are missing or differ. */
export async function findDrift(root: string, files: GeneratedFiles): Promise<string[]> {
  const drifted: string[] = [];
  for (const [path, content] of files) {
    const current = await readFile(join(root, path), "utf8").catch(() => undefined);
    if (current !== content) drifted.push(path);
  }
  return drifted;
}

/** Writes files under `root`, and creates their folders. */
export async function writeFiles(root: string, files: GeneratedFiles): Promise<void> {
  for (const [path, content] of files) {
    const target = join(root, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
  }
}
