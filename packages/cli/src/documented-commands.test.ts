import { expect, test } from "vitest";
import { parse } from "yaml";
import { readBlocks } from "../../workspace/src/docs/blocks.ts";
import { readCommands } from "../../workspace/src/docs/commands.ts";
import { COMMANDS } from "./assay.ts";
import { completionOf } from "./completion/command.ts";
import { readFlags } from "./flags.ts";
import { resolve, tasksOf } from "./tasks.ts";

/** Returns the arguments of `assay` in a command of a page, however the page calls it; undefined for other programs. */
function argumentsOf([program = "", first = "", ...rest]: string[]): string[] | undefined {
  if (program === "assay") return [first, ...rest];
  const isAssay = (program === "npx" && first === "@assay/cli") || (program === "node" && /\/assay\.mjs$/.test(first));
  return isAssay ? rest : undefined;
}

/** Returns why the CLI would refuse these arguments before it does anything; undefined if it would not. */
async function findProblem([name = "", ...words]: string[]): Promise<string | undefined> {
  let command = name === "completion" ? completionOf({}) : await COMMANDS[name]?.load();
  if (!command) return "no such command";
  for (let tasks = await tasksOf(command); tasks; tasks = await tasksOf(command)) {
    const task = tasks[words.shift() ?? ""];
    if (!task) return `no such task: ${Object.keys(tasks).join(", ")}`;
    command = await resolve(task);
  }
  const declared = (await resolve(command.args)) ?? {};
  try {
    readFlags(words, declared, true);
  } catch (error) {
    return String(error);
  }
}

test("every assay command in the pages has the commands, tasks and options that the CLI declares", async () => {
  let checked = 0;
  const problems: string[] = [];
  for (const { page, words } of await readCommands()) {
    const given = argumentsOf(words);
    if (!given) continue;
    checked++;
    const problem = await findProblem(given);
    if (problem) problems.push(`${page}: ${words.join(" ")}: ${problem}`);
  }
  expect(problems).toEqual([]);
  expect(checked).toBeGreaterThan(50);
});

test("every YAML block in the pages is YAML", async () => {
  const blocks = (await readBlocks()).filter(({ language }) => language === "yaml");
  expect(blocks.map(({ text }) => typeof parse(text))).toEqual(blocks.map(() => "object"));
});

test.each([
  ["unknown command", ["serv"]],
  ["unknown task", ["flags", "lst"]],
  ["unknown option", ["flags", "list", "--enviroment", "staging"]],
  ["option without its value", ["serve", "--port"]],
])("the check finds an %s", async (_, words) => {
  expect(await findProblem(words)).toBeDefined();
});
