import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fileStorage } from "./file.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-flags-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("a file storage returns what was stored under the same key", async () => {
  const path = join(folder, "deeper", "flags.json");
  expect(await fileStorage(path).getItem("a")).toBeNull();
  await fileStorage(path).setItem("a", '{"flags":[]}');
  expect(await fileStorage(path).getItem("a")).toEqual({ flags: [] });
  expect(await fileStorage(path).getItem("b")).toBeNull();
});

test("a file storage replaces its file atomically and leaves no temporary files, also with concurrent writes", async () => {
  const path = join(folder, "flags.json");
  const texts = Array.from({ length: 20 }, (_, index) => JSON.stringify({ flags: "x".repeat(index * 10_000) }));
  await Promise.all(texts.map((text) => fileStorage(path).setItem("a", text)));
  const written = await readFile(path, "utf8");
  expect(texts.map((text) => `{"a":${text}}`)).toContain(written);
  expect(await readdir(folder)).toEqual(["flags.json"]);
});

test.skipIf(process.platform === "win32")("only the owner can read the file of a file storage", async () => {
  const path = join(folder, "flags.json");
  await fileStorage(path).setItem("a", "{}");
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("a file storage rejects if its file is invalid, or cannot be read or written", async () => {
  const path = join(folder, "flags.json");
  await writeFile(path, "half a fi");
  await expect(fileStorage(path).getItem("a")).rejects.toThrow(SyntaxError);
  await expect(fileStorage(folder).getItem("a")).rejects.toMatchObject({ code: "EISDIR" });
  await expect(fileStorage(join(path, "below")).setItem("a", "{}")).rejects.toThrow();
});
