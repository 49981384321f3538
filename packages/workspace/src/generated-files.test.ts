import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Area, contract } from "@assay/contract";
import { beforeAll, expect, test } from "vitest";
import { findDrift, type GeneratedFiles, generateFiles, writeFiles } from "./generated-files.ts";

const routes: Area = contract;
let files: GeneratedFiles;

beforeAll(async () => {
  files = await generateFiles(contract);
});

test("the committed files are what the contract generates", async () => {
  expect(await findDrift(fileURLToPath(new URL("../../../", import.meta.url)), files)).toEqual([]);
});

test("drift names a changed file and a missing one, and writing settles both", async () => {
  const root = await mkdtemp(join(tmpdir(), "assay-generate-"));
  try {
    expect(await findDrift(root, files)).toEqual([...files.keys()]);
    await writeFiles(root, files);
    expect(await findDrift(root, files)).toEqual([]);
    await writeFile(join(root, "docs/api.md"), "edited by hand");
    await rm(join(root, "packages/contract/openapi.json"));
    expect(await findDrift(root, files)).toEqual(["packages/contract/openapi.json", "docs/api.md"]);
  } finally {
    await rm(root, { recursive: true });
  }
});

test("every route has its types, its method and its place in the reference", () => {
  const [types, methods, reference] = [
    files.get("packages/client/src/openapi.generated.ts")!,
    files.get("packages/client/src/methods.generated.ts")!,
    files.get("docs/api.md")!,
  ];
  for (const key of Object.keys(routes)) {
    expect(types).toContain(`  ${JSON.stringify(key)}: {\n`);
    expect(methods).toContain(`: ${JSON.stringify(key)},\n`);
    expect(reference).toContain(`### \`${key}\`\n`);
  }
});

test("the client's types are plain interfaces without a trace of zod or of the OpenAPI document's nesting", () => {
  const types = files.get("packages/client/src/openapi.generated.ts")!;
  expect(types).not.toMatch(/^import |import\(|components\[|operations\[|infer /m);
  expect(types).toContain("export interface FeatureFlag {\n");
  expect(types).toMatch(
    /"DELETE \/feature-flags\/\{id\}": \{\n {4}params: \{\n {6}id: string;\n {4}\};\n {4}response: undefined;/,
  );
});

test("a caller may leave out what has a default, and hands a JSON query parameter over as an object", () => {
  const types = files.get("packages/client/src/openapi.generated.ts")!;
  expect(types).toMatch(/is_superuser\?: boolean;/);
  expect(types).toMatch(/context\?: \{\n\s+\[key: string\]: unknown;/);
});
