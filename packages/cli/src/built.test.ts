import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const BIN = fileURLToPath(new URL("../bin/assay.mjs", import.meta.url));

// Outside CI, which builds just before, the build may be outdated.
test.runIf(process.env.CI === "true")(
  "the built package works like the sources, including the demo, its data and the analysis thread",
  async () => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [BIN, "demo"]);
    expect(stdout).toMatch(/retention_7 \* +19\.02 % +18\.20 %/);
    expect(stderr).not.toMatch(/"level":/);
  },
  120_000,
);
