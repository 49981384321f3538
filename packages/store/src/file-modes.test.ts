import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { describeWideModes } from "./file-modes.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "assay-modes-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function make(name: string, kind: "directory" | "file", mode: number): string {
  const path = join(root, name);
  if (kind === "directory") mkdirSync(path);
  else writeFileSync(path, "");
  chmodSync(path, mode);
  return path;
}

test("accepts directories of 700, files of 600 or less, and missing paths", () => {
  const paths = [make("a", "directory", 0o700), make("b", "file", 0o600), make("c", "file", 0o400), join(root, "none")];
  expect(describeWideModes(paths)).toBeNull();
});

test.each([0o710, 0o701, 0o604, 0o640, 0o620, 0o601])("reports mode %o", (mode) => {
  const path = make("wide", mode >= 0o700 ? "directory" : "file", mode);
  expect(describeWideModes([path])).toContain(`${path} (mode ${mode.toString(8)})`);
});

test("the warning names every wide path, and its command fixes them, for any names", () => {
  const directory = make("it's a directory", "directory", 0o755);
  const file = make("a file; rm -rf", "file", 0o644);
  const closed = make("closed", "file", 0o600);
  const warning = describeWideModes([directory, file, closed])!;
  expect(warning).toContain(`${directory} (mode 755), ${file} (mode 644)`);
  expect(warning).not.toContain(closed);
  const [, command = ""] = /Run: (.*)$/.exec(warning) ?? [];
  execFileSync("sh", ["-c", command]);
  expect([statSync(directory).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
  expect(describeWideModes([directory, file, closed])).toBeNull();
});
