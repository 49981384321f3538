import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { checkStore, type QuarantinedRecord, repairStore, requireRestored, type Store } from "@assay/store";
import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { CommandFailure, failure } from "../failure.ts";
import { type Flags, readFlags } from "../flags.ts";
import { DATA_ARGS, readDataChoice, requireData, withStore } from "../serve/storage.ts";

const args: ArgsDef = { data: DATA_ARGS.data!, storage: DATA_ARGS.storage! };
const repairArgs: ArgsDef = {
  ...args,
  backup: { type: "string", valueHint: "file", description: "A backup of the same data" },
};

/** `assay check`: compares the checksum of everything in a server's data. */
export const check: CommandDef = defineCommand({
  meta: { name: "check", description: "Find damaged records in a server's data" },
  args,
  async run({ rawArgs }) {
    await withExisting(readFlags(rawArgs, args), async (store) => {
      const { entries, records, damaged } = await checkStore(store);
      print(damaged);
      console.log(`${entries} entries and ${records} journal records are sound, ${damaged.length} records are damaged`);
      if (damaged.length > 0) throw new CommandFailure("", 1);
    });
  },
});

/** `assay repair`: sets damaged records aside, and puts them back from a backup. */
export const repair: CommandDef = defineCommand({
  meta: { name: "repair", description: "Set damaged records aside, and put them back from a backup" },
  args: repairArgs,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, repairArgs);
    const backup = flags.one("backup");
    if (backup && !existsSync(backup)) throw failure(`There is no file ${backup}`);
    await withExisting(flags, async (store) => {
      const { repaired, left } = await repairStore(store, backup ? resolve(backup) : null);
      for (const name of repaired) console.log(`${name}: repaired`);
      print(left);
      console.log(`${repaired.length} records repaired, ${left.length} records are still damaged`);
      if (left.length > 0) throw new CommandFailure("", 1);
    });
  },
});

async function withExisting(flags: Flags, work: (store: Store) => Promise<void>): Promise<void> {
  const choice = readDataChoice(flags, process.env, "cannot be checked or repaired");
  requireData(choice);
  await withStore(choice, async (store) => {
    await requireRestored(store);
    await work(store);
  });
}

function print(damaged: readonly QuarantinedRecord[]): void {
  for (const { key, reason } of damaged) console.log(`${key}: ${reason}`);
}
