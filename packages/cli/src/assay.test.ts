import { expect, test } from "vitest";
import { COMMANDS } from "./assay.ts";
import { resolve } from "./tasks.ts";

test.each(Object.entries(COMMANDS))("help describes %s as the command itself does", async (name, command) => {
  expect(await resolve((await command.load()).meta)).toMatchObject({ name, description: command.description });
});
