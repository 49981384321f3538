import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { askSecret, confirm } from "./terminal.ts";

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

test("a secret is not shown", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const answer = askSecret({ input, output }, "Password of ada: ");
  input.write("a secret\n");
  expect(await answer).toBe("a secret");
  output.end();
  expect(await text(output)).toBe("Password of ada: \n");
});

test.each([
  ["\u0003", 130],
  ["\u0004", 1],
])("no secret is given with %j", async (typed, exitCode) => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const answer = askSecret({ input, output }, "Password: ");
  input.write(typed);
  await expect(answer).rejects.toMatchObject({ exitCode });
});
