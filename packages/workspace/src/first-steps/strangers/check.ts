import { equal } from "node:assert/strict";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { TYPED } from "../../docs/blocks.ts";
import { step } from "../ground/command.ts";
import { inEmptyFolder } from "../ground/packed.ts";
import { openTerminal, type Terminal } from "./terminal.ts";
import { readTutorial, type Section } from "./tutorial.ts";

/**
 * Does what docs/first-steps.md says, and nothing else, in an empty folder beside a clone, with an empty home: types its
 * commands, writes its files, and compares what is printed.
 * @param clone a copy of the repository
 * @throws Error for the first command that fails or prints something else
 */
export async function checkStrangers(clone: string, { PATH }: NodeJS.ProcessEnv): Promise<void> {
  const page = await readFile(join(clone, TYPED), "utf8");
  await inEmptyFolder((scratch) =>
    inEmptyFolder(async (folder) => {
      const HOME = join(scratch, "home");
      await mkdir(HOME);
      await symlink(clone, join(folder, "assay"));
      const env = { ...settingsOf(process.env), PATH, HOME };
      const terminals: Terminal[] = [];
      const open = () => {
        const terminal = openTerminal(folder, scratch, env);
        terminals.push(terminal);
        return terminal;
      };
      try {
        const first = open();
        for (const section of readTutorial(page)) {
          await step(`A stranger: ${section.title}`, () => follow(section, first, open));
        }
      } finally {
        for (const terminal of terminals) terminal.close();
      }
    }),
  );
}

/**
 * Returns how this machine reaches the network, without what the pnpm of this script and Assay read. Packages that were
 * downloaded once are not downloaded again, and no program sends statistics of its use.
 */
function settingsOf(own: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { npm_config_cache = join(homedir(), ".npm"), npm_config_userconfig = join(homedir(), ".npmrc") } = own;
  return {
    ...Object.fromEntries(Object.entries(own).filter(([name]) => !/^(p?npm|assay)_/i.test(name))),
    npm_config_cache,
    npm_config_userconfig,
    XDG_DATA_HOME: join(homedir(), ".local/share"),
    NEXT_TELEMETRY_DISABLED: "1",
    WRANGLER_SEND_METRICS: "false",
  };
}

async function follow({ steps }: Section, first: Terminal, open: () => Terminal): Promise<void> {
  for (const one of steps) {
    if (one.kind === "file") {
      await writeFile(join(first.folder(), one.path), one.text);
    } else if (one.isNewTerminal) {
      await open().serve(one.text, one.printed ?? "");
    } else {
      const printed = await first.type(one.text);
      if (one.printed !== undefined) equal(printed.trim(), one.printed.trim(), `Another output of:\n${one.text}`);
    }
  }
}
