import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run, type Serving, serve, stopAll } from "../cli.fixture.ts";

let server: Serving;
let folder: string;
let ASSAY_API_KEY: string;

const FILES: Record<string, string> = {
  "src/cart.ts": `const a = flag("old-checkout");\nconst b = flag('old-checkout-2'), c = flag(\`old-checkout\`);\n`,
  "src/deep/banner.py": `\n\nif flag('old.banner', "x") and flag("fresh"):\r\n  pass\n`,
  "src/words.ts": `// old-checkout is not quoted, "my old-checkout" is a sentence, 'old-checkout" is no text\n`,
  "README.md": "Nothing here\n",
  "node_modules/lib/index.js": `flag("old-checkout")`,
  "dist/cart.js": `flag("old-checkout")`,
  ".git/config": `"old-checkout"`,
  "generated/flags.ts": `"old-checkout"`,
  "image.bin": `\0"old-checkout"`,
};

beforeAll(async () => {
  server = await serve(["--storage", "memory"]);
  folder = await mkdtemp(join(tmpdir(), "assay-flags-"));
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  await symlink(join(folder, "src"), join(folder, "linked"));
  const create = (key: string, body: object = {}) =>
    server.admin.request("POST /feature-flags/", { body: { key, name: key, status: "ACTIVE", ...body } });
  await create("old-checkout", { expires_at: "2020-01-01" });
  await create("old.banner", { expires_at: "2020-01-01" });
  await create("forgotten", { expires_at: "2020-01-01" });
  await create("fresh");
  await create("old-checkout-2");
  ASSAY_API_KEY = (await server.admin.request("POST /api-keys", { body: { name: "stale" } })).key!;
});
afterAll(async () => {
  await stopAll();
  await rm(folder, { recursive: true, force: true });
});

const flags = (...words: string[]) => run(["flags", ...words, "--url", server.url], { ASSAY_API_KEY });

test("without a path, lists the stale flags and their reasons", async () => {
  expect(await flags("stale")).toEqual({
    code: 0,
    output: [
      "forgotten  EXPIRED  not seen evaluated",
      "old-checkout  EXPIRED  not seen evaluated",
      "old.banner  EXPIRED  not seen evaluated",
      "3 stale flags",
      "",
    ].join("\n"),
  });
});

test("finds quoted keys in a source tree by file and line, and skips generated and binary files", async () => {
  expect(await flags("stale", folder, "--ignore", "generated")).toEqual({
    code: 0,
    output: [
      "forgotten  EXPIRED  not seen evaluated",
      "old-checkout  EXPIRED  not seen evaluated",
      "  src/cart.ts:1",
      "  src/cart.ts:2",
      "old.banner  EXPIRED  not seen evaluated",
      "  src/deep/banner.py:3",
      "3 stale flags, 3 references in 4 files",
      "",
    ].join("\n"),
  });
});

test("--ignore takes the patterns of a .gitignore, and may be repeated", async () => {
  const { output } = await flags("stale", folder, "--ignore", "/src/*/", "--ignore", "*.md", "--ignore", "GENERATED");
  expect(output).toContain("  generated/flags.ts:1\n  src/cart.ts:1\n  src/cart.ts:2\n");
  expect(output).toContain("3 stale flags, 3 references in 3 files\n");
});

test("searches a single file, and prints JSON", async () => {
  const file = join(folder, "src/deep/banner.py");
  const { code, output } = await flags("stale", file, "--json");
  expect(code).toBe(0);
  expect(JSON.parse(output)).toMatchObject([
    { key: "forgotten", references: [] },
    { key: "old-checkout", references: [] },
    { key: "old.banner", stale_reasons: ["EXPIRED"], last_evaluated_at: null, references: [{ file, line: 3 }] },
  ]);
});

test("--check exits with 1 if the source names a stale flag", async () => {
  expect((await flags("stale", folder, "--check")).code).toBe(1);
  expect((await flags("stale", join(folder, "README.md"), "--check")).code).toBe(0);
  expect((await flags("stale", "--check")).code).toBe(1);
});

test("reports an error in one line", async () => {
  expect(await flags("stael")).toEqual({
    code: 2,
    output: 'assay: Unknown task "stael": list, show, create, set, kill, stale (assay flags --help)\n',
  });
  expect(await run(["flags", "stale", "--url", server.url])).toMatchObject({
    code: 2,
    output: expect.stringContaining("--api-key"),
  });
  expect(await flags("stale", join(folder, "missing"))).toMatchObject({
    code: 2,
    output: expect.stringMatching(/^assay: Cannot search .*missing: ENOENT.*\n$/),
  });
  expect(await run(["flags", "stale", "--url", server.url], { ASSAY_API_KEY: "asy_nope" })).toEqual({
    code: 1,
    output: `assay: Cannot read the flags of ${server.url}: Invalid API key\n`,
  });
});
