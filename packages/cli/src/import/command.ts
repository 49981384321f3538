import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { CommandFailure } from "../failure.ts";
import { readFlags } from "../flags.ts";
import { serverArgs } from "../server-address.ts";
import { type ImportSummary, importFile } from "./importing.ts";
import { KEY_KIND, readImportSettings } from "./settings.ts";

const args: ArgsDef = {
  file: { type: "positional", required: false, description: "CSV file whose first row names the columns" },
  experiment: { type: "string", valueHint: "key", description: "The ACTIVE experiment of the rows" },
  user: { type: "string", valueHint: "column", description: "Column of user ids" },
  arm: { type: "string", valueHint: "column", description: "Column of variant keys" },
  metric: { type: "string", valueHint: "name=column", description: "Event type and its column; may be repeated" },
  "map-arm": {
    type: "string",
    valueHint: "value=variant",
    description: "Variant of a value in the arm column; may be repeated",
  },
  delimiter: { type: "string", valueHint: "character", description: "Character between cells, or tab (default ,)" },
  ...serverArgs(KEY_KIND),
  concurrency: { type: "string", description: "Number of concurrent requests (default 4)" },
};

/** `assay import`: sends a CSV of exposures and outcomes to a running experiment, through the public API. */
export const importing: CommandDef = defineCommand({
  meta: { name: "import", description: "Import a CSV of exposures and outcomes into an experiment" },
  args,
  async run({ rawArgs }) {
    const summary = await importFile(await readImportSettings(readFlags(rawArgs, args), process.env));
    console.log(describe(summary));
    // The errors have been printed; only the exit code is left.
    if (summary.rejected > 0) throw new CommandFailure("", 1);
  },
});

/** Formats a summary, one fact per line. */
function describe({ rows, accepted, duplicates, rejected, reasons, remarks, seconds }: ImportSummary): string {
  const count = (number: number) => number.toLocaleString("en");
  return [
    `${count(rows)} rows in ${seconds.toFixed(1)} s`,
    `${count(accepted)} events accepted, ${count(duplicates)} duplicates, ${count(rejected)} rejected`,
    ...reasons.map((reason) => `  rejected: ${reason}`),
    ...[...remarks].map(([remark, times]) => `  note: ${remark} (${count(times)} events)`),
  ].join("\n");
}
