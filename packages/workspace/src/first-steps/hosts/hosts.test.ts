import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { HOSTS } from "./hosts.ts";

const root = new URL("../../../../../", import.meta.url);
const read = (path: string) => readFile(new URL(path, root), "utf8");

test("every example outside of the workspace is checked as a host", async () => {
  const excluded = [...(await read("pnpm-workspace.yaml")).matchAll(/"!examples\/(\S+)"/g)].map(([, name]) => name);
  expect(HOSTS.map(({ example }) => example).sort()).toEqual(excluded.sort());
});

test.each(HOSTS)("the guide has a section about $title, whose example says how to run it", async ({ example }) => {
  const guide = await read("docs/embedding.md");
  const section = guide
    .split(/^## /m)
    .find((text) => text.includes(`](../examples/${example}`) && !text.includes("| Host"));
  expect(section).toMatch(/^```ts$/m);
  expect(await read(`examples/${example}/README.md`)).toMatch(/^(npm|bun|deno) install$/m);
});
