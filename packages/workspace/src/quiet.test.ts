import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const QUIET = fileURLToPath(new URL("quiet.mjs", import.meta.url));

function quiet(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [QUIET, ...words], { encoding: "utf8" });
  return { status, stdout, stderr };
}

test("shows nothing of a command that succeeds", () => {
  const code = "console.log('built'); console.error('a warning')";
  expect(quiet(process.execPath, "-e", code)).toEqual({ status: 0, stdout: "", stderr: "" });
});

test("shows all of a command that fails, and exits as it does", () => {
  const code = "console.log('building'); console.error('no such file'); process.exit(3)";
  const { status, stdout, stderr } = quiet(process.execPath, "-e", code);
  expect({ status, stdout }).toEqual({ status: 3, stdout: "building\n" });
  expect(stderr).toMatch(/^no such file\n.*: exit code 3\n$/s);
  expect(quiet("no-such-command")).toMatchObject({ status: 1, stderr: expect.stringContaining("no-such-command") });
});

test("npm start and npm run demo set up quietly, and pass their options to the command", () => {
  const { scripts } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
  for (const [name, command] of Object.entries({ start: "serve", demo: "demo" }))
    expect(scripts[name]).toBe(
      `node packages/workspace/src/quiet.mjs npm run setup && exec node packages/cli/bin/assay.mjs ${command}`,
    );
});
