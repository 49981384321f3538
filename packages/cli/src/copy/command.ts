import { copyStore, type PortableSummary, requireRestored } from "@assay/store";
import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { CommandFailure, usageFailure } from "../failure.ts";
import { readFlags } from "../flags.ts";
import { stopSignal } from "../serve/stop-signal.ts";
import { describeStorage, parseData, requireData, withStore } from "../serve/storage.ts";

const args: ArgsDef = {
  from: { type: "string", description: "The data to copy: lmdb:DIR, fs:DIR, postgres://… or redis://…" },
  to: { type: "string", description: "Where to copy it: lmdb:DIR, postgres://… or redis://… (ASSAY_STORAGE)" },
};
/** How often progress is printed, in rows. */
const PROGRESS_ROWS = 1_000_000;

/** `assay copy --from … --to …`: copies a server's data into another kind of store, also while the server runs. */
export const copy: CommandDef = defineCommand({
  meta: { name: "copy", description: "Copy a server's data to another kind of storage, also while it runs" },
  args,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, args);
    const [from, to] = [flags.one("from"), flags.one("to") ?? process.env.ASSAY_STORAGE];
    if (!from || !to) throw usageFailure("Specify both places: assay copy --from lmdb:./data --to postgres://…");
    const [source, target] = [parseData(from, "--from"), parseData(to, "--to")];
    requireData(source);
    const stop = new AbortController();
    stopSignal().then((signal) => {
      stop.abort(new CommandFailure("Stopped; run the same command to go on", signal === "SIGINT" ? 130 : 143));
    });
    await withStore(source, async (before) => {
      await requireRestored(before);
      await withStore(target, async (after) => {
        let shown = 0;
        const onProgress = (rows: number) => {
          if (rows < shown + PROGRESS_ROWS) return;
          shown = rows;
          console.log(`${rows} rows read`);
        };
        const summary = await copyStore(before, after, { signal: stop.signal, onProgress });
        console.log(`${describe(summary)} in ${describeStorage(target)}, ${summary.loaded} of them written now`);
        console.log(`Checksum of both: ${summary.checksum}`);
        console.log(
          "If a server has written since, stop it and run the same command again. Then start it on the copy.",
        );
      });
    });
  },
});

function describe({ rows }: PortableSummary): string {
  const { entry, record, member } = rows;
  const total = Object.values(rows).reduce((sum, one) => sum + one, 0);
  return `${total} rows (${entry} entries, ${record} journal records, ${member} claimed ids)`;
}
