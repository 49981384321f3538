import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { confirm } from "./terminal.ts";

test.each([
  ["y", true],
  [" YES ", true],
  ["", false],
  ["n", false],
  ["yesterday", false],
])("the answer %j means %s", async (answer, expected) => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  input.write(`${answer}\n`);
  expect(await confirm({ input, output }, "Go on?")).toBe(expected);
  output.end();
  expect(await text(output)).toContain("Go on? [y/N] ");
});
