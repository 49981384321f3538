import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { VERSIONS } from "./first-steps/nodes.ts";

const root = new URL("../../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");

const dockerfile = read("deploy/Dockerfile");
const unit = read("deploy/assay.service");

test("the Dockerfile uses the repository's pnpm, a supported Node and files that exist", () => {
  const { packageManager } = JSON.parse(read("package.json"));
  const managers = dockerfile.match(/pnpm@[\d.]+/g);
  expect(new Set(managers)).toEqual(new Set([packageManager]));
  for (const [, version] of dockerfile.matchAll(/^FROM node:(\d+)-/gm)) expect(VERSIONS).toContain(version);
  const { bin } = JSON.parse(read("packages/cli/package.json"));
  const [, started] = /^CMD \["node", "\/app\/(.+)", "serve"\]$/m.exec(dockerfile) ?? [];
  expect(`./${started}`).toBe(bin.assay);
  expect(existsSync(new URL(`packages/cli/${started}`, root))).toBe(true);
});

test("the image runs as a user other than root, and checks its health", () => {
  const stages = dockerfile.split(/^FROM /m);
  expect(stages.length).toBeGreaterThan(2);
  expect(stages.at(-1)).toMatch(/^USER node$/m);
  expect(stages.at(-1)).toMatch(/^HEALTHCHECK .*\n.*\/healthz/m);
});

test.each(Object.entries({ dockerfile, unit, page: read("docs/operations.md") }))(
  "docs/cli.md lists every setting that the %s names",
  (_name, text) => {
    const listed = read("docs/cli.md");
    const settings = new Set(text.match(/\bASSAY_[A-Z_]+/g));
    expect(settings.size).toBeGreaterThan(0);
    expect([...settings].filter((setting) => !listed.includes(`\`${setting}\``))).toEqual([]);
  },
);
