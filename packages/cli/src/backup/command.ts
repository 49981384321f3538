import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type BackupSummary, requireRestored, restoreBackup, writeBackup } from "@assay/store";
import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { CommandFailure, failure, usageFailure } from "../failure.ts";
import { type Flags, readFlags } from "../flags.ts";
import { stopSignal } from "../serve/stop-signal.ts";
import { DATA_ARGS, describeStorage, readDataChoice, requireData, withStore } from "../serve/storage.ts";

const args: ArgsDef = {
  file: { type: "positional", required: false, description: "The backup" },
  data: DATA_ARGS.data!,
  storage: DATA_ARGS.storage!,
};

/** `assay backup FILE`: writes everything in a server's data to a file, while the server runs. */
export const backup: CommandDef = defineCommand({
  meta: { name: "backup", description: "Write a server's data to a file, also while it runs" },
  args,
  async run({ rawArgs }) {
    const { file, choice } = read(rawArgs, "backup");
    requireData(choice);
    if (existsSync(file)) throw failure(`${file} exists already; name a new file`);
    const stop = new AbortController();
    stopSignal().then((signal) => {
      stop.abort(new CommandFailure(`Stopped; ${file} was not written`, signal === "SIGINT" ? 130 : 143));
    });
    await withStore(choice, async (store) => {
      await requireRestored(store);
      const summary = await writeBackup(store, file, { signal: stop.signal });
      console.log(`${describe(summary)} written to ${file} and read again`);
      console.log(`SHA-256 of the rows: ${summary.sha256}`);
    });
  },
});

/** `assay restore FILE`: puts a backup into an empty place. */
export const restore: CommandDef = defineCommand({
  meta: { name: "restore", description: "Put a backup into an empty data directory" },
  args,
  async run({ rawArgs }) {
    const { file, choice } = read(rawArgs, "restore");
    if (!existsSync(file)) throw failure(`There is no file ${file}`);
    await withStore(choice, async (store) => {
      const summary = await restoreBackup(store, file);
      console.log(`${describe(summary)} restored into ${describeStorage(choice)} and compared with the backup`);
      console.log(`SHA-256 of the rows: ${summary.sha256}`);
    });
  },
});

function read(words: string[], name: string) {
  const flags: Flags = readFlags(words, args);
  const [file] = flags.positionals;
  if (!file) throw usageFailure(`Specify the file: assay ${name} FILE`);
  return { file: resolve(file), choice: readDataChoice(flags, process.env, "cannot be backed up or restored") };
}

function describe({ tables }: BackupSummary): string {
  const parts = Object.entries(tables).map(([table, rows]) => `${rows} ${table}`);
  const total = Object.values(tables).reduce((sum, rows) => sum + rows, 0);
  return `${total} rows (${parts.join(", ") || "none"})`;
}
